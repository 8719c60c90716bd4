"""What each kind of decision makes of a row. Fail-closed: what is taken away takes the pass along.

A point that a person has set is settled: doubts about the order of its turn, and the clock that
could take its credit back, no longer speak (design 1.3, 3: "until a person decides").
"""

from __future__ import annotations

from operator import attrgetter

from review.core.decisions.kinds import (
    Contradiction,
    Decision,
    ItemValue,
    Kind,
    PointValue,
    Span,
    VerdictValue,
)
from review.core.rows import (
    NEVER,
    UNKNOWN,
    Attempt,
    Evidence,
    ItemState,
    Point,
    Row,
    Verdict,
    roll_up,
)

#: What the source of a value that a person has set begins with; their id follows.
PERSON = "person:"

_place = attrgetter("turn", "source", "start")


def change_row(row: Row, decision: Decision, *, ended: bool) -> Row:
    """Return the row as a decision leaves it; only an ended call has NEVER.

    One about an item of a per-item phase changes that item, and the row is rolled up again.
    """
    if row.instances and decision.key is not None:
        changed = [
            _change(one, decision, ended=ended) if one.key == decision.key else one
            for one in row.instances
        ]
        return roll_up(row.phase, tuple(changed))
    return row if row.instances else _change(row, decision, ended=ended)


def _change(row: Row, decision: Decision, *, ended: bool) -> Row:
    source = f"{PERSON}{decision.by}"
    match decision.value:
        case PointValue(point):
            set_point = _start if decision.kind is Kind.SET_START else _finish
            return set_point(row, point, source)
        case VerdictValue() as value:
            return _verdict(row, value, source, NEVER if ended else UNKNOWN)
        case Span() as value:
            return _evidence(row, value, source)
        case ItemValue() as value:
            return _item(row, value)
        case _:
            return row


def _start(row: Row, point: Point, source: str) -> Row:
    return row._replace(
        start=point,
        start_ms=None,
        start_doubts=(),
        start_source=source,
        inferred=False,
        attempts=_with_attempt(row.attempts, point, source),
        clear_through=row.clear_through if isinstance(point, int) else None,
    )


def _with_attempt(attempts: tuple[Attempt, ...], point: Point, source: str) -> tuple[Attempt, ...]:
    """Every attempt is kept for ever; a turn that nobody named yet is added."""
    if not isinstance(point, int) or any(one.turn == point for one in attempts):
        return attempts
    return tuple(sorted((*attempts, Attempt(point, source)), key=_place))


def _finish(row: Row, point: Point, source: str) -> Row:
    """Set the finish; the verdict follows it, as in the pre-fill."""
    never = point is NEVER
    return row._replace(
        finish=point,
        finish_ms=None,
        finish_doubts=(),
        finish_source=source,
        verdict=_verdict_of(row, point),
        clear_through=None if point is UNKNOWN else row.clear_through,
        contradicted_at=None if never else row.contradicted_at,
        revoked_at=None if never else row.revoked_at,
    )


def _verdict_of(row: Row, finish: Point) -> Verdict:
    if finish is NEVER:
        return Verdict.FAIL
    if row.revoked_at is not None and finish is not UNKNOWN:
        return Verdict.FAIL
    is_shown = bool(row.evidence) and row.contradicted_at is None
    return Verdict.PASS if is_shown and finish is not UNKNOWN else Verdict.UNKNOWN


def _verdict(row: Row, value: VerdictValue, source: str, absent: Point) -> Row:
    """Set the verdict; a fail without a kind of contradiction says that the finish was void."""
    if value.verdict is Verdict.UNKNOWN:
        return row._replace(verdict=value.verdict)
    if value.verdict is Verdict.PASS:
        return row._replace(verdict=value.verdict, contradicted_at=None, revoked_at=None)
    if value.contradiction is Contradiction.REVOKED:
        at = row.contradicted_at if value.at is None else value.at
        return row._replace(verdict=value.verdict, contradicted_at=None, revoked_at=at)
    return row._replace(
        verdict=value.verdict,
        finish=absent,
        finish_ms=None,
        finish_doubts=(),
        finish_source=source,
        clear_through=None,
        contradicted_at=None,
        revoked_at=None,
    )


def _evidence(row: Row, value: Span, source: str) -> Row:
    piece = Evidence(*value, source)
    kept = [one for one in row.evidence if one.item != value.item]
    state = _state(row, value.item)
    others = tuple([one for one in state.candidates if one[:4] != value])
    shown = state._replace(met=True, turn=value.turn, candidates=(piece, *others))
    return _with_item(row, shown)._replace(evidence=(*kept, piece))


def _item(row: Row, value: ItemValue) -> Row:
    state = _state(row, value.item)
    if value.met:
        turn = state.turn if value.turn is None else value.turn
        return _with_item(row, state._replace(met=True, turn=turn))
    lowered = _with_item(row, state._replace(met=value.met, turn=None))
    # Nobody has said yet what the row is worth without it.
    verdict = Verdict.UNKNOWN if row.verdict is Verdict.PASS else row.verdict
    kept = tuple([one for one in row.evidence if one.item != value.item])
    return lowered._replace(evidence=kept, verdict=verdict)


def _state(row: Row, item: str) -> ItemState:
    return next((one for one in row.items if one.id == item), ItemState(item, None, None))


def _with_item(row: Row, state: ItemState) -> Row:
    if any(one.id == state.id for one in row.items):
        return row._replace(
            items=tuple([state if one.id == state.id else one for one in row.items])
        )
    return row._replace(items=(*row.items, state))
