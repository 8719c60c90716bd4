"""Deciding many calls of one plan: what-if runs and re-checks over stored rows.

A plain call (ended, every row shown, nothing volunteered, contradicted or in doubt) is decided by
its order type alone: which phases were entered and passed, how each critical pair of turns lies,
and the facts and attributes that the plan reads. Calls of one type have one outcome, so `decide`
is asked once a type. Every other call goes to `decide` as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from catalogs.core.document import Scalar
from catalogs.core.requirements import Expression, free_attributes, free_facts
from review.core.predicates.codes import Code, Outcome
from review.core.predicates.decision import Decision, decide
from review.core.predicates.plan import Plan
from review.core.rows import NEVER, Evidence, Point, Row, Verdict

#: Stands for "never" in columns: larger than any turn number.
FAR = 1 << 30

Scalars = Mapping[str, Scalar]

_SHOWN = (Evidence("stored", 0, 0, 0, "stored"),)
_NOTHING: Scalars = {}


class PlainCall(NamedTuple):
    """The rows of a plain call as columns in the plan's order of phases; never is FAR.

    `starts_ms` is when each start turn begins and `finishes_ms` when each finish turn ends, in
    milliseconds; both are empty for a call without times.
    """

    starts: Sequence[int]
    finishes: Sequence[int]
    passed: Sequence[int]
    facts: Scalars = _NOTHING
    attributes: Scalars = _NOTHING
    starts_ms: Sequence[int | None] = ()
    finishes_ms: Sequence[int | None] = ()


class StoredCall(NamedTuple):
    """Any call, as `decide` takes it."""

    rows: Mapping[str, Row]
    facts: Scalars
    attributes: Scalars
    ended: bool | None


class Verdicts(NamedTuple):
    """What a call came out as: the three verdicts, and the code of every phase and edge."""

    coverage: Outcome
    order_safe: Outcome
    call_success: Outcome
    phases: tuple[Code, ...]
    edges: tuple[Code, ...]
    reasons: tuple[Code, ...]


def decide_many(plan: Plan, calls: Iterable[PlainCall | StoredCall]) -> list[Verdicts]:
    """Decide calls in their order; the same verdicts and codes as `decide` gives one by one."""
    types = _Types(plan)
    return [
        types.of(call) if isinstance(call, PlainCall) else _stored(plan, call) for call in calls
    ]


def plain_call(plan: Plan, call: StoredCall) -> PlainCall | None:
    """Write a call in columns, or return None where its order type does not say all."""
    rows = [call.rows.get(rule.id) for rule in plan.phases]
    if call.ended is not True or plan.per_item:
        return None
    if not all(row is not None and _is_plain(row) for row in rows):
        return None
    known = [row for row in rows if row is not None]
    return PlainCall(
        [_column(row.start) for row in known],
        [_column(row.finish) for row in known],
        [row.verdict is Verdict.PASS for row in known],
        call.facts,
        call.attributes,
        [row.start_ms for row in known],
        [row.finish_ms for row in known],
    )


class _Types:
    """The order types of a plan that were met so far, each with its outcome."""

    def __init__(self, plan: Plan) -> None:
        place = {rule.id: at for at, rule in enumerate(plan.phases)}
        self._plan = plan
        self._pairs = [(place[rule.parent], place[rule.child]) for rule in plan.edges]
        conditions = [*(rule.when for rule in plan.phases), *(rule.when for rule in plan.edges)]
        read = [when for when in conditions if when is not None]
        self._facts = _names(free_facts, read)
        self._attributes = _names(free_attributes, read)
        self._known: dict[tuple[object, ...], Verdicts] = {}

    def of(self, call: PlainCall) -> Verdicts:
        """Return the outcome of a call's type."""
        starts, finishes, passed, facts, attributes, starts_ms, _ = call
        # Per phase: 2 passed, 1 entered, 0 never entered; below, one number for each kind of row
        # that cannot be believed (no finish, finish before start, a fail with a finish).
        states = [
            (2 if start <= finish < FAR else -1 if finish == FAR else -2)
            if ok
            else (start < FAR if finish == FAR else -3 if start <= finish else -4)
            for start, finish, ok in zip(starts, finishes, passed, strict=True)
        ]
        # Per edge: how the parent's finish lies to the child's start, and which of them is there.
        lies = [
            (finish > start) - (finish < start) + (3 if start == FAR else 6 if finish == FAR else 0)
            for finish, start in [(finishes[i], starts[j]) for i, j in self._pairs]
        ]
        kind: tuple[object, ...] = (*states, *lies)
        if starts_ms:
            kind += self._overlaps(call)
        if self._facts or self._attributes:
            kind += tuple([facts.get(name) for name in self._facts])
            kind += tuple([attributes.get(name) for name in self._attributes])
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = _stored(self._plan, _rows_of(self._plan, call))
        return found

    def _overlaps(self, call: PlainCall) -> tuple[bool, ...]:
        """Say for each edge whether the child's speech begins before the parent's has ended."""
        pairs = [(call.finishes_ms[i], call.starts_ms[j]) for i, j in self._pairs]
        return tuple(
            finish is not None and start is not None and start < finish for finish, start in pairs
        )


def _names(
    free: Callable[[Expression], tuple[str, ...]], expressions: list[Expression]
) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in expressions for name in free(one)))


def _stored(plan: Plan, call: StoredCall) -> Verdicts:
    rows, facts, attributes, ended = call
    return _verdicts(decide(plan, rows, facts=facts, attributes=attributes, ended=ended))


def _verdicts(decision: Decision) -> Verdicts:
    return Verdicts(
        decision.coverage,
        decision.order_safe,
        decision.call_success,
        tuple(phase.code for phase in decision.phases),
        tuple(edge.code for edge in decision.edges),
        decision.reasons,
    )


def _rows_of(plan: Plan, call: PlainCall) -> StoredCall:
    rows = {
        rule.id: Row(
            rule.id,
            NEVER if start == FAR else start,
            NEVER if finish == FAR else finish,
            Verdict.PASS if ok else Verdict.FAIL,
            _SHOWN,
            start_ms=call.starts_ms[at] if call.starts_ms else None,
            finish_ms=call.finishes_ms[at] if call.finishes_ms else None,
        )
        for at, (rule, start, finish, ok) in enumerate(
            zip(plan.phases, call.starts, call.finishes, call.passed, strict=True)
        )
    }
    return StoredCall(rows, call.facts, call.attributes, True)


def _is_plain(row: Row) -> bool:
    """Say whether turns and verdict are all that a row says. A pass without evidence is not."""
    if row.volunteered or row.revoked_at is not None or row.contradicted_at is not None:
        return False
    if row.start_doubts or row.finish_doubts or row.instances is not None:
        return False
    if row.verdict is Verdict.UNKNOWN or not _is_told(row.start) or not _is_told(row.finish):
        return False
    return bool(row.evidence) or row.verdict is Verdict.FAIL


def _is_told(point: Point) -> bool:
    return point is NEVER or isinstance(point, int)


def _column(point: Point) -> int:
    return point if isinstance(point, int) else FAR
