"""The digest over what decides in a report: rows without their sentences, and facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from review.core.digests import digest
from review.core.evaluation.encoding import Plain
from review.core.evaluation.report import Report, RowReport

DOMAIN = "oip-sce/rows/v1"

_DECIDED = (
    *("phase", "required", "start", "finish", "verdict", "mode", "volunteered", "inferred"),
    "blocked_by",
)


def rows_digest(report: Report) -> str:
    """Return the SHA-256 (hex) over what decides: rows without their sentences, and facts."""
    return digest(
        {
            "domain": DOMAIN,
            "rows": [_decided(row) for row in report.rows],
            "facts": dict(report.facts),
        }
    )


def _decided(row: RowReport) -> Plain:
    return {
        **{name: getattr(row, name) for name in _DECIDED},
        "evidence": [[p.item, p.turn, p.start, p.end, p.event] for p in row.evidence],
        "instances": [[one.key, one.start, one.finish, one.verdict] for one in _instances(row)],
    }


def _instances(row: RowReport) -> Iterable[Any]:
    return row.instances or ()
