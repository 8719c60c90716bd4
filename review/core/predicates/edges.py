"""OK(i -> j): did the critical child start only after its parent had finished? Paper, equation (2).

Fail-closed: True only where it is shown. A proven False stays False whatever else is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from review.core.predicates.codes import Code
from review.core.predicates.plan import EdgeRule
from review.core.predicates.validity import fault_of
from review.core.rows import NEVER, UNKNOWN, Point, Row, Verdict, made

# Bound once: each look-up of an enum member goes through its metaclass.
_PASS = Verdict.PASS
_SAFE = Code.SAFE
_TOO_EARLY = Code.STARTED_BEFORE_PARENT_FINISHED


class EdgeOutcome(NamedTuple):
    """One critical edge judged: `ok` True, False or None, the code, and the two numbers it was read
    from.

    `item` is the instance that decided, for an edge of scope item.
    """

    rule: EdgeRule
    ok: bool | None
    code: Code
    parent_finish: Point
    child_start: Point
    item: str | None = None


class Sides(NamedTuple):
    """The two rows of an edge, and what makes each of them unusable."""

    parent: Row | None
    child: Row | None
    parent_fault: Code | None
    child_fault: Code | None


def plain_outcome(
    rule: EdgeRule, rows: Mapping[str, Row], faults: Mapping[str, Code | None]
) -> EdgeOutcome | None:
    """Judge an edge of two rows that nothing is to be said against, or return None: `judge_edge`
    then says the rest. The commonest case by far, and the same outcome (tests hold them equal).
    """
    before, after = rule.parent, rule.child
    if not rule.plain or faults[before] is not None or faults[after] is not None:
        return None
    parent, child = rows[before], rows[after]
    finish, start = parent.finish, child.start
    if not isinstance(finish, int) or not isinstance(start, int) or finish == start:
        return None
    if parent.verdict is not _PASS or parent.contradicted_at is not None:
        return None
    if finish > start:
        return EdgeOutcome(rule, False, _TOO_EARLY, finish, start)
    if parent.finish_doubts or child.start_doubts or parent.revoked_at is not None:
        return None
    started, finished = child.start_ms, parent.finish_ms
    if started is not None and finished is not None and started < finished:
        return None
    return made(EdgeOutcome, (rule, True, _SAFE, finish, start, None))


def judge_edge(
    rule: EdgeRule,
    sides: Sides,
    *,
    condition: bool | None,
    ended: bool,
    may_volunteer: Mapping[str, bool],
) -> EdgeOutcome:
    """Judge one edge on its rows; `condition` is the value of its `when` (True without one).

    `may_volunteer` says by phase whether content before its start counts; it is read for the
    instances of an edge that compares item by item.
    """
    outcome = _judge_items(rule, sides, ended=ended, may_volunteer=may_volunteer)
    if condition is True:
        return outcome
    if condition is False:
        return outcome._replace(ok=True, code=Code.WAIVED)
    if outcome.ok is not True:
        return outcome._replace(ok=None, code=Code.EDGE_CONDITION_UNKNOWN)
    return outcome


def _judge_items(
    rule: EdgeRule, sides: Sides, *, ended: bool, may_volunteer: Mapping[str, bool]
) -> EdgeOutcome:
    parent, child = sides.parent, sides.child
    if (
        not rule.per_item
        or child is None
        or not child.instances
        or parent is None
        or parent.instances is None
    ):
        return _judge(rule, sides, ended=ended)
    parents = _by_key(parent)
    outcomes = [
        _judge(
            rule, _instances(rule, parents.get(row.key), row, may_volunteer), ended=ended
        )._replace(item=row.key)
        for row in child.instances
    ]
    return min(outcomes, key=_severity)


def _instances(
    rule: EdgeRule, parent: Row | None, child: Row, may_volunteer: Mapping[str, bool]
) -> Sides:
    parent_fault = (
        None if parent is None else fault_of(parent, may_volunteer=may_volunteer[rule.parent])
    )
    child_fault = fault_of(child, may_volunteer=may_volunteer[rule.child])
    return Sides(parent, child, parent_fault, child_fault)


def _by_key(row: Row) -> Mapping[str | None, Row]:
    return {instance.key: instance for instance in row.instances or ()}


def _severity(outcome: EdgeOutcome) -> int:
    """Rank outcomes so that the one that decides an edge over its items comes first."""
    if outcome.ok is not True:
        return 0 if outcome.ok is False else 1
    return 3 if outcome.code is Code.SAFE else 2


def _judge(rule: EdgeRule, sides: Sides, *, ended: bool) -> EdgeOutcome:
    parent, child = sides.parent, sides.child
    start, start_code = _child_start(sides, ended=ended)
    finish, finish_code = _parent_finish(sides, ended=ended)
    if isinstance(start, int):
        if isinstance(finish, int) and parent is not None and child is not None:
            ok, code = _compare(rule, parent, child, finish, start)
            return EdgeOutcome(rule, ok, code, finish, start)
        if finish is NEVER:
            return EdgeOutcome(rule, False, Code.PARENT_NEVER_FINISHED, finish, start)
        if _proven_open(parent, start):
            return EdgeOutcome(rule, False, Code.PARENT_NOT_FINISHED_YET, finish, start)
        return EdgeOutcome(rule, None, finish_code, finish, start)
    if start is NEVER:
        return EdgeOutcome(rule, True, Code.CHILD_NEVER_STARTED, finish, start)
    return EdgeOutcome(rule, None, start_code, finish, start)


def _child_start(sides: Sides, *, ended: bool) -> tuple[Point, Code]:
    child = sides.child
    if child is None:
        return UNKNOWN, Code.CHILD_START_UNKNOWN
    # A roll-up has left out already what cannot be believed.
    if sides.child_fault is Code.E_BEFORE_S and not child.instances:
        return UNKNOWN, Code.E_BEFORE_S
    if isinstance(child.start, int):
        return child.start, Code.SAFE
    if child.start is NEVER and ended:
        return NEVER, Code.CHILD_NEVER_STARTED
    return UNKNOWN, Code.CHILD_START_UNKNOWN


def _parent_finish(sides: Sides, *, ended: bool) -> tuple[Point, Code]:
    parent = sides.parent
    if parent is None:
        return UNKNOWN, Code.PARENT_FINISH_UNKNOWN
    wrong = sides.parent_fault if parent.contradicted_at is None else Code.CONTRADICTED
    # A roll-up has left out what cannot be believed; the finish it still has is proven.
    if wrong is not None and (not parent.instances or parent.finish is UNKNOWN):
        return UNKNOWN, wrong
    if parent.finish is NEVER and not ended:
        return UNKNOWN, Code.PARENT_FINISH_UNKNOWN
    return parent.finish, Code.PARENT_FINISH_UNKNOWN


def _proven_open(parent: Row | None, start: int) -> bool:
    """Say whether every turn up to the child's start was scanned and none finished the parent."""
    if parent is None or parent.contradicted_at is not None or parent.verdict is Verdict.PASS:
        return False
    if isinstance(parent.finish, int):  # it has one, only it cannot be believed
        return False
    return parent.clear_through is not None and start <= parent.clear_through


def _compare(
    rule: EdgeRule, parent: Row, child: Row, finish: int, start: int
) -> tuple[bool | None, Code]:
    if finish > start:
        return False, Code.STARTED_BEFORE_PARENT_FINISHED
    if finish == start and not rule.same_turn:
        return False, Code.TIE_STRICT
    if parent.revoked_at is not None and parent.revoked_at <= start:
        return False, Code.PARENT_ALREADY_CONTRADICTED
    if parent.verdict is Verdict.UNKNOWN:
        return None, Code.PARENT_VERDICT_UNKNOWN
    return _timing(parent, child, tie=finish == start)


def _timing(parent: Row, child: Row, *, tie: bool) -> tuple[bool | None, Code]:
    """Take back credit where the turn numbers give it but clock or import do not (S13, design 3).

    On one turn the clock has nothing to say: there the child's policy has chosen.
    """
    finished, started = parent.finish_ms, child.start_ms
    if not tie and finished is not None and started is not None and started < finished:
        return None, Code.TIMING_OVERLAP
    if parent.finish_doubts or child.start_doubts:
        return None, Code.ORDER_DOUBTFUL
    return True, Code.TIE_ALLOWED if tie else Code.SAFE
