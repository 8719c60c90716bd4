"""Triage: which rows a person must look at, each with the sentence that says why. A flag never
changes a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from catalogs.core.document import Document
from review.core.predicates import Code, Decision, EdgeOutcome, PhaseOutcome, Plan, explain_edge
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


# Bound once: each look-up of an enum member goes through its metaclass.
_SAFE = Code.SAFE
_VIOLATION, _UNCERTAIN = FlagCode.ORDER_VIOLATION, FlagCode.ORDER_UNCERTAIN
_TIES = (Code.TIE_STRICT, Code.TIE_ALLOWED)


class Flag(NamedTuple):
    """One reason to look at a row, and the sentence a reviewer reads."""

    code: FlagCode
    text: str


class Watch(NamedTuple):
    """One phase as triage knows it before any call: the positions of its critical edges among all
    edges that decide, and the flags that it has on every call.
    """

    phase: str
    edges: tuple[int, ...]
    always: tuple[Flag, ...]


class Watched(NamedTuple):
    """A catalog made ready for triage: its phases in order, and their names."""

    phases: tuple[Watch, ...]
    names: Mapping[str, str]


class Seen(NamedTuple):
    """What triage looks at: the rows, the decision, phases whose list is missing, unread turns."""

    rows: Mapping[str, Row]
    decision: Decision
    without_list: frozenset[str]
    unread: tuple[int, ...]


def watch(document: Document, plan: Plan) -> Watched:
    """Prepare the triage of a catalog; `plan` is the one that decides its calls."""
    return Watched(
        tuple([_watch(phase.id, plan) for phase in document.phases]),
        {phase.id: phase.name for phase in document.phases},
    )


def _watch(phase: str, plan: Plan) -> Watch:
    touched = [
        (position, rule)
        for position, rule in enumerate(plan.edges)
        if phase in (rule.parent, rule.child)
    ]
    always = [
        Flag(
            FlagCode.SAFETY_CRITICAL,
            f"{'Parent' if rule.parent == phase else 'Child'} of the critical edge "
            f"{rule.parent}\u2192{rule.child}: a person confirms this row.",
        )
        for _, rule in touched
    ]
    return Watch(phase, tuple([position for position, _ in touched]), tuple(always))


def flag_rows(watched: Watched, seen: Seen) -> dict[str, tuple[Flag, ...]]:
    """Return the flags of every phase, the gravest first; none for a phase without any."""
    edges = seen.decision.edges
    # Said once for the two ends of an edge; of most edges there is nothing to say.
    troubles = {
        at: _Trouble(edge, _order(edge, watched.names))
        for at, edge in enumerate(edges)
        if edge.code is not _SAFE
    }
    flags: dict[str, tuple[Flag, ...]] = {}
    for known, outcome in zip(watched.phases, seen.decision.phases, strict=True):
        phase = known.phase
        row = seen.rows[phase]
        troubled = [troubles[at] for at in known.edges if at in troubles] if troubles else []
        if not troubled and _is_settled(row, outcome) and phase not in seen.without_list:
            twice = _told_twice(row)
            flags[phase] = (*known.always, _ambiguous(twice)) if twice else known.always
            continue
        subject = _Subject(known, row, outcome, troubled, seen)
        checks = _CHECKS_OF[bool(troubled), isinstance(row.finish, int)]
        flags[phase] = tuple([flag for check in checks for flag in check(subject)])
    return flags


def _is_settled(row: Row, outcome: PhaseOutcome) -> bool:
    """Say that only its edges, and a start that was told twice, can leave a row to be looked at:
    so it is with most rows, and then no other check is run.
    """
    return (
        isinstance(row.finish, int)
        and isinstance(row.start, int)
        and not row.inferred
        and not row.unacknowledged
        and row.contradicted_at is None
        and outcome.required is not None
    )


class _Trouble(NamedTuple):
    """A critical edge of which there is something to say, and the flag of its order, if any."""

    edge: EdgeOutcome
    order: Flag | None


def _order(edge: EdgeOutcome, names: Mapping[str, str]) -> Flag | None:
    if edge.ok is True:
        return None
    return Flag(_VIOLATION if edge.ok is False else _UNCERTAIN, explain_edge(edge, names))


class _Subject(NamedTuple):
    """One phase under triage, and the troubled critical edges that it is an end of."""

    watch: Watch
    row: Row
    outcome: PhaseOutcome
    troubles: list[_Trouble]
    seen: Seen


def _out_of_order(subject: _Subject) -> Sequence[Flag]:
    flags = [trouble.order for trouble in subject.troubles if trouble.order is not None]
    flags.sort(key=lambda flag: flag.code is _UNCERTAIN)
    return flags


def _contradicted(subject: _Subject) -> Sequence[Flag]:
    turn = subject.row.contradicted_at
    if turn is None:
        return ()
    return (
        Flag(
            FlagCode.CONTRADICTED,
            f"Turn {turn} contradicts what finished this phase. Say whether it was void, "
            f"revoked, or no contradiction.",
        ),
    )


def _safety_critical(subject: _Subject) -> Sequence[Flag]:
    return subject.watch.always


def _same_turn(subject: _Subject) -> Sequence[Flag]:
    return [
        Flag(
            FlagCode.SAME_TURN,
            f"Turn {edge.child_start} both finishes {edge.rule.parent} and starts "
            f"{edge.rule.child}.{_who_spoke_first(edge, subject.seen.rows)} "
            "Turn numbers decide; the place inside the turn does not.",
        )
        for edge, _ in subject.troubles
        if edge.code in _TIES
    ]


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


def _ambiguous_start(subject: _Subject) -> Sequence[Flag]:
    row = subject.row
    texts = []
    if row.inferred:
        texts.append(
            f"No anchor says when this phase was entered; turn {_turn(row)} is the first "
            f"evidence. Check the start."
        )
    if row.start is UNKNOWN and row.clear_through is None and not subject.seen.unread:
        texts.append(
            "Something that may start this phase has no turn and no time. Say where it belongs."
        )
    twice = _told_twice(row)
    if twice:
        texts.append(twice)
    return [_ambiguous(text) for text in texts]


def _ambiguous(text: str) -> Flag:
    return Flag(FlagCode.AMBIGUOUS_START, text)


def _told_twice(row: Row) -> str:
    """Say that words and events start the phase on different turns; nothing where they do not."""
    said = [attempt.turn for attempt in row.attempts if attempt.event is None]
    if not said or len(said) == len(row.attempts):
        return ""
    first = min(said)
    logged = min([attempt.turn for attempt in row.attempts if attempt.event is not None])
    if first == logged:
        return ""
    return (
        f"The words start this phase at turn {first}, the event log at turn {logged}. The "
        f"earlier one counts."
    )


def _no_finish(subject: _Subject) -> Sequence[Flag]:
    row = subject.row
    if row.contradicted_at is not None:
        return ()
    if isinstance(row.start, int):
        text = f"Entered at turn {row.start}, but no turn was found on which it was complete."
    elif subject.outcome.required is not False and row.instances != ():
        text = (
            "No words or events of this phase were found. Check that they are missing and not"
            " only worded differently."
        )
    else:
        return ()
    return (Flag(FlagCode.NO_FINISH, text),)


def _partial(subject: _Subject) -> Sequence[Flag]:
    row = subject.row
    texts = []
    if not isinstance(row.finish, int):
        missing = _open_items(row)
        if missing and len(missing) < len(row.items):
            texts.append(f"Some acceptance items are shown, these are open: {', '.join(missing)}.")
    for instance in row.instances or ():
        if not isinstance(instance.finish, int) and any(state.met for state in instance.items):
            missing = _open_items(instance)
            texts.append(f"For {instance.key} these items are open: {', '.join(missing)}.")
    return [Flag(FlagCode.PARTIAL, text) for text in texts]


def _open_items(row: Row) -> list[str]:
    return [state.id for state in row.items if state.met is not True]


def _unacknowledged(subject: _Subject) -> Sequence[Flag]:
    if not subject.row.unacknowledged:
        return ()
    items = ", ".join(subject.row.unacknowledged)
    return (
        Flag(
            FlagCode.UNACKNOWLEDGED,
            f"Said before the phase was entered and never taken up in it, so not credited: "
            f"{items}.",
        ),
    )


def _unknown_fact(subject: _Subject) -> Sequence[Flag]:
    texts = []
    if subject.outcome.required is None:
        texts.append("Whether this phase is required depends on a fact or row that is still open.")
    if subject.watch.phase in subject.seen.without_list:
        texts.append(
            "This phase is owed for each element of a list that the call does not carry, so "
            "it cannot be credited."
        )
    return [Flag(FlagCode.UNKNOWN_FACT, text) for text in texts]


def _unknown_role(subject: _Subject) -> Sequence[Flag]:
    unread = subject.seen.unread
    row = subject.row
    if not unread or (isinstance(row.start, int) and isinstance(row.finish, int)):
        return ()
    shown = ", ".join(str(turn) for turn in unread[:5]) + (" and more" if len(unread) > 5 else "")
    return (
        Flag(
            FlagCode.UNKNOWN_ROLE,
            f"The speaker of turn {shown} has no role in this catalog, so those turns were not"
            f" read. Map the speakers.",
        ),
    )


def _turn(row: Row) -> str:
    return str(row.start) if isinstance(row.start, int) else row.start.value


Check = Callable[[_Subject], Sequence[Flag]]

#: Those that have nothing to say where no edge is in trouble, or where the phase has finished.
_OF_EDGES: tuple[Check, ...] = (_out_of_order, _same_turn)
_OF_UNFINISHED: tuple[Check, ...] = (_no_finish, _partial)
_CHECKS: tuple[Check, ...] = (
    _out_of_order,
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


def _checks(*, troubled: bool, finished: bool) -> tuple[Check, ...]:
    idle = (() if troubled else _OF_EDGES) + (_OF_UNFINISHED if finished else ())
    return tuple([check for check in _CHECKS if check not in idle])


#: By whether any edge is in trouble, and whether the phase has finished.
_CHECKS_OF = {
    (troubled, finished): _checks(troubled=troubled, finished=finished)
    for troubled in (True, False)
    for finished in (True, False)
}
