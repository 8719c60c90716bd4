"""Findings as SARIF 2.1.0, the format that code hosts and editors show beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from catalogs.core.findings import Severity
from catalogs.core.linter.texts import Entry
from review.core.rehearsal.texts import REFERENCE
from review.management.checking import Located

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "note",
}


def sarif_log(located: Iterable[Located], *, name: str) -> dict[str, Any]:
    """Return one SARIF log with one run; its rules are the codes that occur, with their texts."""
    found = list(located)
    codes = sorted({one.finding.code for one in found}, key=lambda code: code[1:])
    places = {code: index for index, code in enumerate(codes)}
    return one_run(name, [_rule(code) for code in codes], [_result(one, places) for one in found])


def one_run(
    name: str, rules: list[dict[str, Any]], results: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return a SARIF log with the one run of a tool, its rules and its results."""
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": name, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    entry = REFERENCE.get(code) or Entry(code, code, "", "")
    level = "error" if code.startswith("E") else "warning"
    help_text = f"{entry.why} {entry.mend}"
    return {
        "id": code,
        "shortDescription": {"text": entry.what},
        "fullDescription": {"text": f"{entry.what} {entry.why}"},
        "help": {"text": help_text, "markdown": f"{entry.why}\n\n**To mend:** {entry.mend}"},
        "defaultConfiguration": {"level": level},
    }


def _result(one: Located, places: Mapping[str, int]) -> dict[str, Any]:
    finding = one.finding
    physical: dict[str, Any] = {"artifactLocation": {"uri": file_uri(one.path)}}
    if finding.line is not None:
        physical["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.code,
        "ruleIndex": places[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.where}: {finding.text}"},
        "locations": [
            {
                "physicalLocation": physical,
                "logicalLocations": [{"fullyQualifiedName": finding.where}],
            }
        ],
    }


def file_uri(path: Path) -> str:
    """Return the place of a file; one that was named from here stays relative to here."""
    if path.is_absolute():
        return path.as_uri()
    return path.as_posix().replace("%", "%25").replace(" ", "%20")
