"""What a text would change of past calls, in words, as it stands in its publication record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from catalogs.queries.what_ifs import WhatIfReportLine

_KINDS = {"READ": "read again", "DECIDE": "decided again"}
_SAME = "SAME"


@dataclass(frozen=True, slots=True)
class ShownReport:
    """One what-if of the text: the calls, what becomes of them, by whom asked and when."""

    id: UUID
    calls: str
    sentence: str
    by: str
    at: datetime
    digest: str


def show_reports(lines: Sequence[WhatIfReportLine]) -> tuple[ShownReport, ...]:
    """Draw what-ifs of a text."""
    return tuple(
        ShownReport(
            id=line.what_if_id,
            calls=_calls(line),
            sentence=_sentence(line.figures),
            by=line.by,
            at=line.made_at,
            digest=line.figures_digest,
        )
        for line in lines
    )


def _calls(line: WhatIfReportLine) -> str:
    number = sum(calls for calls, _ in line.figures["changes"].values())
    first, last = line.days
    days = f" from {first}" if first else ""
    days += f" to {last}" if last else ""
    called = "call" if number == 1 else "calls"
    how = _KINDS.get(line.kind, line.kind)
    return f"{number:,} {called} of {line.catalog} at {line.site_name}{days}, {how}"


def _sentence(figures: Mapping[str, Any]) -> str:
    said = [
        f"{calls:,} {name.replace('_', ' ').lower()} ({signed:,} signed)"
        for name, (calls, signed) in figures["changes"].items()
        if name != _SAME and calls
    ]
    annotate, signed = figures["annotate"]
    if annotate:
        said.append(f"{annotate:,} need annotation ({signed:,} signed)")
    return f"{', '.join(said)}." if said else "No verdict changes."
