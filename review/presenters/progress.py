"""How far the review of a call is: what is decided, and what may still be confirmed in one act."""

from __future__ import annotations

from collections.abc import Sequence

from review.presenters.marks import CONFIRMED, DOUBTED, PROPOSED
from review.presenters.rows import PhaseRow


def rows_to_confirm(rows: Sequence[PhaseRow]) -> tuple[PhaseRow, ...]:
    """Return the rows that nobody has decided and neither a flag nor a doubt holds up."""
    return tuple(row for row in rows if row.standing == PROPOSED and not row.flags)


def progress_words(rows: Sequence[PhaseRow]) -> str:
    """Say in one sentence what is left to decide; each thing by its number."""
    left = (
        (sum(bool(row.flags) for row in rows if row.standing == PROPOSED), "flagged"),
        (len(rows_to_confirm(rows)), "without flag"),
    )
    open_rows = " and ".join(f"{number} {name}" for number, name in left if number)
    others = (
        (sum(row.standing == DOUBTED for row in rows), "in doubt"),
        (
            sum(row.by_people is not None and row.by_people.needs_second for row in rows),
            "for a second person",
        ),
    )
    waiting = ", ".join(f"{number} {name}" for number, name in others if number)
    if open_rows:
        return f"{open_rows} to decide" + (f", {waiting}" if waiting else "")
    if waiting:
        return waiting
    decided = all(row.standing == CONFIRMED for row in rows)
    return "every row decided, ready to sign" if rows and decided else ""
