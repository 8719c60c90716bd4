"""From what raters say to what agreement is measured on: rows, and critical edges as decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalogs.core.requirements import Scalar
from review.core.agreement import Rated, RatedCall
from review.core.calibration.rating import Rating
from review.core.predicates import Plan, decide

Edge = tuple[str, str]


def edges_of(
    plan: Plan,
    ratings: Mapping[str, Rating],
    *,
    attributes: Mapping[str, Scalar],
    ended: bool | None,
) -> dict[Edge, bool | None]:
    """Return how each critical edge comes out by one rater's rows: held, violated or open.

    Raters state no facts: an edge whose condition reads one is open. They rate a phase that is owed
    per item as a whole, so its edges compare the call.
    """
    rows = {phase: rating.as_row(phase, "") for phase, rating in ratings.items()}
    whole = Plan(
        tuple(replace(rule, per_item=False) for rule in plan.phases),
        tuple(replace(rule, per_item=False) for rule in plan.order),
        tuple(replace(rule, per_item=False) for rule in plan.edges),
        plan.fact_phases,
    )
    decision = decide(whole, rows, facts={}, attributes=attributes, ended=ended)
    judged = zip(whole.edges, decision.edges, strict=True)
    return {(rule.parent, rule.child): outcome.ok for rule, outcome in judged}


def rated_calls(
    phases: Sequence[str],
    calls: Sequence[Sequence[Mapping[str, Rating]]],
    edges: Sequence[Sequence[Mapping[Edge, bool | None]]],
) -> tuple[RatedCall, ...]:
    """Return the calls of a round as agreement is measured on them, raters in one order."""
    return tuple(
        RatedCall(
            tuple(phases),
            tuple(
                {
                    phase: Rated(one.required, one.start, one.finish, one.verdict)
                    for phase, one in rater.items()
                }
                for rater in raters
            ),
            tuple(outcomes),
        )
        for raters, outcomes in zip(calls, edges, strict=True)
    )
