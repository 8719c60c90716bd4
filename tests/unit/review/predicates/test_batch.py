"""Many calls at once come out as one by one, verdict and code; plain ones by their order type."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from catalogs.core.requirements import parse
from review.core.predicates import Code, EdgeRule, Outcome, PhaseRule, Plan
from review.core.predicates.batch import FAR, PlainCall, StoredCall, decide_many, plain_call
from review.core.rows import NEVER, UNKNOWN, Evidence, Row, Verdict
from tests.unit.review.predicates.batching import batch_round, one_by_one

PHASES = (PhaseRule("PID", True, None, False), PhaseRule("CSV", True, None, True))
PLAN = Plan(PHASES, PHASES, (EdgeRule("PID", "CSV", False, False),), {})
SHOWN = (Evidence("item", 1, 0, 1, "x"),)

#: id, starts, finishes, passed, starts_ms, finishes_ms, CallSuccess, the edge's code
TYPES: tuple[tuple[Any, ...], ...] = (
    ("safe", [1, 3], [2, 4], [1, 1], [], [], Outcome.PASS, Code.SAFE),
    ("too-early", [1, 1], [2, 4], [1, 1], [], [], Outcome.FAIL,
     Code.STARTED_BEFORE_PARENT_FINISHED),
    ("tie", [1, 2], [2, 4], [1, 1], [], [], Outcome.FAIL, Code.TIE_STRICT),
    ("parent-never", [1, 2], [FAR, 4], [0, 1], [], [], Outcome.FAIL, Code.PARENT_NEVER_FINISHED),
    ("child-never", [1, FAR], [2, FAR], [1, 0], [], [], Outcome.FAIL, Code.CHILD_NEVER_STARTED),
    ("overlap", [1, 3], [2, 4], [1, 1], [0, 1500], [1600, 3000], Outcome.UNDETERMINED,
     Code.TIMING_OVERLAP),
    ("no-overlap", [1, 3], [2, 4], [1, 1], [0, 1600], [1600, 3000], Outcome.PASS, Code.SAFE),
    ("fail-with-finish", [1, 3], [2, 4], [0, 1], [], [], Outcome.UNDETERMINED,
     Code.V0_WITH_FINISH),
    ("pass-without-finish", [1, 3], [FAR, 4], [1, 1], [], [], Outcome.UNDETERMINED,
     Code.V1_WITHOUT_FINISH),
    ("finish-before-start", [3, 4], [2, 5], [1, 1], [], [], Outcome.UNDETERMINED,
     Code.E_BEFORE_S),
)  # fmt: skip


@pytest.mark.parametrize("case", TYPES, ids=[case[0] for case in TYPES])
def test_an_order_type_has_its_outcome_and_code(case: tuple[Any, ...]) -> None:
    _, starts, finishes, passed, starts_ms, finishes_ms, outcome, code = case
    call = PlainCall(starts, finishes, passed, {}, {}, starts_ms, finishes_ms)
    [found] = decide_many(PLAN, [call])
    assert (found.call_success, found.edges) == (outcome, (code,))


def test_calls_keep_their_order_and_types_do_not_mix() -> None:
    safe, early = PlainCall([1, 3], [2, 4], [1, 1]), PlainCall([1, 1], [2, 4], [1, 1])
    found = decide_many(PLAN, [safe, early, safe, early])
    assert [one.call_success.value for one in found] == ["pass", "fail", "pass", "fail"]


@pytest.mark.parametrize(
    "changes",
    [
        {"volunteered": True},
        {"revoked_at": 9},
        {"contradicted_at": 9},
        {"start_doubts": ("out_of_order",)},
        {"finish_doubts": ("out_of_order",)},
        {"verdict": Verdict.UNKNOWN},
        {"start": UNKNOWN},
        {"finish": UNKNOWN},
        {"instances": ()},
        {"evidence": ()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_row_that_says_more_than_turns_is_not_plain(changes: dict[str, object]) -> None:
    rows = {
        "PID": Row("PID", 1, 2, Verdict.PASS, SHOWN),
        "CSV": Row("CSV", NEVER, NEVER, Verdict.FAIL),
    }
    assert plain_call(PLAN, StoredCall(rows, {}, {}, True)) is not None
    odd = {**rows, "PID": rows["PID"]._replace(**changes)}  # type: ignore[arg-type]
    assert plain_call(PLAN, StoredCall(odd, {}, {}, True)) is None


def test_a_running_call_and_one_without_a_row_are_not_plain() -> None:
    rows = {phase: Row(phase, 1, 2, Verdict.PASS, SHOWN) for phase in ("PID", "CSV")}
    assert plain_call(PLAN, StoredCall(rows, {}, {}, None)) is None
    assert plain_call(PLAN, StoredCall({"PID": rows["PID"]}, {}, {}, True)) is None


def test_random_calls_come_out_as_one_by_one() -> None:
    found = batch_round(seed=3, size=600)
    assert found.by_type >= found.calls * 0.2
    assert min(found.outcomes.values()) >= found.calls * 0.05


def _as_stored(call: PlainCall) -> StoredCall:
    """Write a call in columns as rows, without a word of the product's own way to do so."""
    points = [[NEVER if turn == FAR else turn for turn in column] for column in call[:2]]
    rows = {
        rule.id: Row(
            rule.id,
            points[0][at],
            points[1][at],
            Verdict.PASS if call.passed[at] else Verdict.FAIL,
            SHOWN,
            start_ms=call.starts_ms[at] if call.starts_ms else None,
            finish_ms=call.finishes_ms[at] if call.finishes_ms else None,
        )
        for at, rule in enumerate(PHASES)
    }
    return StoredCall(rows, call.facts, call.attributes, True)


TURNS = (0, 1, 2, FAR)
UNTIMED = [
    PlainCall([first, second], [third, fourth], [one, two])
    for first, second, third, fourth in product(TURNS, repeat=4)
    for one, two in product((0, 1), repeat=2)
]
TIMED = [
    PlainCall([0, 2], [1, 3], [1, 1], {}, {}, [None, start], [finish, None])
    for start, finish in product((None, 0, 1, 2), repeat=2)
]


@pytest.mark.parametrize("calls", [UNTIMED, UNTIMED[::-1], TIMED, [*TIMED[::-1], *UNTIMED]])
def test_no_two_types_are_taken_for_one(calls: list[PlainCall]) -> None:
    found = decide_many(PLAN, calls)
    assert found == [one_by_one(PLAN, _as_stored(call)) for call in calls]


def test_a_type_includes_the_facts_and_attributes_that_the_plan_reads() -> None:
    when = parse("restricted or call.kind = 'drug'")
    phases = (PHASES[0], PhaseRule("CSV", False, when, True))
    plan = Plan(phases, phases, PLAN.edges, {"restricted": "PID"})
    given = [(fact, kind) for fact in (True, False, None) for kind in ("drug", "scan", None)]
    calls = [
        PlainCall([1, FAR], [2, FAR], [1, 0], {"restricted": fact}, {"kind": kind})
        for fact, kind in given
    ]
    found = [one.phases[1].value for one in decide_many(plan, calls)]
    assert found == [
        "REQUIRED_FAILED", "REQUIRED_FAILED", "REQUIRED_FAILED",
        "REQUIRED_FAILED", "NOT_REQUIRED", "REQUIRED_UNKNOWN",
        "REQUIRED_FAILED", "REQUIRED_UNKNOWN", "REQUIRED_UNKNOWN",
    ]  # fmt: skip
