"""Rules that depend on the day: the day is an argument, the core has no clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from catalogs.core.document import Document
from catalogs.core.findings import Finding, error, warning
from catalogs.core.linter.raw import raw_rows


def overdue(document: Document, today: date) -> tuple[Finding, ...]:
    """Return W605 (review overdue) and E606 (waiver past its last day)."""
    return (*_review(document, today), *_waivers(document, today))


def _review(document: Document, today: date) -> Iterator[Finding]:
    due = document.data.get("review_by")
    if isinstance(due, date) and due < today:
        said = f"the review was due on {due.isoformat()}; review the catalog and move the date"
        yield warning("W605", "review_by", said, document.line("review_by"))


def _waivers(document: Document, today: date) -> Iterator[Finding]:
    for index, row in enumerate(raw_rows(document, "waivers")):
        until = row.get("until")
        if isinstance(until, date) and until < today:
            where = f"waivers[{index}]"
            said = f"the waiver of {row.get('rule')} ended on {until.isoformat()}; renew or drop it"
            yield error("E606", where, said, document.line(where))


def waived_codes(document: Document, today: date | None) -> frozenset[str]:
    """Return the codes that a complete waiver in force lifts (only warnings can be lifted)."""
    return frozenset(
        str(row["rule"]) for row in raw_rows(document, "waivers") if _in_force(row, today)
    )


def _in_force(row: Mapping[str, object], today: date | None) -> bool:
    until = row.get("until")
    if not (row.get("rule") and row.get("reason") and row.get("by") and isinstance(until, date)):
        return False
    return today is None or today <= until
