"""Coverage, OrderSafe and CallSuccess in one pass over phases and critical edges: O(|O| + |E|).

Coverage = for all phases: not required, or passed. OrderSafe = all critical edges OK. CallSuccess =
both. A proven fail stays a fail; anything unknown otherwise is UNDETERMINED and can never be read
as a pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from catalogs.core.requirements.expression import Scalar
from review.core.predicates.codes import Code, Outcome
from review.core.predicates.edges import EdgeOutcome, Sides, judge_edge, plain_outcome
from review.core.predicates.plan import ALWAYS, EdgeRule, Plan, Required
from review.core.predicates.requirement import (
    Evidenced,
    faults_of,
    holds,
    required_phases,
)
from review.core.predicates.validity import believed
from review.core.rows import Row, Verdict

_PASS = Verdict.PASS  # bound once: a look-up of an enum member goes through its metaclass


class PhaseOutcome(NamedTuple):
    """One phase's term of Coverage: True, False or None, with its code. `fault` makes the row
    unusable.
    """

    phase: str
    required: bool | None
    ok: bool | None
    code: Code
    blocked_by: str | None
    fault: Code | None


class Decision(NamedTuple):
    """The verdict of a call. `reasons` are the codes that kept Coverage or CallSuccess from
    passing.
    """

    coverage: Outcome
    order_safe: Outcome
    call_success: Outcome
    phases: tuple[PhaseOutcome, ...]
    edges: tuple[EdgeOutcome, ...]
    reasons: tuple[Code, ...]


def decide(
    plan: Plan,
    rows: Mapping[str, Row],
    *,
    facts: Mapping[str, Scalar],
    attributes: Mapping[str, Scalar],
    ended: bool | None,
) -> Decision:
    """Judge a call by its rows. Source: paper, equations (1) and (2); design 1.2 and 1.3.

    `facts` and `attributes` map names to values, None where unknown; `attributes` go without the
    ``call.`` prefix. `ended` None or False: no phase is proven missing, and the call cannot pass
    yet.
    """
    done = ended is True
    if plan.per_item:
        rows = _believed(plan, rows, ended=done)
    faults = faults_of(plan, rows)
    seen = Evidenced(rows, faults, facts, attributes, done)
    owed = required_phases(plan, seen)
    phases = tuple(
        [
            passed(phase)
            if faults[phase] is None
            and owed[phase] is ALWAYS
            and rows[phase].verdict is _PASS
            and rows[phase].contradicted_at is None
            else _phase_outcome(phase, owed[phase], seen)
            for phase in plan.may_volunteer
        ]
    )
    edges = tuple(
        [
            plain_outcome(rule, rows, faults) or _edge_outcome(rule, plan, seen, owed)
            for rule in plan.edges
        ]
    )
    coverage, reasons = _coverage(phases, ended=done)
    order_safe = _conjunction([edge.ok for edge in edges])
    call_success = _both(coverage, order_safe)
    return Decision(coverage, order_safe, call_success, phases, edges, reasons)


def _believed(plan: Plan, rows: Mapping[str, Row], *, ended: bool) -> Mapping[str, Row]:
    rolled_up = {
        phase: believed(row, may_volunteer=plan.may_volunteer[phase], ended=ended)
        for phase, row in rows.items()
        if row.instances and phase in plan.may_volunteer
    }
    return {**rows, **rolled_up} if rolled_up else rows


def _phase_outcome(phase: str, owed: Required, seen: Evidenced) -> PhaseOutcome:
    fault = seen.faults[phase]
    if owed.owed is False:
        return PhaseOutcome(phase, False, True, owed.code, owed.blocked_by, fault)
    ok, code = _term(seen.rows.get(phase), fault, ended=seen.ended)
    if owed.owed is None and ok is not True:
        ok, code = None, Code.REQUIRED_UNKNOWN
    return PhaseOutcome(phase, owed.owed, ok, code, None, fault)


@cache
def passed(phase: str) -> PhaseOutcome:
    """Return the outcome of a phase that is owed and passed: the commonest, made once."""
    return PhaseOutcome(phase, True, True, Code.PASSED, None, None)


def _term(row: Row | None, fault: Code | None, *, ended: bool) -> tuple[bool | None, Code]:
    if row is None:
        return None, Code.ROW_MISSING
    if row.contradicted_at is not None:
        return None, Code.CONTRADICTED
    if fault is not None:
        return None, fault
    if row.verdict is Verdict.PASS:
        return True, Code.PASSED
    if row.verdict is Verdict.UNKNOWN:
        return None, Code.VERDICT_UNKNOWN
    return (False, Code.REQUIRED_FAILED) if ended else (None, Code.INCOMPLETE_CALL)


def _edge_outcome(
    rule: EdgeRule, plan: Plan, seen: Evidenced, owed: Mapping[str, Required]
) -> EdgeOutcome:
    parent, child = rule.parent, rule.child
    rows, faults = seen.rows, seen.faults
    return judge_edge(
        rule,
        Sides(rows.get(parent), rows.get(child), faults[parent], faults[child]),
        condition=True if rule.when is None else holds(rule.when, seen, owed),
        ended=seen.ended,
        may_volunteer=plan.may_volunteer,
    )


def _coverage(phases: tuple[PhaseOutcome, ...], *, ended: bool) -> tuple[Outcome, tuple[Code, ...]]:
    """Fold the terms; nothing surely owed (S24) and a call that has not ended (S25) are
    undetermined, never a pass.
    """
    terms = [phase.ok for phase in phases]
    if False in terms or None in terms:
        outcome = _conjunction(terms)
        reasons = dict.fromkeys([phase.code for phase in phases if phase.ok is not True])
    elif True in [phase.required for phase in phases]:
        outcome, reasons = Outcome.PASS, {}
    else:
        outcome, reasons = Outcome.UNDETERMINED, {Code.VACUOUS: None}
    if not ended and outcome is not Outcome.FAIL:
        outcome = Outcome.UNDETERMINED
        reasons = reasons | {Code.INCOMPLETE_CALL: None}
    return outcome, tuple(reasons)


def _conjunction(terms: list[bool | None]) -> Outcome:
    if False in terms:
        return Outcome.FAIL
    return Outcome.UNDETERMINED if None in terms else Outcome.PASS


def _both(coverage: Outcome, order_safe: Outcome) -> Outcome:
    if coverage is Outcome.FAIL or order_safe is Outcome.FAIL:
        return Outcome.FAIL
    return order_safe if coverage is Outcome.PASS else coverage
