"""Which phases are owed on this branch, in three-valued logic, and why not where they are not
(S17-S19).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from catalogs.core.requirements.evaluation import evaluate
from catalogs.core.requirements.expression import Expression, PhaseState, Scalar
from review.core.predicates.codes import Code
from review.core.predicates.plan import ALWAYS, OPTIONAL, PhaseRule, Plan, Required
from review.core.predicates.validity import fault_of
from review.core.rows import NEVER, Row, Verdict

_MISSING = Code.ROW_MISSING


class Evidenced(NamedTuple):
    """Everything a requirement may read: rows, their faults, facts, attributes and whether the call
    has ended.
    """

    rows: Mapping[str, Row]
    faults: Mapping[str, Code | None]
    facts: Mapping[str, Scalar]
    attributes: Mapping[str, Scalar]
    ended: bool


def faults_of(plan: Plan, rows: Mapping[str, Row]) -> dict[str, Code | None]:
    """Return the fault of every phase's row; a phase without a row is ROW_MISSING."""
    return {
        phase: fault_of(rows[phase], may_volunteer=may_volunteer) if phase in rows else _MISSING
        for phase, may_volunteer in plan.may_volunteer.items()
    }


def required_phases(plan: Plan, seen: Evidenced) -> Mapping[str, Required]:
    """Decide for every phase whether it is owed, each after the phases its requirement reads."""
    if not plan.conditional:
        return plan.fixed
    owed = dict(plan.fixed)
    for rule in plan.conditional:
        owed[rule.id] = _required(rule, plan, seen, owed)
    return owed


def holds(expression: Expression, seen: Evidenced, owed: Mapping[str, Required]) -> bool | None:
    """Evaluate an edge's or a phase's condition over the rows, facts and attributes of the call."""
    return evaluate(
        expression,
        phase_state=lambda phase, state: _state(phase, state, seen, owed),
        fact=seen.facts.get,
        attribute=seen.attributes.get,
    )


def _required(
    rule: PhaseRule, plan: Plan, seen: Evidenced, owed: Mapping[str, Required]
) -> Required:
    row = seen.rows.get(rule.id)
    if not rule.per_item or row is None or row.instances != ():
        return _on_branch(rule, plan, seen, owed)
    if row.finish is NEVER:
        return Required(False, Code.NO_ITEMS)
    found = _on_branch(rule, plan, seen, owed)
    return found if found.owed is False else Required(None, Code.REQUIRED_UNKNOWN)


def _on_branch(
    rule: PhaseRule, plan: Plan, seen: Evidenced, owed: Mapping[str, Required]
) -> Required:
    if rule.when is None:
        return ALWAYS if rule.always else OPTIONAL
    value = holds(rule.when, seen, owed)
    if value is None:
        return Required(None, Code.REQUIRED_UNKNOWN)
    if value:
        return ALWAYS
    blocker = _blocker(rule.when, plan.reads[rule.id], plan, seen, owed)
    return Required(False, Code.BLOCKED, blocker) if blocker else OPTIONAL


def _blocker(
    when: Expression,
    reads: tuple[str, ...],
    plan: Plan,
    seen: Evidenced,
    owed: Mapping[str, Required],
) -> str | None:
    """Name the earliest owed phase whose failure switched this one off, or None where the branch
    itself did (S19).

    The requirement is asked again as if every owed phase that failed had passed and its facts were
    unknown.
    """
    failed = {
        phase
        for phase in reads
        if (owed[phase].owed or owed[phase].blocked_by)
        and _state(phase, PhaseState.PASSED, seen, owed) is False
    }
    if not failed:
        return None
    again = evaluate(
        when,
        phase_state=lambda phase, state: (
            state is not PhaseState.FAILED if phase in failed else _state(phase, state, seen, owed)
        ),
        fact=lambda name: None if plan.fact_phases.get(name) in failed else seen.facts.get(name),
        attribute=seen.attributes.get,
    )
    if again is False:
        return None
    first = next(rule.id for rule in plan.phases if rule.id in failed)
    return owed[first].blocked_by or first


def _state(
    phase: str, state: PhaseState, seen: Evidenced, owed: Mapping[str, Required]
) -> bool | None:
    if state is PhaseState.REQUIRED:
        return owed[phase].owed
    row = seen.rows.get(phase)
    return None if row is None else _READERS[state](row, seen.faults[phase], seen.ended)


def _passed(row: Row, fault: Code | None, ended: bool) -> bool | None:
    if fault is not None or row.contradicted_at is not None or row.verdict is Verdict.UNKNOWN:
        return None
    if row.verdict is Verdict.PASS:
        return True
    return False if ended else None


def _started(row: Row, fault: Code | None, ended: bool) -> bool | None:
    if fault is Code.E_BEFORE_S:  # the only fault that leaves the start in doubt
        return None
    if isinstance(row.start, int):
        return True
    return False if row.start is NEVER and ended else None


def _finished(row: Row, fault: Code | None, ended: bool) -> bool | None:
    # A roll-up has left out what cannot be believed; the finish it still has is proven.
    if not row.instances and (fault is not None or row.contradicted_at is not None):
        return None
    if isinstance(row.finish, int):
        return True
    return False if row.finish is NEVER and ended else None


def _failed(row: Row, fault: Code | None, ended: bool) -> bool | None:
    """Entered and not passed; one of the two is enough to deny it."""
    passed, started = _passed(row, fault, ended), _started(row, fault, ended)
    if passed is True or started is False:
        return False
    return None if passed is None or started is None else True


_READERS: dict[PhaseState, Callable[[Row, Code | None, bool], bool | None]] = {
    PhaseState.PASSED: _passed,
    PhaseState.STARTED: _started,
    PhaseState.FINISHED: _finished,
    PhaseState.FAILED: _failed,
}
