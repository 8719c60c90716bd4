"""Verdicts of calls as SARIF 2.1.0: what kept a call from passing, beside the file it came in.

Messages are made of codes and stored numbers, as in a report: no words of a call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from review.core.evaluation import Report
from review.management.sarif import file_uri, one_run


@dataclass(frozen=True, slots=True)
class Placed:
    """A report and the file that its call came in."""

    path: Path
    report: Report


@dataclass(frozen=True, slots=True)
class _Why:
    """One reason: its code, what phase or edge it is about, its sentence, whether it is proven."""

    code: str
    about: str
    text: str
    proven: bool


def calls_sarif(placed: Iterable[Placed], refused: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return a SARIF log with a result for each reason that kept a call from passing.

    What is proven is an error, what a person must settle a warning. `refused` (a place and a
    sentence) are notifications of the run, which then was not successful.
    """
    found = [(one, why) for one in placed for why in _whys(one.report)]
    codes = sorted({why.code for _, why in found})
    places = {code: index for index, code in enumerate(codes)}
    run = one_run(
        "evaluate_call",
        [_rule(code) for code in codes],
        [_result(one, why, places[why.code]) for one, why in found],
    )
    notes = [
        {"level": "error", "message": {"text": f"{where}: {sentence}"}}
        for where, sentence in refused
    ]
    log_run = run["runs"][0]
    log_run["invocations"] = [
        {"executionSuccessful": not refused, "toolExecutionNotifications": notes}
    ]
    return run


def _whys(report: Report) -> Iterator[_Why]:
    if report.call_success == "pass":
        return
    none = True
    for edge in report.edges:
        if edge.critical and edge.ok is not True:
            none = False
            yield _Why(edge.code, f"{edge.parent}→{edge.child}", edge.why, edge.ok is False)
    for row in report.rows:
        if row.ok is not True:
            none = False
            yield _Why(row.code, row.phase, row.reason, row.ok is False)
    if none:
        code = next(iter(report.reasons), "UNDETERMINED")
        yield _Why(code, "call", report.summary, report.call_success == "fail")


def _rule(code: str) -> dict[str, Any]:
    words = code.replace("_", " ").capitalize()
    return {"id": code, "shortDescription": {"text": words}}


def _result(one: Placed, why: _Why, index: int) -> dict[str, Any]:
    report = one.report
    name = f"{report.call}/{why.about}"
    return {
        "ruleId": why.code,
        "ruleIndex": index,
        "level": "error" if why.proven else "warning",
        "message": {"text": f"{report.call}: {why.text}"},
        "locations": [
            {
                # A call is no line of its file; code hosts want one, so it is the first.
                "physicalLocation": {
                    "artifactLocation": {"uri": file_uri(one.path)},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [{"fullyQualifiedName": name}],
            }
        ],
        "partialFingerprints": {"callAndReason/v1": _digest(name, why.code)},
        "properties": {"catalog": report.catalog.slug, "version": report.catalog.version},
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode("utf-8")).hexdigest()
