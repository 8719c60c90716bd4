"""Test calls: which are run, under which label, and what is said of those that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from catalogs.core.findings import Severity
from review.core.rehearsal import FindCalls
from review.core.rehearsal.runs import runs_of
from tests.unit.review.rehearsal.small import call, finder, small, with_tests


def labels(tests: str, calls: FindCalls | None = None) -> list[str]:
    runs, findings = runs_of(with_tests(tests), calls or finder())
    assert findings == ()
    return [run.label for run in runs]


EXPECT = "expect: {coverage: pass}"


@pytest.mark.parametrize(
    ("tests", "wanted"),
    [
        (f"  - {{call: small.json, id: good, {EXPECT}}}", ["good"]),
        (f"  - {{call: small.json, id: [other, good], {EXPECT}}}", ["good", "other"]),
        (f"  - {{call: small.json, {EXPECT}}}", ["good", "other"]),
        (
            "  - {call: small.json, id: good, variants: all}",
            ["good/benefits-first", "good/tie", "good/free", "good/cut"],
        ),
    ],
    ids=["one id", "several ids", "all calls", "variants alone"],
)
def test_which_calls_run(tests: str, wanted: list[str]) -> None:
    assert labels(tests) == wanted


@pytest.mark.parametrize(
    ("variant", "meant"),
    [
        ({}, True),
        ({"catalog": "small"}, True),
        ({"catalog": "big"}, False),
        ({"version": "1"}, True),
        ({"version": "1.2"}, True),
        ({"version": "1.2.0"}, True),
        ({"version": "1.20"}, False),
        ({"version": "2"}, False),
        ({"catalog": "big", "version": "1"}, False),
    ],
)
def test_which_catalog_a_variant_is_for(variant: dict[str, Any], meant: bool) -> None:
    own = {"id": "own", "expect": {"coverage": "pass"}, **variant}
    held = call(variants=[{"id": "any", "expect": {"coverage": "pass"}}, own])
    found = labels("  - {call: a.json, variants: all}", finder({"a.json": held}))
    assert found == ["good/any", *(["good/own"] if meant else [])]


ALL = "  - {call: a.json, variants: all}"
ONE = f"  - {{call: a.json, {EXPECT}}}"


@pytest.mark.parametrize(
    ("files", "tests", "code", "where", "said"),
    [
        ({}, ONE, "E707", "tests[0].call", "was not found beside the catalog"),
        ({"a.json": b"{"}, ONE, "E707", "tests[0].call", "cannot be read"),
        ({"a.json": []}, ONE, "E707", "tests[0].call", "cannot be read"),
        ({"a.json": call(turns=[])}, ONE, "E707", "tests[0]", "no call that can be read"),
        (
            {"a.json": call()},
            f"  - {{call: a.json, id: [good, gone], {EXPECT}}}",
            "E707",
            "tests[0].id",
            "holds no call 'gone'",
        ),
        (
            {"a.json": call(variants=[{"id": "v", "order": [1, 99]}])},
            ALL,
            "E707",
            "tests[0].variants",
            "good/v names a turn or a field",
        ),
        (
            {"a.json": call(variants=["v"])},
            ALL,
            "E707",
            "tests[0].call",
            "no list of objects",
        ),
        (
            {"a.json": call(variants=[{"id": "v", "expect": [1]}])},
            ALL,
            "E708",
            "tests[0].variants",
            "expect takes names with values",
        ),
        (
            {"a.json": call(variants=[{"id": "v", "expect": {"PIDD": 1}}])},
            ALL,
            "E708",
            "tests[0].variants.PIDD",
            "good/v: nothing is named 'PIDD'",
        ),
        ({"a.json": call()}, "  - {call: a.json}", "W709", "tests[0]", "expects nothing"),
        (
            {"a.json": call(variants=[])},
            ALL,
            "W709",
            "tests[0].variants",
            "good has no variant for this catalog",
        ),
    ],
)
def test_what_cannot_run_is_said(
    files: dict[str, object], tests: str, code: str, where: str, said: str
) -> None:
    _, (finding,) = runs_of(with_tests(tests), finder(files))
    assert (finding.code, finding.where) == (code, where)
    assert finding.severity is (Severity.ERROR if code[0] == "E" else Severity.WARNING)
    assert said in finding.text
    assert finding.line is not None


def test_a_call_that_cannot_run_stops_no_other() -> None:
    tests = f"  - {{call: gone.json, {EXPECT}}}\n  - {{call: small.json, id: good, {EXPECT}}}"
    runs, findings = runs_of(with_tests(tests), finder())
    assert [run.label for run in runs] == ["good"]
    assert [finding.code for finding in findings] == ["E707"]


def test_a_file_is_asked_for_once() -> None:
    asked: list[str] = []
    find = finder()

    def counting(name: str) -> bytes | None:
        asked.append(name)
        return find(name)

    runs_of(with_tests(f"  - {{call: small.json, {EXPECT}}}\n" * 3), counting)
    assert asked == ["small.json"]


def test_the_call_itself_stays_as_it_is() -> None:
    runs, _ = runs_of(small(), finder())
    texts = {run.label: run.call.turns[-1].text for run in runs}
    assert texts["good"] == "Forty dollars."
    assert {run.label: run.call.ended for run in runs}["good/cut"] is False
