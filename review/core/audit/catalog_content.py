"""From the canonical content of a catalog version back to what decides: its plan.

The content is what the version's digest is over. It was checked when it was published; here its
digest is checked, and whatever cannot be built from it is refused.

| code | what is refused |
| --- | --- |
| E-CATALOG | content that has another digest, or nothing to judge a call by |
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from catalogs.core.document.building import build
from catalogs.core.requirements.expression import free_attributes, free_facts
from oipsce_site.signing.core.plain import read_json
from oipsce_site.signing.core.refusals import Refused, require
from review.core.predicates.plan import Plan, plan_of
from review.core.signoff.content import InputKind


def read_plan(content: bytes, digest: str) -> Plan:
    """Return the plan of a catalog version from its content. Raises Refused."""
    own = hashlib.sha256(content).hexdigest()
    require(own == digest, "E-CATALOG", f"catalog {digest[:12]} has another digest")
    data = read_json(content, f"catalog {digest[:12]}")
    try:
        document, complaints = build(_revived(data), {})
        require(not complaints, "E-CATALOG", f"catalog {digest[:12]} has unreadable conditions")
        require(document.digest == digest, "E-CATALOG", f"catalog {digest[:12]} is not canonical")
        return plan_of(document)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
        raise Refused("E-CATALOG", f"catalog {digest[:12]} cannot be read") from None


def deciding_inputs(plan: Plan) -> frozenset[tuple[str, str]]:
    """Return kind and name of every fact and attribute that a condition of the plan reads."""
    conditions = [*(rule.when for rule in plan.phases), *(rule.when for rule in plan.edges)]
    read = [when for when in conditions if when is not None]
    facts = {(InputKind.FACT.value, name) for when in read for name in free_facts(when)}
    return frozenset(facts) | {
        (InputKind.ATTRIBUTE.value, name) for when in read for name in free_attributes(when)
    }


def _revived(data: Any) -> dict[str, Any]:
    """Give back the kinds that canonical JSON writes as text: dates, and the numbers of grading."""
    if not isinstance(data, dict):
        raise TypeError("a catalog is an object")
    revived = {**data, "status": "published"}
    if isinstance(data.get("effective"), dict):
        revived["effective"] = {
            key: _date(one) if key in ("from", "to") else one
            for key, one in data["effective"].items()
        }
    if isinstance(data.get("defaults"), dict):
        revived["defaults"] = _with_numbers(data["defaults"])
    revived["phases"] = [_with_numbers(phase) for phase in data["phases"]]
    return revived


def _date(one: object) -> object:
    return date.fromisoformat(one) if isinstance(one, str) else one


def _with_numbers(phase: Mapping[str, Any]) -> dict[str, Any]:
    graded = phase.get("graded")
    if not isinstance(graded, dict) or not isinstance(graded.get("tau"), str):
        return dict(phase)
    return {**phase, "graded": {**graded, "tau": Decimal(graded["tau"])}}
