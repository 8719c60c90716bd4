"""Two versions of one row or fact side by side: what is stored now, and what a person sent."""

from __future__ import annotations

from dataclasses import dataclass

from review.core.decisions import Ask, Decision, Kind, Shown, apply_decision
from review.core.rows import Row
from review.presenters.deciding import describe
from review.presenters.requirement import value_words
from review.queries.folded import Folded, Made


@dataclass(frozen=True, slots=True)
class ShownConflict:
    """Who changed it and what they did; (name, stored now, yours) of each value; what you asked."""

    who: str
    theirs: tuple[str, ...]
    rows: tuple[tuple[str, str, str], ...]
    yours: str


def show_conflict(folded: Folded, since: tuple[Made, ...], asked: Ask) -> ShownConflict:
    """Draw a conflict; yours is what would stand were the decision sent again as it is."""
    value = Decision(
        number=0,
        kind=asked.kind,
        by="",
        senior=False,
        phase=asked.phase,
        fact=asked.fact,
        key=asked.key,
        value=asked.value,
    )
    return ShownConflict(
        who=" and ".join(dict.fromkeys(one.who for one in since)) or "a new pre-fill",
        theirs=tuple(f"{one.who} {describe(one.decision)}" for one in since),
        rows=_rows(folded, asked, _mine(folded, value)),
        yours=describe(value),
    )


def _mine(folded: Folded, value: Decision) -> Shown | None:
    if value.kind is Kind.UNDO:
        return None
    return apply_decision(folded.shown, value, folded.grounds)


def _rows(folded: Folded, asked: Ask, mine: Shown | None) -> tuple[tuple[str, str, str], ...]:
    if asked.fact is not None:
        yours = "?" if mine is None else value_words(mine.facts.get(asked.fact))
        return ((asked.fact, value_words(folded.shown.facts.get(asked.fact)), yours),)
    there = folded.shown.rows.get(asked.phase or "")
    if there is None:
        return ()
    own = None if mine is None else mine.rows[there.row.phase].row
    return tuple(
        (name, _word(there.row, name), "?" if own is None else _word(own, name))
        for name in ("start", "finish", "verdict")
    )


def _word(row: Row, name: str) -> str:
    value = getattr(row, name)
    return str(value) if isinstance(value, int) else str(value.value)
