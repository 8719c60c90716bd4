"""The test calls of a catalog, each with its variants, made ready to be judged again and again.

1. A test names a file; the shell finds it, here a function gives its bytes or None.
2. ``id`` picks calls of a file with several; left out, all are meant.
3. ``variants: all`` runs every variant that comes with the calls; a variant may name the catalog
   and the beginning of the version that it is for.
4. ``stored:ID`` names a past call of this installation. Its words stay where they are: the shell
   opens it, and its facts, which are words of it, are not compared.
5. What cannot be found, read or understood is a finding (E707, E708, W709), never a silent pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogs.core.document import Document
from catalogs.core.findings import Finding, error, warning
from catalogs.core.linter.raw import raw_rows
from review.core.parsers.oip_call import parse_value, raw_calls
from review.core.rehearsal.expecting import Expectation, read_expectation
from review.core.rehearsal.variants import apply_variant, variants_of
from review.core.transcript import Call, read_records

#: Gives the bytes of a call file by the name a test uses, or None where there is none.
FindCalls = Callable[[str], bytes | None]

#: Opens a past call by the id behind ``stored:``, or gives None where it is not at hand.
FindStored = Callable[[str], Call | None]

RawCall = Mapping[str, Any]

STORED = "stored:"


def no_stored_call(_: str) -> Call | None:
    """Say of every past call that it is not at hand, as where files alone are read."""
    return None


@dataclass(frozen=True, slots=True)
class Run:
    """One call to judge: its label (``case-b/identity-first``), the test it is of, what it must
    show.
    """

    label: str
    where: str
    call: Call
    expectation: Expectation


def runs_of(
    document: Document, calls: FindCalls, stored: FindStored = no_stored_call
) -> tuple[tuple[Run, ...], tuple[Finding, ...]]:
    """Read every test of a document. Calls of one file are read once."""
    book = _Book(document, calls, stored)
    for index, test in enumerate(raw_rows(document, "tests")):
        book.add(f"tests[{index}]", test)
    return tuple(book.runs), tuple(dict.fromkeys(book.findings))


class _Book:
    """Collects the runs of a document and what is to be said of its tests."""

    def __init__(self, document: Document, calls: FindCalls, stored: FindStored) -> None:
        self.runs: list[Run] = []
        self.findings: list[Finding] = []
        self._document = document
        self._find = calls
        self._stored = stored
        self._files: dict[str, tuple[tuple[RawCall, ...], str]] = {}

    def add(self, where: str, test: Mapping[str, Any]) -> None:
        """Add the runs of one test."""
        if "expect" not in test and test.get("variants") != "all":
            said = "this test expects nothing; add expect, or variants: all"
            self._warn("W709", where, said)
            return
        if str(test["call"]).startswith(STORED):
            self._past(where, test)
            return
        for raw in self._chosen(where, test):
            if "expect" in test:
                self._run(where, f"{where}.expect", raw, str(raw.get("id")), test["expect"])
            if test.get("variants") == "all":
                self._variants(where, raw)

    def _past(self, where: str, test: Mapping[str, Any]) -> None:
        name = str(test["call"])
        for key in ("id", "variants"):
            if key in test:
                said = f"{name[:80]} is one call as it was; drop {key}"
                self._refuse("E707", f"{where}.{key}", said)
        call = self._stored(name.removeprefix(STORED))
        if call is None:
            said = f"the past call {name[:80]!r} is not at hand: it was erased or taken out, or is "
            said += "kept by another installation; rehearse it where it is kept, or drop the test"
            self._refuse("E707", f"{where}.call", said)
            return
        place, expect = f"{where}.expect", test.get("expect", {})
        if isinstance(expect, Mapping) and "facts" in expect:
            said = f"{name}: facts of a past call are words of it and are not compared; drop facts"
            self._refuse("E708", f"{place}.facts", said)
            expect = {key: value for key, value in expect.items() if key != "facts"}
        self._expect(place, place, call, name, expect)

    def _chosen(self, where: str, test: Mapping[str, Any]) -> Iterator[RawCall]:
        name = str(test["call"])
        found, refusal = self._file(name)
        if refusal:
            self._refuse("E707", f"{where}.call", refusal)
            return
        wanted = test.get("id")
        ids = [wanted] if isinstance(wanted, str) else wanted
        for missing in [one for one in ids or () if one not in {raw.get("id") for raw in found}]:
            said = f"{name} holds no call {missing!r}; correct the id or the file"
            self._refuse("E707", f"{where}.id", said)
        yield from (raw for raw in found if ids is None or raw.get("id") in ids)

    def _file(self, name: str) -> tuple[tuple[RawCall, ...], str]:
        if name not in self._files:
            self._files[name] = self._opened(name)
        return self._files[name]

    def _opened(self, name: str) -> tuple[tuple[RawCall, ...], str]:
        data = self._find(name)
        if data is None:
            said = f"the call file {name[:80]!r} was not found beside the catalog, in ../cases, "
            return (), said + "among the shipped cases or in --calls; put it there"
        found = raw_calls(data, name=name)
        if found:
            return found, ""
        _, findings = read_records(data, name=name)
        why = findings[0].text if findings else "It holds no call."
        return (), f"the call file {name[:80]!r} cannot be read: {why}"

    def _variants(self, where: str, raw: RawCall) -> None:
        try:
            fitting = [one for one in variants_of(raw) if self._is_meant(one)]
        except (AttributeError, TypeError, ValueError):
            said = f"the variants of {raw.get('id')} are no list of objects; correct the call file"
            self._refuse("E707", f"{where}.call", said)
            return
        if not fitting:
            said = f"{raw.get('id')} has no variant for this catalog; drop variants, or add one"
            self._warn("W709", f"{where}.variants", said)
        for variant in fitting:
            self._variant(where, raw, variant)

    def _variant(self, where: str, raw: RawCall, variant: Mapping[str, Any]) -> None:
        label = f"{raw.get('id')}/{variant.get('id')}"
        place = f"{where}.variants"
        try:
            changed = apply_variant(raw, variant)
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
            said = f"the variant {label} names a turn or a field that the call does not have"
            self._refuse("E707", place, said)
            return
        self._run(place, place, changed, label, variant.get("expect", {}))

    def _is_meant(self, variant: Mapping[str, Any]) -> bool:
        slug, version = variant.get("catalog", self._document.slug), variant.get("version", "")
        begins = f"{self._document.version}.".startswith(f"{version}." if version else "")
        return bool(slug == self._document.slug) and begins

    def _run(self, where: str, place: str, raw: RawCall, label: str, expect: object) -> None:
        call, findings = parse_value(raw, where=label)
        if call is None:
            self._refuse("E707", where, f"{label} is no call that can be read: {findings[0].text}")
            return
        self._expect(where, place, call, label, expect)

    def _expect(self, where: str, place: str, call: Call, label: str, expect: object) -> None:
        if not isinstance(expect, Mapping):
            said = f"{label}: expect takes names with values, such as {{coverage: pass}}"
            self._refuse("E708", place, said)
            return
        expectation, unfit = read_expectation(expect, self._document)
        for one in unfit:
            self._refuse("E708", f"{place}.{one.key}", f"{label}: {one.text}")
        self.runs.append(Run(label, place, call, expectation))

    def _refuse(self, code: str, where: str, said: str) -> None:
        self.findings.append(error(code, where, said, self._document.line(where)))

    def _warn(self, code: str, where: str, said: str) -> None:
        self.findings.append(warning(code, where, said, self._document.line(where)))
