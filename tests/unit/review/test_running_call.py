"""A running call, told in parts, is judged as its file would be if it ended there."""

from __future__ import annotations

from typing import Any

import pytest

from review.core.evaluation import Report, judge_call
from review.core.evaluation.running import RunningCall, violations_of
from review.core.parsers.oip_call import parse_value
from review.core.transcript import RefusedInput
from review.core.transcript.neutral.growing import GrowingCall, whole_call
from tests.golden.judged import cascade_of, raw_case

CASES = {
    "case_b_call": "benefits_verification",
    "case_a_respiratory": "respiratory_history",
    "case_micro": "micro",
}
_HEAD = ("format", "id", "title", "call", "speakers", "started_at", "language")


def told(name: str, sizes: tuple[int, ...]) -> tuple[RunningCall, dict[str, Any], list[Any]]:
    """Tell a shipped case in parts of these sizes in turn, each event with its turn."""
    raw = raw_case(name)
    head = {key: raw[key] for key in _HEAD if key in raw}
    running = RunningCall(GrowingCall(head, where="x"), cascade_of(CASES[name]), {})
    turns, events, parts, at, step = raw["turns"], raw.get("events", []), [], 0, 0
    while at < len(turns):
        some = turns[at : at + sizes[step % len(sizes)]]
        numbers = {turn["n"] for turn in some}
        part = {"turns": some, "events": [one for one in events if one.get("turn") in numbers]}
        running.add(part)
        running.judge()
        parts.append(part)
        at, step = at + len(some), step + 1
    return running, head, parts


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("sizes", [(1,), (7, 1, 3), (1000,)])
def test_told_in_any_parts_it_is_judged_as_its_file(name: str, sizes: tuple[int, ...]) -> None:
    running, head, parts = told(name, sizes)
    call, _ = parse_value(whole_call(head, parts, ended=False), where="x")
    assert call is not None
    whole = judge_call(call, cascade_of(CASES[name])).report
    assert decided(running.judge()) == decided(whole)
    assert running.unread == ()


def decided(report: Report | None) -> tuple[object, ...]:
    """Return what a report says, without what is said of the import."""
    assert report is not None
    return (report.live, report.rows, report.facts, report.edges, report.summary)


def test_only_critical_edges_that_are_proven_violated_are_told_each_once() -> None:
    running, _, _ = told("case_b_call", (1,))
    report = running.judge()
    assert report is not None
    [one] = violations_of(report)
    assert (one.parent, one.child, one.parent_finish, one.child_start) == ("PID", "CSV", 52, 42)
    assert report.live == "violated"


def test_a_part_that_is_refused_leaves_the_call_as_it_was() -> None:
    running, _, _ = told("case_micro", (2,))
    before = running.judge()
    last = running.growing.last_turn
    parts: list[dict[str, Any]] = [
        {"turns": [{"n": last, "speaker": "agent", "text": "x"}]},
        {"events": [{}]},
    ]
    for part in parts:
        with pytest.raises(RefusedInput):
            running.add(part)
    assert (running.judge(), running.growing.last_turn) == (before, last)


def test_words_of_a_speaker_without_a_confirmed_role_prove_nothing() -> None:
    raw = raw_case("case_micro")
    head = {"id": "x", "call": raw["call"], "speakers": {"doctor": {}, "patient": {}}}
    turns = [
        {**turn, "speaker": turn["speaker"].replace("agent", "doctor")} for turn in raw["turns"]
    ]
    running = RunningCall(GrowingCall(head, where="x"), cascade_of("micro"), {})
    running.add({"turns": turns})
    report = running.judge()
    assert report is not None
    assert violations_of(report) == ()
    assert "doctor" in running.unread
