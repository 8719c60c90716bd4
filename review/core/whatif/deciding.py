"""*Decide again*: edges, requirements and precedence of another version over stored rows.

A phase that the other version has and the rows have not is missing, never a pass: the call needs
annotation before it can be judged (engine.md 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from catalogs.core.requirements import free_facts
from review.core.predicates import Code, Outcome, Plan
from review.core.predicates.batch import StoredCall, Verdicts, decide_many, plain_call
from review.core.rows import Row
from review.core.whatif.changes import Change, Compared, Turned, change_between


class Past(NamedTuple):
    """A call as it is stored: its rows, facts and attributes, and whether it is signed."""

    id: str
    call: StoredCall
    signed: bool


class Weighed(NamedTuple):
    """A call under both versions. `missing` are required phases without a row, `rows` and `edges`
    those whose code is another one; an edge is "PARENT→CHILD".
    """

    id: str
    signed: bool
    change: Change
    before: Outcome
    after: Outcome
    missing: tuple[str, ...]
    rows: tuple[str, ...]
    edges: tuple[str, ...]


def decide_again(old: Plan, new: Plan, calls: Sequence[Past]) -> list[Weighed]:
    """Decide stored calls by the plan that judged them and by another, in their order.

    Both come out as `decide` gives them one by one.
    """
    return [
        Weighed(
            one.id,
            one.signed,
            one.change,
            one.before,
            one.after,
            one.annotate,
            tuple([turned.name for turned in one.rows]),
            tuple([turned.name for turned in one.edges]),
        )
        for one in compare_decided(old, new, calls)
    ]


def compare_decided(old: Plan, new: Plan, calls: Sequence[Past]) -> list[Compared]:
    """Do the same, with the codes of every row and edge that comes out otherwise."""
    weighing = _Weighing(old, new)
    decided = zip(calls, _decided(old, calls), _decided(new, calls), strict=True)
    return [weighing.compare(one, was, now) for one, was, now in decided]


def reads_facts(plan: Plan) -> bool:
    """Say whether a requirement or an edge of a plan asks for a fact."""
    conditions = [*(rule.when for rule in plan.phases), *(rule.when for rule in plan.edges)]
    return any(free_facts(when) for when in conditions if when is not None)


def _decided(plan: Plan, calls: Sequence[Past]) -> list[Verdicts]:
    return decide_many(plan, [plain_call(plan, one.call) or one.call for one in calls])


#: What two verdicts come to, whatever call they are of: change, missing phases, rows, edges.
_Difference = tuple[Change, tuple[str, ...], tuple[Turned, ...], tuple[Turned, ...]]


class _Weighing:
    """Two plans whose verdicts are compared; calls of the same two verdicts differ alike.

    `decide_many` hands out one value for all calls of an order type, so the pairs are few.
    """

    def __init__(self, old: Plan, new: Plan) -> None:
        self._old, self._new = old, new
        self._known: dict[tuple[int, int], tuple[Verdicts, Verdicts, _Difference]] = {}

    def compare(self, one: Past, was: Verdicts, now: Verdicts) -> Compared:
        """Compare a call under both."""
        key = id(was), id(now)
        known = self._known.get(key)
        if known is None:
            # The verdicts are kept with it, so that no other value can get their ids.
            known = self._known[key] = was, now, self._difference(was, now)
        change, missing, rows, edges = known[2]
        if rows or edges:
            placed = one.call.rows
            rows = tuple([row._replace(turn=_turn(placed, row.name)) for row in rows])
            # An edge is looked at where its child starts.
            edges = tuple([edge._replace(turn=_turn(placed, _child(edge.name))) for edge in edges])
        return Compared(
            one.id, one.signed, change, was.call_success, now.call_success, rows, edges, missing
        )

    def _difference(self, was: Verdicts, now: Verdicts) -> _Difference:
        phases = _phases(self._new)
        missing = [
            phase
            for phase, code in zip(phases, now.phases, strict=True)
            if code is Code.ROW_MISSING
        ]
        return (
            change_between(was.call_success, now.call_success),
            tuple(missing),
            _turned(_phases(self._old), was.phases, phases, now.phases),
            _turned(_edges(self._old), was.edges, _edges(self._new), now.edges),
        )


def _phases(plan: Plan) -> list[str]:
    return [rule.id for rule in plan.phases]


def _edges(plan: Plan) -> list[str]:
    return [f"{rule.parent}→{rule.child}" for rule in plan.edges]


def _child(edge: str) -> str:
    return edge.rpartition("→")[2]


def _turn(rows: Mapping[str, Row], phase: str) -> int | None:
    row = rows.get(phase)
    if row is None:
        return None
    return next((one for one in (row.start, row.finish) if isinstance(one, int)), None)


def _turned(
    old: Sequence[str], was: Sequence[Code], new: Sequence[str], now: Sequence[Code]
) -> tuple[Turned, ...]:
    """Return what has another code now, in the new order, then what is no more."""
    if old == new and was == now:
        return ()
    before, after = dict(zip(old, was, strict=True)), dict(zip(new, now, strict=True))
    changed = [
        Turned(name, None, before[name].value if name in before else "", code.value)
        for name, code in after.items()
        if before.get(name) is not code
    ]
    gone = [Turned(name, None, before[name].value, "") for name in before if name not in after]
    return (*changed, *gone)
