"""The sentence of every outcome, made from its code and stored integers only (no model, no words of
the call).
"""

from __future__ import annotations

from collections.abc import Mapping

from review.core.predicates.codes import Code, Outcome
from review.core.predicates.decision import Decision, PhaseOutcome
from review.core.predicates.edges import EdgeOutcome
from review.core.rows import Absent, Point

#: Phase id -> its name in words.
Names = Mapping[str, str]

_PHASE_SENTENCES = {
    Code.PASSED: "{phase} is required and passed.",
    Code.NOT_REQUIRED: "{phase} is not required on this branch.",
    Code.NO_ITEMS: "{phase} is not required: the call has no item that it is owed for.",
    Code.BLOCKED: "{phase} is blocked: it would be owed, but {blocker} failed first.",
    Code.REQUIRED_FAILED: "{phase} is required and was not completed in this call.",
    Code.REQUIRED_UNKNOWN: (
        "Whether {phase} is required is not known yet: a fact or row that it depends on is open."
    ),
    Code.ROW_MISSING: "{phase} has no row: nobody has looked for it in this call.",
    Code.VERDICT_UNKNOWN: "{phase} is required and its verdict is open.",
    Code.V0_WITH_FINISH: (
        "{phase} is marked fail but has a finish and no contradiction: correct one of the two."
    ),
    Code.V1_WITHOUT_FINISH: (
        "{phase} is marked pass but has no finish: set the turn on which it was complete."
    ),
    Code.NO_EVIDENCE: (
        "{phase} is marked pass without evidence: select the words or event that show it."
    ),
    Code.E_BEFORE_S: (
        "{phase} finishes before it starts and may not be credited for what was volunteered."
    ),
    Code.CONTRADICTED: (
        "{phase} was contradicted later: a person must say void, revoked or no contradiction."
    ),
    Code.INCOMPLETE_CALL: (
        "{phase} is not complete so far; the call has not been confirmed as ended."
    ),
}

_EDGE_SENTENCES = {
    Code.SAFE: (
        "{parent} finished at turn {finish}, before {child} started at turn {start}: {finish} "
        "{sign} {start}."
    ),
    Code.CHILD_NEVER_STARTED: (
        "{child} never started, so nothing could come before {parent} had finished."
    ),
    Code.STARTED_BEFORE_PARENT_FINISHED: (
        "{child} started at turn {start}, but {parent} first finished at turn {finish}. "
        "The edge {edge} is critical and {policy}: {finish} {sign} {start} is false."
    ),
    Code.PARENT_NEVER_FINISHED: (
        "{child} started at turn {start}, but {parent} never finished in this call. "
        "The edge {edge} is critical: its parent must finish first."
    ),
    Code.PARENT_NOT_FINISHED_YET: (
        "{child} started at turn {start}, and up to that turn {parent} had not finished. "
        "The edge {edge} is violated, whatever follows."
    ),
    Code.PARENT_ALREADY_CONTRADICTED: (
        "{child} started at turn {start}, when {parent} (finished at turn {finish}) had "
        "already been revoked."
    ),
    Code.PARENT_FINISH_UNKNOWN: (
        "{child} started at turn {start}; when {parent} finished is not known."
    ),
    Code.PARENT_VERDICT_UNKNOWN: (
        "{child} started at turn {start} and {parent} seems to finish at turn {finish}, but"
        " its verdict is open."
    ),
    Code.CHILD_START_UNKNOWN: "Whether and when {child} started is not known.",
    Code.TIE_STRICT: (
        "{child} started at turn {start}, the same turn on which {parent} finished. "
        "The edge {edge} is critical and strict: {finish} < {start} is false."
    ),
    Code.TIE_ALLOWED: (
        "{child} started on the turn on which {parent} finished ({finish} <= {start}), as its "
        "policy allows."
    ),
    Code.TIMING_OVERLAP: (
        "By turn numbers {parent} finished first ({finish} < {start}), but the speech of "
        "the two turns overlaps in "
        "time: a person must decide."
    ),
    Code.ORDER_DOUBTFUL: (
        "By turn numbers {parent} finished first ({finish} {sign} {start}), but the import could"
        " not vouch for the order "
        "or the speaker of these turns: a person must decide."
    ),
    Code.WAIVED: "The edge {edge} does not bind on this branch (its condition is false).",
    Code.EDGE_CONDITION_UNKNOWN: (
        "Whether the edge {edge} binds here is not known: its condition reads an open fact."
    ),
    Code.CONTRADICTED: (
        "{parent} was contradicted later, so its finish is not known until a person decides."
    ),
    Code.E_BEFORE_S: (
        "The start and finish of {parent} or {child} contradict each other; correct the row first."
    ),
    Code.V0_WITH_FINISH: (
        "{parent} is marked fail but has a finish: correct the row before the edge can be judged."
    ),
    Code.V1_WITHOUT_FINISH: (
        "{parent} is marked pass but has no finish: set it before the edge can be judged."
    ),
    Code.NO_EVIDENCE: "{parent} has no evidence for its finish, so it cannot be credited.",
}


def named(phase: str, names: Names) -> str:
    """Write a phase as people read it: ``PID (patient identification)``."""
    name = names.get(phase)
    if not name:
        return phase
    # "AI disclosure" keeps its capitals, "Patient identification" loses its first.
    spoken = name if name[1:2].isupper() else name[:1].lower() + name[1:]
    return f"{phase} ({spoken})"


def explain_phase(outcome: PhaseOutcome, names: Names) -> str:
    """Say in one sentence how a phase counts towards Coverage."""
    blocker = named(outcome.blocked_by, names) if outcome.blocked_by else ""
    return _PHASE_SENTENCES[outcome.code].format(phase=named(outcome.phase, names), blocker=blocker)


def explain_edge(outcome: EdgeOutcome, names: Names, *, rationale: str = "") -> str:
    """Say why a critical edge holds, fails or is open; a failing one repeats why the edge is
    critical.
    """
    rule = outcome.rule
    sentence = _EDGE_SENTENCES[outcome.code].format(
        parent=named(rule.parent, names),
        child=named(rule.child, names),
        edge=f"{rule.parent}\u2192{rule.child}",
        finish=_number(outcome.parent_finish),
        start=_number(outcome.child_start),
        sign="<=" if rule.same_turn else "<",
        policy="allows the same turn" if rule.same_turn else "strict",
    )
    if outcome.item:
        sentence = f"For {outcome.item}: {sentence}"
    if outcome.ok is False and rationale:
        sentence = f"{sentence} Why it is critical: {rationale}"
    return sentence


def would_pass(outcome: EdgeOutcome) -> str | None:
    """Name the smallest change that would make a failed edge pass, or None where it did not
    fail.
    """
    if outcome.ok is not False:
        return None
    parent, child = outcome.rule.parent, outcome.rule.child
    if (
        isinstance(outcome.parent_finish, int)
        and outcome.code is not Code.PARENT_ALREADY_CONTRADICTED
    ):
        word = "at or after" if outcome.rule.same_turn else "after"
        return f"start of {child} {word} turn {outcome.parent_finish}"
    if outcome.code is Code.PARENT_ALREADY_CONTRADICTED:
        return f"start of {child} before {parent} was revoked"
    word = "at or before" if outcome.rule.same_turn else "before"
    return f"finish of {parent} {word} turn {_number(outcome.child_start)}"


def explain_call(decision: Decision) -> str:
    """Say in one sentence what the three verdicts amount to."""
    failed = [phase.phase for phase in decision.phases if phase.ok is False]
    unsafe = [
        f"{edge.rule.parent}\u2192{edge.rule.child}" for edge in decision.edges if edge.ok is False
    ]
    if decision.call_success is Outcome.PASS:
        return "Every required phase passed and no critical phase started too early."
    parts = []
    if unsafe:
        parts.append(f"started too early: {', '.join(unsafe)}")
    if failed:
        parts.append(f"required and not completed: {', '.join(failed)}")
    if decision.call_success is Outcome.FAIL:
        return f"The call fails ({'; '.join(parts)})."
    return _undetermined(decision)


def _undetermined(decision: Decision) -> str:
    if Code.VACUOUS in decision.reasons:
        return "Undetermined: nothing was required on this branch, so there is nothing to pass."
    open_phases = [phase.phase for phase in decision.phases if phase.ok is None]
    open_edges = [
        f"{edge.rule.parent}\u2192{edge.rule.child}" for edge in decision.edges if edge.ok is None
    ]
    parts = [f"open: {', '.join(open_phases + open_edges)}"] if open_phases or open_edges else []
    if Code.INCOMPLETE_CALL in decision.reasons:
        parts.append("the call has not been confirmed as ended")
    return f"Undetermined ({'; '.join(parts)}). A person must settle it before sign-off."


def _number(point: Point) -> str:
    return point.value if isinstance(point, Absent) else str(point)
