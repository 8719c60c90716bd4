"""What lint says of a version, grouped by code, with the reference text of each code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalogs.core.findings import Finding, Severity
from catalogs.core.linter.texts import ENTRIES
from catalogs.presenters.marks import Mark, severity_mark

_ENTRIES = {entry.code: entry for entry in ENTRIES}
_WEIGHT = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Place:
    """One finding: where, its line in the document (empty for none), and what to do."""

    where: str
    line: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeGroup:
    """All findings of one code. `what`, `why` and `mend` are empty for a code without entry."""

    code: str
    mark: Mark
    places: tuple[Place, ...]
    what: str
    why: str
    mend: str


def group_findings(findings: Sequence[Finding]) -> tuple[CodeGroup, ...]:
    """Group findings by code, errors first."""
    by_code: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: (_WEIGHT[one.severity], one.code)):
        by_code.setdefault(finding.code, []).append(finding)
    return tuple(_group(code, found) for code, found in by_code.items())


def _group(code: str, found: Sequence[Finding]) -> CodeGroup:
    entry = _ENTRIES.get(code)
    return CodeGroup(
        code=code,
        mark=severity_mark(found[0].severity.value),
        places=tuple(
            Place(one.where, "" if one.line is None else f"line {one.line}", one.text)
            for one in found
        ),
        what=entry.what if entry else "",
        why=entry.why if entry else "",
        mend=entry.mend if entry else "",
    )
