"""Judging random calls by the product and by the reference, and naming every difference."""

from collections import Counter
from random import Random
from typing import Any

from review.core.predicates import Decision
from tests.reference.decision_reference import decide as by_reference
from tests.reference.random_calls import random_call
from tests.unit.review.predicates.plain_calls import decide_plain

NOT_OWED = {"NOT_REQUIRED", "BLOCKED", "NO_ITEMS"}


def compare_round(*, seed: int, size: int) -> Counter[str]:
    """Compare `size` random calls; return how often each CallSuccess was drawn."""
    draw = Random(seed)  # noqa: S311 - chooses test cases
    seen: Counter[str] = Counter()
    for number in range(size):
        call = random_call(draw)
        expected, decision = by_reference(call), decide_plain(call)
        assert differences(expected, decision) == [], (seed, number, call)
        seen[decision.call_success.value] += 1
    return seen


def differences(expected: dict[str, Any], decision: Decision) -> list[str]:
    """Name everything on which the two disagree."""
    found = [
        f"{name}: {expected[name]} but {getattr(decision, name).value}"
        for name in ("coverage", "order_safe", "call_success")
        if expected[name] != getattr(decision, name).value
    ]
    for phase in decision.phases:
        ok, code = expected["terms"][phase.phase]
        owed = expected["required"][phase.phase]
        codes = NOT_OWED if owed is False else {code} if code else {phase.code.value}
        if (owed, ok) != (phase.required, phase.ok) or phase.code.value not in codes:
            found.append(f"{phase.phase}: {owed} {ok} {code} but {phase}")
    for (ok, codes), edge in zip(expected["edges"], decision.edges, strict=True):
        hidden = None in codes
        if ok is not edge.ok or (edge.code.value not in codes and not hidden):
            found.append(f"{edge.rule.parent}-{edge.rule.child}: {ok} {codes} but {edge}")
    return found
