"""`evaluate_call`: from a call file to a verdict, without a service or a database.

Exit codes: 0 pass, 1 fail, 2 undetermined, 3 bad input or usage, 4 internal error. Of several calls
the worst counts, in the order 4, 3, 1, 2, 0. Nothing but a decided verdict ends with 0, 1 or 2.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalogs.core.document import Document
from catalogs.core.document.choosing import applies, choose, in_force
from catalogs.core.linter import guard, is_fatal
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import Cascade, prepare, scalar_attributes
from review.core.evaluation import (
    Judged,
    judge_call,
    junit_xml,
    quotes_of,
    report_lines,
    report_to_json,
)
from review.core.parsers import FORMATS, findings_by_call, parse_calls
from review.core.transcript import Call
from review.management.base import Exit, ReviewCommand
from review.management.bases import add_base_argument, file_bytes, read_catalog
from review.management.call_files import call_files
from review.management.call_sarif import Placed, calls_sarif
from review.management.checking import path_of

#: What can be printed; all but the first can be written to files as well.
FORMS = ("text", "json", "junit", "sarif")

_EXITS = {"pass": Exit.GOOD, "fail": Exit.BAD, "undetermined": Exit.UNDETERMINED}
_NAME_IT = " If you know the format, name it with --call-format."
_WORST_FIRST = (Exit.INTERNAL, Exit.USAGE, Exit.BAD, Exit.UNDETERMINED, Exit.GOOD)


class Command(ReviewCommand):
    """Parse, pre-fill and judge calls, and print rows, reasons and verdicts."""

    help = (
        "Judge the calls of files and folders against a catalog. Exit: 0 pass, 1 fail, "
        "2 undetermined, 3 bad input or usage, 4 internal error."
    )
    requires_system_checks: list[str] = []
    zero_is_a_verdict = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="CALL", help="call file or folder"
        )
        parser.add_argument("--catalog", metavar="FILE|SLUG", help="a file, or a shipped catalog")
        add_base_argument(parser)
        parser.add_argument("--call", dest="only", metavar="ID", help="judge only this call")
        parser.add_argument("--call-format", choices=sorted(FORMATS), help="overrule recognition")
        parser.add_argument("--format", choices=FORMS, default="text")
        for form in FORMS[1:]:
            parser.add_argument(
                f"--{form}-file", type=Path, metavar="FILE", help=f"write {form} there as well"
            )
        parser.add_argument(
            "--json",
            dest="format",
            action="store_const",
            const="json",
            help="same as --format json",
        )

    def work(self, options: Mapping[str, Any]) -> int:
        """Judge every call of every file; what cannot be read is said and passed over."""
        chooser = _Chooser(options["catalog"], options["base"], self._note)
        self._refused: list[tuple[str, str]] = []
        judged: list[Judged] = []
        self._paths: list[Path] = []
        stated = 0
        for path in call_files(options["paths"]):
            try:
                result = parse_calls(
                    file_bytes(path), name=path.name, format=options["call_format"]
                )
            except CommandError as error:
                self._refuse(str(path), str(error))
                continue
            for where, finding in result.refused:
                is_unknown = result.format is None and finding.code == "unknown_format"
                hint = _NAME_IT if is_unknown else ""
                self._refuse(where, f"{finding.code}: {finding.text}{hint}")
            stated += len(result.calls)
            found = findings_by_call(result)
            for call in _wanted(result.calls, options["only"]):
                try:
                    cascade = chooser.for_call(call)
                except NoCatalog as error:
                    self._refuse(call.id, str(error))
                    continue
                judged.append(judge_call(call, cascade, findings=found.get(call.id, [])))
                self._paths.append(path)
        if not judged and not self._refused:
            raise CommandError(_nothing(options))
        self._print(judged, options, alone=stated + len(self._refused) == 1)
        codes = {_EXITS[one.report.call_success] for one in judged}
        codes |= {Exit.USAGE} if self._refused else set()
        return next(code for code in _WORST_FIRST if code in codes)

    def _print(self, judged: list[Judged], options: Mapping[str, Any], *, alone: bool) -> None:
        self.stdout.write(self._written(judged, options["format"], alone=alone), ending="")
        for form in FORMS[1:]:
            path = options[f"{form}_file"]
            if path is not None:
                _write(path, self._written(judged, form, alone=alone))

    def _written(self, judged: list[Judged], form: str, *, alone: bool) -> str:
        if form == "junit":
            return junit_xml([one.report for one in judged], self._refused)
        if form == "sarif":
            placed = map(Placed, self._paths, [one.report for one in judged])
            return _json(calls_sarif(placed, self._refused))
        if form == "json":
            plain = [report_to_json(one.report, quote=quotes_of(one.call)) for one in judged]
            return _json(plain[0] if plain and alone else plain)
        lines = [
            line
            for one in judged
            for line in report_lines(one.report, quote=quotes_of(one.call, for_people=True))
        ]
        return "".join(f"{line}\n" for line in lines)

    def _note(self, sentence: str) -> None:
        self.stderr.write(sentence)

    def _refuse(self, where: str, sentence: str) -> None:
        self._refused.append((where, sentence))
        self._note(f"refused {where}: {sentence}")


class NoCatalog(Exception):
    """No catalog is for a call; the message is the sentence for people."""


class _Chooser:
    """Finds the catalog for a call: the one that was named, else the shipped one that applies."""

    def __init__(self, named: str | None, base: Path | None, note: Any) -> None:
        self._note = note
        self._named = _load(path_of(named), note, base) if named else None
        self._shipped = [] if named else [_load(path, note) for path in SHIPPED_CATALOGS]
        self._cascades: dict[str, Cascade] = {}

    def for_call(self, call: Call) -> Cascade:
        """Return the prepared catalog for a call. Raises NoCatalog, saying why there is none."""
        attributes = scalar_attributes(call)
        if self._named is None:
            choice = choose(self._shipped, attributes, call.date)
            if choice.document is None:
                raise NoCatalog(f"{choice.sentence} Name one with --catalog.")
            return self._prepared(choice.document)
        if (
            not applies(self._named, attributes)
            or not call.date
            or not in_force(self._named, call.date)
        ):
            self._note(f"{call.id}: --catalog overrules what the catalog says of type and date.")
        return self._prepared(self._named)

    def _prepared(self, document: Document) -> Cascade:
        if document.digest not in self._cascades:
            self._cascades[document.digest] = prepare(document)
        return self._cascades[document.digest]


def _load(path: Path, note: Any, base: Path | None = None) -> Document:
    loaded = read_catalog(path, base=base)
    document = loaded.document
    findings = (*loaded.findings, *(guard(document) if document is not None else ()))
    for finding in findings:
        line = f":{finding.line}" if finding.line else ""
        note(f"{path.name}{line} {finding.code} {finding.where}: {finding.text}")
    if document is None or is_fatal(findings):
        raise CommandError(f"{path.name} cannot judge a call until the findings above are mended.")
    return document


def _json(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None


def _wanted(calls: Iterable[Call], only: str | None) -> list[Call]:
    return [call for call in calls if only is None or call.id == only]


def _nothing(options: Mapping[str, Any]) -> str:
    if options["only"]:
        return f"No call {options['only']} was found in the files given."
    return "The files and folders given hold no call."
