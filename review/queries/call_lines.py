"""One call as a line: what lists and pages say of it without opening its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from review.core.lifecycle import SENTENCES, CallState
from review.core.masking import masker_of_plain


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call in a list. The verdicts are "pass", "fail", "undetermined" or None before any.

    `flagged` counts the rows that carry any flag, `critical` those at an end of a critical edge;
    `focus_turn` is the turn that a person looks at first.
    """

    id: UUID
    site_name: str
    external_id: str
    title: str
    catalog: str | None
    state: str
    state_sentence: str
    coverage: str | None
    order_safe: str | None
    call_success: str | None
    flagged: int
    critical: int
    turn_count: int
    call_date: date | None
    received_at: datetime
    focus_turn: int | None = None
    is_erased: bool = False


_ERASED = "Its words were erased."

#: The columns that `line_from` reads, for `values()`.
LINE_COLUMNS = (
    *("id", "site__name", "external_id", "title", "state", "needs_mapping", "turn_count"),
    *("catalog_version__catalog__slug", "catalog_version__version", "call_date", "received_at"),
    *("coverage", "order_safe", "call_success", "flagged", "critical", "focus_turn"),
    *("site__masks_identifiers", "attributes", "speakers"),
    "erased_at",
)


def line_from(row: Mapping[str, Any]) -> CallLine:
    """Read a line from a row of LINE_COLUMNS; where the site masks identifiers, without those that
    its title or its sentence holds.
    """
    slug, version = row["catalog_version__catalog__slug"], row["catalog_version__version"]
    title, needs = row["title"], row["needs_mapping"]
    if row["site__masks_identifiers"]:
        masker = masker_of_plain(row["attributes"], [one["label"] for one in row["speakers"]])
        title, needs = masker.text(title), masker.text(needs)
    return CallLine(
        id=row["id"],
        site_name=row["site__name"],
        external_id=row["external_id"],
        title="Erased call" if row["erased_at"] else title,
        catalog=None if slug is None else f"{slug} {version}",
        state=row["state"],
        state_sentence=_ERASED if row["erased_at"] else needs or SENTENCES[CallState(row["state"])],
        coverage=_outcome(row["coverage"]),
        order_safe=_outcome(row["order_safe"]),
        call_success=_outcome(row["call_success"]),
        flagged=row["flagged"],
        critical=row["critical"],
        turn_count=row["turn_count"],
        call_date=row["call_date"],
        received_at=row["received_at"],
        focus_turn=None if row["erased_at"] else row["focus_turn"],
        is_erased=row["erased_at"] is not None,
    )


def _outcome(code: str | None) -> str | None:
    return None if code is None else code.lower()
