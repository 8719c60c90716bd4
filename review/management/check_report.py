"""What `lint_catalog` and `test_catalog` print: findings as text, and both commands as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from catalogs.core.findings import Severity
from review.core.rehearsal import Rehearsal, finding_to_json, rehearsal_to_json
from review.core.rehearsal.seen import EdgeSeen
from review.management.checking import Checked, Located

#: So many warnings of one code in one file are still listed one by one.
A_FEW = 3


def finding_line(one: Located) -> str:
    """Write a finding on one line that editors can jump from."""
    finding = one.finding
    line = f":{finding.line}" if finding.line else ""
    return f"{one.path}{line}: {finding.code} {finding.where}: {finding.text}"


def finding_lines(findings: Sequence[Located], *, every: bool) -> Iterator[str]:
    """Yield a line per finding. Where a file has more than a few warnings of one code they share a
    line, so that they do not hide the others; `every` lists them all. Errors are always listed.
    """
    counts = Counter((one.path, one.finding.code) for one in findings)
    counted: set[tuple[Path, str]] = set()
    for one in findings:
        kind = one.path, one.finding.code
        if every or one.finding.severity is Severity.ERROR or counts[kind] <= A_FEW:
            yield finding_line(one)
        elif kind not in counted:
            counted.add(kind)
            more = counts[kind] - 1
            yield f"{finding_line(one)} (and {more} more {one.finding.code}; --all lists them)"


def summary_line(checked: Checked) -> str:
    """Say in one line how a file stands."""
    warnings = len(checked.findings) - checked.errors
    counted = f"{checked.errors} errors, {warnings} warnings"
    if checked.rehearsal is None:
        return f"{checked.path}: not readable as a catalog, {counted}"
    state = "green" if checked.rehearsal.green else "not green"
    return f"{checked.path}: {counted}; rehearsal {state}"


def rehearsal_lines(rehearsal: Rehearsal) -> Iterator[str]:
    """Yield a line per test, then the tables of what was seen and of what went unnoticed."""
    for test in rehearsal.tests:
        verdicts = f"coverage {test.coverage}, order_safe {test.order_safe}"
        word = "FAIL" if test.differences else "ok  "
        yield f"  {word} {test.label}: {verdicts}, call_success {test.call_success}"
        for difference in test.differences:
            yield f"         {difference}"
    yield from _table("critical edge", ("safe", "unsafe", "tied", "unknown"), _edges(rehearsal))
    yield from _table("condition of", ("owed", "not", "unknown"), _requirements(rehearsal))
    yield from _table("phase", ("pass", "fail", "unknown"), _phases(rehearsal))
    yield from _table("sentences", ("met", "missed"), _sentences(rehearsal))
    if rehearsal.beyond_rules:
        yield f"  {rehearsal.beyond_rules} more sentences are left to people (beyond_rules)"
    yield from _mutants(rehearsal)


Row = tuple[str, tuple[int, ...]]


def _edges(rehearsal: Rehearsal) -> list[Row]:
    return [(f"{one.parent}→{one.child}", _sides(one)) for one in rehearsal.coverage.edges]


def _sides(edge: EdgeSeen) -> tuple[int, ...]:
    return edge.safe, edge.unsafe, edge.tied, edge.unknown


def _requirements(rehearsal: Rehearsal) -> list[Row]:
    seen = rehearsal.coverage.requirements
    return [(one.phase, (one.owed, one.not_owed, one.unknown)) for one in seen]


def _phases(rehearsal: Rehearsal) -> list[Row]:
    seen = rehearsal.coverage.phases
    return [(one.phase, (one.passed, one.failed, one.unknown)) for one in seen]


def _sentences(rehearsal: Rehearsal) -> list[Row]:
    return [(f"{one.phase} {one.kind}", (one.met, one.missed)) for one in rehearsal.sentences]


def _mutants(rehearsal: Rehearsal) -> Iterator[str]:
    kinds = list(dict.fromkeys(mutant.kind for mutant in rehearsal.mutants))
    rows: list[Row] = []
    for kind in kinds:
        own = [mutant for mutant in rehearsal.mutants if mutant.kind == kind]
        noticed = sum(1 for mutant in own if mutant.noticed_by is not None)
        rows.append((kind, (noticed, len(own) - noticed)))
    yield from _table("wrong change", ("noticed", "not"), rows)


def _table(title: str, heads: tuple[str, ...], rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    wide = max(len(title), *(len(name) for name, _ in rows))
    yield f"  {title.ljust(wide)}  {'  '.join(head.rjust(7) for head in heads)}"
    for name, numbers in rows:
        yield f"  {name.ljust(wide)}  {'  '.join(str(number).rjust(7) for number in numbers)}"


def checks_to_json(checks: Sequence[Checked], *, with_rehearsal: bool) -> dict[str, Any]:
    """Write checked files as plain JSON values."""
    return {
        "files": [_file(one, with_rehearsal=with_rehearsal) for one in checks],
        "errors": sum(one.errors for one in checks),
        "warnings": sum(len(one.findings) - one.errors for one in checks),
    }


def _file(checked: Checked, *, with_rehearsal: bool) -> dict[str, Any]:
    document, rehearsal = checked.document, checked.rehearsal
    plain: dict[str, Any] = {
        "file": str(checked.path),
        "catalog": None,
        "green": rehearsal is not None and rehearsal.green,
        "findings": [
            {"file": str(one.path), **finding_to_json(one.finding)} for one in checked.findings
        ],
    }
    if document is not None:
        plain["catalog"] = {
            "slug": document.slug,
            "version": document.version,
            "digest": document.digest,
        }
    if with_rehearsal:
        plain["rehearsal"] = None if rehearsal is None else rehearsal_to_json(rehearsal)
    return plain
