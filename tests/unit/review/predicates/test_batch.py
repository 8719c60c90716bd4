"""Many calls at once come out as one by one, verdict and code; plain ones by their order type."""

from __future__ import annotations

from typing import Any

import pytest

from review.core.predicates import Code, EdgeRule, Outcome, PhaseRule, Plan
from review.core.predicates.batch import FAR, PlainCall, StoredCall, decide_many, plain_call
from review.core.rows import NEVER, UNKNOWN, Evidence, Row, Verdict
from tests.unit.review.predicates.batching import batch_round

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
