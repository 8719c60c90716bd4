"""The decision: requirements, Coverage, critical edges, OrderSafe. May not import diagnostics, nor
the reverse.
"""

from review.core.predicates.codes import Code, Outcome
from review.core.predicates.decision import Decision, PhaseOutcome, decide
from review.core.predicates.edges import EdgeOutcome
from review.core.predicates.explain import explain_call, explain_edge, explain_phase, would_pass
from review.core.predicates.plan import EdgeRule, PhaseRule, Plan, plan_of

__all__ = [
    "Code",
    "Decision",
    "EdgeOutcome",
    "EdgeRule",
    "Outcome",
    "PhaseOutcome",
    "PhaseRule",
    "Plan",
    "decide",
    "explain_call",
    "explain_edge",
    "explain_phase",
    "plan_of",
    "would_pass",
]
