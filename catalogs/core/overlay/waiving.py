"""Waivers of E610: a weakening that somebody answers for, up to a last day.

A waived weakening may not outlast its waiver: the overlay's own last day (`effective.to`) must not
lie behind it. So a waiver past its day counts no more; the base judges again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from catalogs.core.document.complaint import Complaint
from catalogs.core.document.plain import Table, date_or_none, rows_of, table_of
from catalogs.core.overlay.form import Overlay

RULE = "E610"


def waiver_of(overlay: Overlay, today: date | None) -> tuple[int, Table] | None:
    """Return the complete waiver of E610 that ends last and has not ended, with its index."""
    found = [
        (index, row)
        for index, row in enumerate(rows_of(overlay.data, "waivers"))
        if row.get("rule") == RULE and row.get("reason") and row.get("by")
    ]
    standing = [
        (index, row)
        for index, row in found
        if isinstance(row.get("until"), date) and (today is None or today <= _until(row))
    ]
    return max(standing, key=lambda one: _until(one[1]), default=None)


def outlasted(overlay: Overlay, index: int, waiver: Table) -> Iterator[Complaint]:
    """E606: the overlay is in force longer than the waiver of what it weakens."""
    last = date_or_none(table_of(overlay.data, "effective"), "to")
    until = _until(waiver)
    if last is None or last > until:
        said = f"what is weakened by this waiver ends with it: write effective.to: {until} or an "
        yield Complaint("E606", f"waivers[{index}]", f"{said}earlier day, or renew the waiver")


def _until(row: Table) -> date:
    until = row["until"]
    if not isinstance(until, date):
        raise TypeError("a waiver that stands has a last day")
    return until
