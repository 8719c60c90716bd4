"""Decide a call anew from its signed rows, by the catalog's own rules, and compare.

| code | what is refused |
| --- | --- |
| E-ROWSET | rows that are not one for each phase of the catalog |
| E-RESULT | Coverage, OrderSafe or CallSuccess that do not follow from the rows |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalogs.core.requirements.expression import Scalar
from oipsce_site.signing.core.refusals import require
from review.core.audit.catalog_content import deciding_inputs
from review.core.predicates.decision import Decision, decide
from review.core.predicates.plan import Plan
from review.core.row_values import row_from_json
from review.core.rows import Row
from review.core.signoff.content import InputKind, scalar_from_json

Inputs = dict[tuple[str, str], Scalar]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a call came out as; `is_derived` says that it was decided anew and not only read."""

    call: str
    coverage: str
    order_safe: str
    call_success: str
    is_derived: bool


def check_verdict(record: Mapping[str, Any], plan: Plan) -> Verdict:
    """Decide a call anew and compare with what its record says. Raises Refused.

    Where the profile keeps an input that a condition reads, the outcome is passed on as it is
    stated.
    """
    call = str(record["call"])
    rows = {row["phase"]: row_from_json(row) for row in record["rows"]}
    whole = set(rows) == {rule.id for rule in plan.phases} and len(rows) == len(record["rows"])
    require(whole, "E-ROWSET", f"{call} has not one row for each phase of its catalog")
    stated = record["outcome"]
    decision, is_derived = decided(record, plan, rows)
    if is_derived:
        own = {
            "coverage": decision.coverage.value,
            "order_safe": decision.order_safe.value,
            "call_success": decision.call_success.value,
        }
        require(own == stated, "E-RESULT", f"{call}: its outcome does not follow from its rows")
    return Verdict(call, is_derived=is_derived, **stated)


def decided(
    record: Mapping[str, Any], plan: Plan, rows: Mapping[str, Row]
) -> tuple[Decision, bool]:
    """Decide a call anew from what its record discloses, and say whether that is all that decides.

    Where a condition reads an input that the profile keeps, it stays unknown.
    """
    known = _opened(record)
    decision = decide(
        plan,
        rows,
        facts=_of(known, InputKind.FACT),
        attributes=_of(known, InputKind.ATTRIBUTE),
        ended=record["ended"],
    )
    return decision, deciding_inputs(plan) & _kept(record, known) == frozenset()


def _opened(record: Mapping[str, Any]) -> Inputs:
    return {
        (one["kind"], one["name"]): scalar_from_json(one["value"])
        for one in record["inputs"]
        if "value" in one
    }


def _kept(record: Mapping[str, Any], known: Inputs) -> frozenset[tuple[str, str]]:
    """Return the inputs that exist and are not opened."""
    return frozenset((one["kind"], one["name"]) for one in record["inputs"]) - frozenset(known)


def _of(known: Inputs, kind: InputKind) -> dict[str, Scalar]:
    return {name: value for (found, name), value in known.items() if found == kind.value}
