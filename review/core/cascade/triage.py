"""Triage: which rows a person must look at, each with the sentence that says why. A flag never
changes a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from catalogs.core.document import Document, Phase
from review.core.predicates import Code, Decision, EdgeOutcome, PhaseOutcome, explain_edge
from review.core.rows import UNKNOWN, Row


class FlagCode(Enum):
    """Why a row is shown to a person (design 4.2)."""

    ORDER_VIOLATION = "ORDER_VIOLATION"
    ORDER_UNCERTAIN = "ORDER_UNCERTAIN"
    CONTRADICTED = "CONTRADICTED"
    SAFETY_CRITICAL = "SAFETY_CRITICAL"
    SAME_TURN = "SAME_TURN"
    AMBIGUOUS_START = "AMBIGUOUS_START"
    NO_FINISH = "NO_FINISH"
    PARTIAL = "PARTIAL"
    UNACKNOWLEDGED = "UNACKNOWLEDGED"
    UNKNOWN_FACT = "UNKNOWN_FACT"
    UNKNOWN_ROLE = "UNKNOWN_ROLE"


class Flag(NamedTuple):
    """One reason to look at a row, and the sentence a reviewer reads."""

    code: FlagCode
    text: str


class Seen(NamedTuple):
    """What triage looks at: the catalog, the rows, the decision, phases whose list is missing,
    unread turns.
    """

    document: Document
    rows: Mapping[str, Row]
    decision: Decision
    without_list: frozenset[str]
    unread: tuple[int, ...]


def flag_rows(seen: Seen) -> dict[str, tuple[Flag, ...]]:
    """Return the flags of every phase, the gravest first; none for a phase without any."""
    names = {phase.id: phase.name for phase in seen.document.phases}
    outcomes = {outcome.phase: outcome for outcome in seen.decision.phases}
    flags: dict[str, tuple[Flag, ...]] = {}
    for phase in seen.document.phases:
        edges = [
            edge for edge in seen.decision.edges if phase.id in (edge.rule.parent, edge.rule.child)
        ]
        subject = _Subject(phase, seen.rows[phase.id], outcomes[phase.id], edges, seen, names)
        checks = _CHECKS if edges else _CHECKS_WITHOUT_EDGES
        flags[phase.id] = tuple([flag for check in checks for flag in check(subject)])
    return flags


class _Subject(NamedTuple):
    """One phase under triage; `edges` are the critical edges that it is an end of."""

    phase: Phase
    row: Row
    outcome: PhaseOutcome
    edges: list[EdgeOutcome]
    seen: Seen
    names: Mapping[str, str]


def _order_violation(subject: _Subject) -> Iterator[Flag]:
    for edge in subject.edges:
        if edge.ok is False:
            yield Flag(FlagCode.ORDER_VIOLATION, explain_edge(edge, subject.names))


def _order_uncertain(subject: _Subject) -> Iterator[Flag]:
    for edge in subject.edges:
        if edge.ok is None:
            yield Flag(FlagCode.ORDER_UNCERTAIN, explain_edge(edge, subject.names))


def _contradicted(subject: _Subject) -> Iterator[Flag]:
    turn = subject.row.contradicted_at
    if turn is not None:
        yield Flag(
            FlagCode.CONTRADICTED,
            f"Turn {turn} contradicts what finished this phase. Say whether it was void, "
            f"revoked, or no contradiction.",
        )


def _safety_critical(subject: _Subject) -> Iterator[Flag]:
    for edge in subject.edges:
        side = "Parent" if edge.rule.parent == subject.phase.id else "Child"
        name = f"{edge.rule.parent}\u2192{edge.rule.child}"
        yield Flag(
            FlagCode.SAFETY_CRITICAL,
            f"{side} of the critical edge {name}: a person confirms this row.",
        )


def _same_turn(subject: _Subject) -> Iterator[Flag]:
    for edge in subject.edges:
        if edge.code in (Code.TIE_STRICT, Code.TIE_ALLOWED):
            hint = _who_spoke_first(edge, subject.seen.rows)
            yield Flag(
                FlagCode.SAME_TURN,
                f"Turn {edge.child_start} both finishes {edge.rule.parent} and starts "
                f"{edge.rule.child}.{hint} "
                "Turn numbers decide; the place inside the turn does not.",
            )


def _who_spoke_first(edge: EdgeOutcome, rows: Mapping[str, Row]) -> str:
    parent, child = rows[edge.rule.parent], rows[edge.rule.child]
    ends = [
        piece.end
        for piece in parent.evidence
        if piece.turn == edge.child_start and piece.event is None
    ]
    begins = [
        attempt.start
        for attempt in child.attempts
        if attempt.turn == edge.child_start and attempt.event is None
    ]
    if not ends or not begins:
        return ""
    first = edge.rule.parent if max(ends) <= min(begins) else edge.rule.child
    return f" Inside the turn the words of {first} come first."


def _ambiguous_start(subject: _Subject) -> Iterator[Flag]:
    row = subject.row
    if row.inferred:
        yield Flag(
            FlagCode.AMBIGUOUS_START,
            f"No anchor says when this phase was entered; turn {_turn(row)} is the first "
            f"evidence. Check the start.",
        )
    if row.start is UNKNOWN and row.clear_through is None and not subject.seen.unread:
        yield Flag(
            FlagCode.AMBIGUOUS_START,
            "Something that may start this phase has no turn and no time. Say where it belongs.",
        )
    said = min((attempt.turn for attempt in row.attempts if attempt.event is None), default=None)
    logged = min(
        (attempt.turn for attempt in row.attempts if attempt.event is not None), default=None
    )
    if said is not None and logged is not None and said != logged:
        yield Flag(
            FlagCode.AMBIGUOUS_START,
            f"The words start this phase at turn {said}, the event log at turn {logged}. The "
            f"earlier one counts.",
        )


def _no_finish(subject: _Subject) -> Iterator[Flag]:
    row = subject.row
    if isinstance(row.finish, int) or row.contradicted_at is not None:
        return
    if isinstance(row.start, int):
        yield Flag(
            FlagCode.NO_FINISH,
            f"Entered at turn {row.start}, but no turn was found on which it was complete.",
        )
    elif subject.outcome.required is not False and row.instances != ():
        yield Flag(
            FlagCode.NO_FINISH,
            "No words or events of this phase were found. Check that they are missing and not"
            " only worded differently.",
        )


def _partial(subject: _Subject) -> Iterator[Flag]:
    open_items = [state.id for state in subject.row.items if state.met is not True]
    if (
        open_items
        and len(open_items) < len(subject.row.items)
        and not isinstance(subject.row.finish, int)
    ):
        yield Flag(
            FlagCode.PARTIAL,
            f"Some acceptance items are shown, these are open: {', '.join(open_items)}.",
        )
    for instance in subject.row.instances or ():
        if not isinstance(instance.finish, int) and any(state.met for state in instance.items):
            missing = [state.id for state in instance.items if state.met is not True]
            yield Flag(
                FlagCode.PARTIAL, f"For {instance.key} these items are open: {', '.join(missing)}."
            )


def _unacknowledged(subject: _Subject) -> Iterator[Flag]:
    if subject.row.unacknowledged:
        items = ", ".join(subject.row.unacknowledged)
        yield Flag(
            FlagCode.UNACKNOWLEDGED,
            f"Said before the phase was entered and never taken up in it, so not credited: "
            f"{items}.",
        )


def _unknown_fact(subject: _Subject) -> Iterator[Flag]:
    if subject.outcome.required is None:
        yield Flag(
            FlagCode.UNKNOWN_FACT,
            "Whether this phase is required depends on a fact or row that is still open.",
        )
    if subject.phase.id in subject.seen.without_list:
        yield Flag(
            FlagCode.UNKNOWN_FACT,
            "This phase is owed for each element of a list that the call does not carry, so "
            "it cannot be credited.",
        )


def _unknown_role(subject: _Subject) -> Iterator[Flag]:
    unread = subject.seen.unread
    row = subject.row
    if unread and not (isinstance(row.start, int) and isinstance(row.finish, int)):
        shown = ", ".join(str(turn) for turn in unread[:5]) + (
            " and more" if len(unread) > 5 else ""
        )
        yield Flag(
            FlagCode.UNKNOWN_ROLE,
            f"The speaker of turn {shown} has no role in this catalog, so those turns were not"
            f" read. Map the speakers.",
        )


def _turn(row: Row) -> str:
    return str(row.start) if isinstance(row.start, int) else row.start.value


_CHECKS: tuple[Callable[[_Subject], Iterator[Flag]], ...] = (
    _order_violation,
    _order_uncertain,
    _contradicted,
    _safety_critical,
    _same_turn,
    _ambiguous_start,
    _no_finish,
    _partial,
    _unacknowledged,
    _unknown_fact,
    _unknown_role,
)
_CHECKS_WITHOUT_EDGES = tuple(
    check
    for check in _CHECKS
    if check not in (_order_violation, _order_uncertain, _safety_critical, _same_turn)
)
