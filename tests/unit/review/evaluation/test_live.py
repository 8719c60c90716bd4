"""The state of a running call, turn by turn (engine.md 2b): the same engine, no other rules."""

from __future__ import annotations

import pytest

from review.core.evaluation.live import live_state
from tests.golden.judged import judged, raw_case
from tests.unit.review.cascade.small import call, catalog, critical, item, phase, read, said

PID = phase("PID", [said("verify", "agent")], [item("match", said("matches", "rep"))])
CSV = phase(
    "CSV", [said("coverage", "agent")], [item("told", said("active", "rep"))], **critical("PID")
)
EXTRA = phase(
    "EXTRA",
    [said("offer", "agent")],
    [item("made", said("thanks", "rep"))],
    required="optional",
    **critical("PID"),
)


@pytest.mark.parametrize(
    ("turns", "state"),
    [
        ([("agent", "hello")], "open"),
        ([("agent", "verify")], "open"),
        ([("agent", "coverage?")], "violated"),
        ([("agent", "verify"), ("rep", "matches"), ("agent", "coverage?")], "open"),
        (
            [("agent", "verify"), ("rep", "matches"), ("agent", "coverage?"), ("rep", "active")],
            "done",
        ),
    ],
)
def test_state_after_each_turn(turns: list[tuple[str, str]], state: str) -> None:
    filled = read(catalog(PID, CSV, EXTRA), call(*turns, ended=False))
    assert live_state(filled.decision, filled.rows).value == state


def test_what_holds_so_far_can_still_be_violated() -> None:
    optional = {**PID, "required": "optional"}
    always = phase("HELLO", [said("hello", "agent")], [item("said", said("hello", "agent"))])
    filled = read(catalog(optional, always, EXTRA), call(("agent", "hello"), ended=False))
    assert live_state(filled.decision, filled.rows).value == "holds_so_far"


@pytest.mark.parametrize(("until", "state"), [(41, "open"), (42, "violated"), (60, "violated")])
def test_case_b_is_violated_from_the_turn_on_which_it_happens(until: int, state: str) -> None:
    raw = raw_case("case_b_call", ended=False)
    raw["turns"] = [turn for turn in raw["turns"] if turn["n"] <= until]
    raw["events"] = [event for event in raw["events"] if event["turn"] <= until]
    report = judged("benefits_verification", raw).report
    assert report.live == state
    assert report.call_success == ("fail" if state == "violated" else "undetermined")


def test_a_violation_is_proven_before_the_parent_has_finished() -> None:
    filled = read(catalog(PID, CSV), call(("agent", "coverage?"), ended=False))
    edge = filled.decision.edges[0]
    assert (edge.ok, edge.code.value) == (False, "PARENT_NOT_FINISHED_YET")


def test_a_running_call_never_passes() -> None:
    turns = [("agent", "verify"), ("rep", "matches"), ("agent", "coverage?"), ("rep", "active")]
    for ended in (False, None):
        decision = read(catalog(PID, CSV), call(*turns, ended=ended)).decision
        assert decision.call_success.value == "undetermined"
        assert [code.value for code in decision.reasons] == ["INCOMPLETE_CALL"]
