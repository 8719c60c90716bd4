"""Decide a call once more from what its record discloses, so that sheets show no more than that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.predicates.decision import Decision, decide
from review.core.predicates.plan import Plan
from review.core.row_values import row_from_json
from review.core.signoff.content import InputKind, scalar_from_json


def derive_decision(
    record: Mapping[str, Any], plan: Plan, deciding: frozenset[tuple[str, str]]
) -> Decision | None:
    """Return the decision; None where the record keeps an input that a condition reads."""
    inputs = [one for one in record["inputs"] if (one["kind"], one["name"]) in deciding]
    if not all("value" in one for one in inputs):
        return None
    known: dict[InputKind, dict[str, Any]] = {kind: {} for kind in InputKind}
    for one in inputs:
        known[InputKind(one["kind"])][one["name"]] = scalar_from_json(one["value"])
    return decide(
        plan,
        {row["phase"]: row_from_json(row) for row in record["rows"]},
        facts=known[InputKind.FACT],
        attributes=known[InputKind.ATTRIBUTE],
        ended=record["ended"],
    )
