"""What people have decided on a row: how it stands, by whom, and the history with its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from review.core.decisions import (
    Decision,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Span,
    Standing,
    VerdictValue,
    redoable,
    standing_decisions,
    undoable,
)
from review.core.rows import Point
from review.presenters.marks import CONFIRMED, DOUBTED, PROPOSED, Mark
from review.presenters.requirement import value_words
from review.queries.calls import RowMark
from review.queries.folded import Made
from review.queries.late import LateProposal
from review.queries.reviewing import Review

#: How a row stands, by the word that is stored.
STANDINGS = {
    Standing.PROPOSED.value: PROPOSED,
    Standing.CONFIRMED.value: CONFIRMED,
    Standing.DOUBTED.value: DOUBTED,
}
_MET = {True: "shown", False: "not shown", None: "cannot be told"}
_PLAIN = {
    Kind.CONFIRM: "confirmed the row",
    Kind.DOUBT: "asked a senior reviewer",
    Kind.COMMENT: "commented",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One decision in the history; `undo` and `redo` say that this person may take it back."""

    number: int
    text: str
    who: str
    at: datetime
    words: str
    is_undone: bool
    undo: bool
    redo: bool
    confirms: bool
    unseen: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """How one row stands, by whom and since when, and what was decided on it.

    `unseen`: it was confirmed without a turn of its evidence in view. `late` says what a pre-fill
    proposes that came after the decision.
    """

    mark: Mark
    who: str
    at: datetime | None
    needs_second: bool
    revision: int
    unseen: bool
    late: str
    history: tuple[Line, ...]


def show_decided(review: Review, person: str) -> dict[str, Decided]:
    """Draw what was decided on every row, for a person by their id."""
    lines = _lines(review, person)
    return {
        phase: _decided(mark, lines.get(phase, ()), review.late.get(phase))
        for phase, mark in review.marks.items()
    }


def show_fact_history(review: Review, person: str) -> dict[str, tuple[Line, ...]]:
    """Draw what was decided on every fact that somebody has set."""
    return _lines(review, person, facts=True)


def people_of(review: Review) -> dict[str, str]:
    """Return the names of the people who decided, by the source of their values."""
    return {f"person:{one.decision.by}": one.who for one in review.made}


def describe(decision: Decision) -> str:
    """Say in words what a decision did, without who and why."""
    text = _PLAIN.get(decision.kind) or _valued(decision)
    return f"{text} for {decision.key}" if decision.key else text


def _decided(mark: RowMark, history: tuple[Line, ...], late: LateProposal | None) -> Decided:
    return Decided(
        mark=STANDINGS[mark.standing],
        who=mark.who,
        at=max((line.at for line in history), default=None),
        needs_second=mark.needs_second,
        revision=mark.revision,
        unseen=mark.standing == Standing.CONFIRMED.value and bool(history) and _unseen(history),
        late="" if late is None else _late(late),
        history=history,
    )


def _late(late: LateProposal) -> str:
    start, finish = (
        f"turn {point}" if isinstance(point, int) else point for point in (late.start, late.finish)
    )
    return f"start {start}, finish {finish}, verdict {late.verdict}"


def _unseen(history: tuple[Line, ...]) -> bool:
    """Say of the confirmation that stands whether its evidence was never in view."""
    return next((one.unseen for one in reversed(history) if one.confirms), False)


def _lines(review: Review, person: str, *, facts: bool = False) -> dict[str, tuple[Line, ...]]:
    decisions = [one.decision for one in review.made]
    standing = {one.number for one in standing_decisions(decisions)}
    undo = {one.number for one in undoable(decisions, person)}
    redo = {one.number for one in redoable(decisions, person)}
    found: dict[str, tuple[Line, ...]] = {}
    for made in review.made:
        name = made.decision.fact if facts else made.decision.phase
        if name is not None:
            line = _line(made, review.words, standing, undo, redo)
            found[name] = (*found.get(name, ()), line)
    return found


def _line(
    made: Made, words: Mapping[int, str], standing: set[int], undo: set[int], redo: set[int]
) -> Line:
    one = made.decision
    return Line(
        number=one.number,
        text=describe(one) + (f", candidate {made.candidate} by wording" if made.candidate else ""),
        who=made.who,
        at=made.at,
        words=words.get(one.number, ""),
        is_undone=one.kind is not Kind.UNDO and one.number not in standing,
        undo=one.number in undo,
        redo=one.number in redo,
        confirms=one.kind is Kind.CONFIRM and one.number in standing,
        unseen=made.evidence_seen is False,
    )


def _valued(decision: Decision) -> str:
    match decision.value:
        case PointValue(point):
            name = "start" if decision.kind is Kind.SET_START else "finish"
            return f"set the {name} to {_point(point)}"
        case VerdictValue(verdict, contradiction, _):
            kind = "" if contradiction is None else f" ({contradiction.value.lower()})"
            return f"set the verdict to {verdict.value}{kind}"
        case Span(item, turn, _, _):
            return f"marked evidence of {item} in turn {turn}"
        case ItemValue(item, met, _):
            return f"marked {item} as {_MET[met]}"
        case FactValue(value):
            return f"set the fact to {value_words(value)}"
        case _:
            of = getattr(decision.value, "of", 0)
            return f"took decision {of} back"


def _point(point: Point) -> str:
    return f"turn {point}" if isinstance(point, int) else point.value
