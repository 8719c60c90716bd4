"""*Decide again*: edges, requirements and precedence of another version over stored rows.

A phase that the other version has and the rows have not is missing, never a pass: the call needs
annotation before it can be judged (engine.md 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from review.core.predicates import Code, Outcome, Plan
from review.core.predicates.batch import StoredCall, Verdicts, decide_many, plain_call


class Change(Enum):
    """What becomes of CallSuccess under the other version; the value is how a page calls it."""

    SAME = "the same"
    PASS_TO_FAIL = "pass to fail"
    FAIL_TO_PASS = "fail to pass"
    TO_UNDETERMINED = "to undetermined"
    FROM_UNDETERMINED = "from undetermined"


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
    before = _decided(old, calls)
    after = _decided(new, calls)
    places = _Places(old), _Places(new)
    return [
        _weigh(one, was, now, places) for one, was, now in zip(calls, before, after, strict=True)
    ]


def _decided(plan: Plan, calls: Sequence[Past]) -> list[Verdicts]:
    return decide_many(plan, [plain_call(plan, one.call) or one.call for one in calls])


class _Places:
    """The names of a plan's phases and edges, in the order of its verdicts."""

    def __init__(self, plan: Plan) -> None:
        self.phases = tuple(rule.id for rule in plan.phases)
        self.edges = tuple(f"{rule.parent}→{rule.child}" for rule in plan.edges)


def _weigh(one: Past, was: Verdicts, now: Verdicts, places: tuple[_Places, _Places]) -> Weighed:
    old, new = places
    missing = [
        phase
        for phase, code in zip(new.phases, now.phases, strict=True)
        if code is Code.ROW_MISSING
    ]
    return Weighed(
        one.id,
        one.signed,
        _change(was.call_success, now.call_success),
        was.call_success,
        now.call_success,
        tuple(missing),
        _differing(old.phases, was.phases, new.phases, now.phases),
        _differing(old.edges, was.edges, new.edges, now.edges),
    )


def _change(was: Outcome, now: Outcome) -> Change:
    if was is now:
        return Change.SAME
    if now is Outcome.UNDETERMINED:
        return Change.TO_UNDETERMINED
    if was is Outcome.UNDETERMINED:
        return Change.FROM_UNDETERMINED
    return Change.PASS_TO_FAIL if now is Outcome.FAIL else Change.FAIL_TO_PASS


def _differing(
    old: Sequence[str], was: Sequence[Code], new: Sequence[str], now: Sequence[Code]
) -> tuple[str, ...]:
    """Return what has another code now, in the new order, then what is no more."""
    if old == new and was == now:
        return ()
    before, after = dict(zip(old, was, strict=True)), dict(zip(new, now, strict=True))
    changed = [name for name, code in after.items() if before.get(name) is not code]
    return (*changed, *(name for name in before if name not in after))
