"""Deciding random calls many at a time and one by one, and counting what was decided by type."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from review.core.predicates import decide
from review.core.predicates.batch import PlainCall, StoredCall, Verdicts, decide_many, plain_call
from review.core.rows import NEVER, Row, Verdict
from tests.reference.random_calls import random_call
from tests.unit.review.predicates.plain_calls import EVIDENCE, plan_of_plain, row_of_plain

COPIES = 5


@dataclass(frozen=True)
class Round:
    """How many calls were decided, how many of them by their type, and with which outcomes."""

    calls: int
    by_type: int
    outcomes: Counter[str]


def batch_round(*, seed: int, size: int) -> Round:
    """Decide random calls, each with plain copies of its plan, both ways; they must agree."""
    draw = Random(seed)  # noqa: S311 - chooses test cases
    calls = by_type = 0
    outcomes: Counter[str] = Counter()
    while calls < size:
        raw = random_call(draw)
        plan = plan_of_plain(raw)
        stored = [_stored(raw), *(_plain_copy(raw, draw) for _ in range(COPIES))]
        written = [plain_call(plan, one) or one for one in stored]
        for one, verdicts in zip(stored, decide_many(plan, written), strict=True):
            assert verdicts == one_by_one(plan, one), (seed, calls, raw)
            outcomes[verdicts.call_success.value] += 1
        calls += len(stored)
        by_type += sum(isinstance(one, PlainCall) for one in written)
    return Round(calls, by_type, outcomes)


def one_by_one(plan: Any, call: StoredCall) -> Verdicts:
    """Decide a call by itself."""
    found = decide(plan, call.rows, facts=call.facts, attributes=call.attributes, ended=call.ended)
    return Verdicts(
        found.coverage,
        found.order_safe,
        found.call_success,
        tuple(phase.code for phase in found.phases),
        tuple(edge.code for edge in found.edges),
        found.reasons,
    )


def _stored(raw: Any) -> StoredCall:
    rows = {name: row_of_plain(name, one) for name, one in raw["rows"].items()}
    return StoredCall(rows, raw["facts"], raw["attributes"], raw["ended"])


def _plain_copy(raw: Any, draw: Random) -> StoredCall:
    """Fill the plan's rows with turns alone; some have times, which may overlap."""
    timed = draw.random() < 0.5
    rows = {rule["id"]: _plain_row(rule["id"], draw, timed=timed) for rule in raw["phases"]}
    return StoredCall(rows, raw["facts"], raw["attributes"], True)


def _plain_row(name: str, draw: Random, *, timed: bool) -> Row:
    if draw.random() < 0.15:
        return Row(name, NEVER, NEVER, Verdict.FAIL)
    start = draw.randint(0, 6)
    if draw.random() < 0.15:
        return Row(name, start, NEVER, Verdict.FAIL, start_ms=start * 1000 if timed else None)
    finish = start + draw.randint(0, 3)
    return Row(
        name,
        start,
        finish,
        Verdict.PASS,
        EVIDENCE,
        start_ms=start * 1000 if timed else None,
        finish_ms=finish * 1000 + draw.choice((900, 1900)) if timed else None,
    )
