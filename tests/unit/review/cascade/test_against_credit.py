"""What is not shown is not credited: ways in which a pass was once given too easily.

Each case is a critical edge from PID to CSV that must not come out safe, or a fact or requirement
that must stay open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from review.core.rows import NEVER, UNKNOWN
from review.core.transcript import TurnKind
from tests.unit.review.cascade.small import call, catalog, critical, item, phase, read, said, timed

VERIFY, MATCH = said("verify", "agent"), said("matches", "rep")
COVERAGE = said("coverage", "agent")
WRITE, FORM = {"tool": "order.write"}, {"tool": "form.set"}
PID = phase("PID", [VERIFY], [item("match", MATCH)])
CSV = phase("CSV", [COVERAGE], [item("told", said("active", "rep"))], **critical("PID"))


def edge(document: dict[str, Any], one: Any) -> tuple[bool | None, str]:
    [judged] = read(document, one).decision.edges
    return judged.ok, judged.code.value


class TestInferredStart:
    """A start without an anchor is where the evidence opens, not where it is complete."""

    CHILD = phase("CSV", [said("never said", "agent")], [item("done", WRITE)], **critical("PID"))

    def test_a_tool_call_opens_when_it_is_made(self) -> None:
        parent = phase("PID", [VERIFY], [item("match", {"tool": "crm.match"})])
        events = [
            {"turn": 2, "name": "crm.match", "call_id": "a", "result_turn": 4},
            {"turn": 3, "name": "order.write", "call_id": "b", "result_turn": 5},
        ]
        one = call(*[("agent", "verify")] * 5, events=events)
        assert read(catalog(parent, self.CHILD), one).rows["CSV"].start == 3
        assert edge(catalog(parent, self.CHILD), one) == (False, "STARTED_BEFORE_PARENT_FINISHED")

    def test_an_event_between_two_turns_opens_on_the_earlier(self) -> None:
        events = [{"t": 2.5, "name": "order.write"}]
        one = call(("agent", "verify"), ("rep", "matches"), ("agent", "so"), events=events)
        one = timed(one, (0, 900), (1000, 1900), (3000, 3900))
        assert edge(catalog(PID, self.CHILD), one) == (False, "TIE_STRICT")

    def test_one_that_cannot_be_placed_leaves_the_start_unknown(self) -> None:
        events = [{"t": 2.5, "name": "order.write"}, {"turn": 3, "name": "order.write"}]
        one = call(("agent", "verify"), ("rep", "matches"), ("agent", "so"), events=events)
        assert read(catalog(PID, self.CHILD), one).rows["CSV"].start is UNKNOWN

    def test_a_question_opens_the_phase_and_not_its_answer(self) -> None:
        asked = {"ask": "covered", "by": ["agent"], "answer_by": ["rep"]}
        child = phase("CSV", [said("never said", "agent")], [item("q", asked)], **critical("PID"))
        one = call(("agent", "verify, covered?"), ("rep", "matches"), ("rep", "yes"))
        assert read(catalog(PID, child), one).rows["CSV"].start == 1

    def test_what_the_agent_wrote_itself_opens_a_phase_that_it_cannot_finish(self) -> None:
        middle = phase("CSV", [said("x9", "agent")], [item("told", FORM)], **critical("PID"))
        last = phase("END", [said("x8", "agent")], [item("told", MATCH)], **critical("CSV"))
        events = [{"turn": 1, "name": "form.set"}]
        one = call(("agent", "so"), ("agent", "verify"), ("rep", "matches"), events=events)
        row = read(catalog(PID, middle, last), one).rows["CSV"]
        assert (row.start, row.finish) == (1, NEVER)


class TestAcknowledgement:
    """A gate that asks for acknowledgement is not finished by what nobody took up."""

    GATE = phase("PID", [VERIFY], [item("match", MATCH, ack=[said("you said", "agent")])],
                 ack_required=True)  # fmt: skip

    def test_a_gate_that_was_never_entered_has_nothing_to_acknowledge(self) -> None:
        one = call(("rep", "it matches"), ("agent", "coverage?"))
        assert edge(catalog(self.GATE, CSV), one) == (False, "PARENT_NEVER_FINISHED")

    def test_a_start_that_cannot_be_placed_leaves_it_open(self) -> None:
        gate = {**self.GATE, "starts": [{"tool": "crm.match"}]}
        one = call(
            ("rep", "it matches"), ("agent", "coverage?"), events=[{"t": 1.0, "name": "crm.match"}]
        )
        filled = read(catalog(gate, CSV), one)
        assert filled.rows["PID"].finish is UNKNOWN
        assert "AMBIGUOUS_START" in [flag.code.value for flag in filled.flags["PID"]]

    def test_the_agents_own_event_acknowledges_no_gate(self) -> None:
        gate = phase("PID", [VERIFY], [item("match", MATCH, ack=[FORM])], ack_required=True)
        events = [{"turn": 3, "name": "form.set"}]
        turns = (("rep", "it matches"), ("agent", "verify"), ("agent", "so"), ("agent", "coverage"))
        assert edge(catalog(gate, CSV), call(*turns, events=events))[0] is False


class TestContradiction:
    """Later content reverses a finish also on its own turn, between turns, or without a place."""

    GATE = {**PID, "contradicts": [said("wrong", "rep"), {"ui": "screen.open"}]}

    def contradicted(self, *turns: tuple[str, str], **more: Any) -> int | None:
        times = more.pop("times", None)
        one = call(*turns, **more)
        one = timed(one, *times) if times else one
        return read(catalog(self.GATE, CSV), one).rows["PID"].contradicted_at

    def test_in_the_same_turn_after_the_evidence(self) -> None:
        assert self.contradicted(("agent", "verify"), ("rep", "it matches, no, wrong person")) == 2

    def test_in_the_same_turn_before_the_evidence_it_is_none(self) -> None:
        assert self.contradicted(("agent", "verify"), ("rep", "wrong line? it matches")) is None

    def test_between_the_finish_and_the_next_turn(self) -> None:
        found = self.contradicted(
            ("agent", "verify"), ("rep", "matches"), ("agent", "coverage"),
            events=[{"t": 2.5, "name": "screen.open", "source": "ui"}],
            times=[(0, 900), (1000, 1900), (3000, 3900)],
        )  # fmt: skip
        assert found == 3

    def test_without_a_place(self) -> None:
        found = self.contradicted(
            ("agent", "verify"), ("rep", "matches"),
            events=[{"t": 2.5, "name": "screen.open", "source": "ui"}],
        )  # fmt: skip
        assert found == 2


class TestFacts:
    """An event that may or may not have happened is no "otherwise"."""

    @pytest.mark.parametrize("event", [{"t": 9.5}, {"turn": 2, "ok": None}])
    def test_stays_unknown(self, event: dict[str, Any]) -> None:
        fact = {
            "type": "boolean", "from": "PID", "meaning": "m", "otherwise": False,
            "unknown": "review", "true_if": [{"tool": "crm.match", "ok": True}],
        }  # fmt: skip
        told = item("told", said("active", "rep"))
        owed = phase("CSV", [COVERAGE], [told], required={"when": "restricted"})
        document = catalog({**PID, "facts": ["restricted"]}, owed, facts={"restricted": fact})
        maybe = {"name": "crm.match", **event}
        one = call(("agent", "verify"), ("rep", "it matches"), events=[maybe])
        filled = read(document, one)
        assert filled.facts["restricted"] is None
        assert filled.decision.coverage.value == "undetermined"


class TestUnreadWords:
    """NEVER is said only of a call all of whose words could be read by somebody's role."""

    @pytest.mark.parametrize("kind", ["speech", "ivr", "other"])
    def test_a_turn_without_a_role_of_any_kind_that_speaks(self, kind: str) -> None:
        one = call(("agent", "verify"), ("rep", "matches"), ("nobody", "coverage?"))
        spoken = replace(one.turns[2], role=None, kind=TurnKind(kind))
        one = replace(one, turns=(*one.turns[:2], spoken))
        assert edge(catalog(PID, CSV), one) == (None, "CHILD_START_UNKNOWN")

    @pytest.mark.parametrize("code", ["mixed_speakers_in_segment", "role_collapsed"])
    def test_a_turn_whose_speaker_is_in_doubt(self, code: str) -> None:
        one = call(("agent", "verify"), ("rep", "matches"))
        doubted = replace(one.turns[1], flags=(code,))
        one = replace(one, turns=(one.turns[0], doubted))
        assert edge(catalog(PID, CSV), one)[0] is None

    @pytest.mark.parametrize("code", ["naive_timestamp", "clock_not_shared"])
    def test_a_doubt_about_the_whole_call_blocks_every_credit(self, code: str) -> None:
        one = call(("agent", "verify"), ("rep", "matches"), ("agent", "coverage"))
        assert edge(catalog(PID, CSV), one) == (True, "SAFE")
        assert edge(catalog(PID, CSV), replace(one, flags=(code,))) == (None, "ORDER_DOUBTFUL")


class TestEvents:
    """Events whose record contradicts itself are taken against credit."""

    GATE = phase("PID", [VERIFY], [item("match", {"tool": "crm.match"})])

    def test_a_result_before_its_call_counts_at_the_call(self) -> None:
        events = [{"turn": 4, "name": "crm.match", "result_turn": 1}]
        turns = [("agent", "verify"), ("agent", "coverage"), ("rep", "x"), ("rep", "y")]
        assert edge(catalog(self.GATE, CSV), call(*turns, events=events))[0] is False

    def test_two_events_of_one_id_keep_their_own_places(self) -> None:
        events = [
            {"id": "a", "turn": 1, "name": "order.write"},
            {"id": "a", "turn": 4, "name": "crm.match"},
        ]
        other = phase("ORD", [WRITE], [item("done", WRITE)])
        turns = [("agent", "verify"), ("agent", "coverage"), ("rep", "x"), ("rep", "y")]
        filled = read(catalog(other, self.GATE, CSV), call(*turns, events=events))
        assert filled.rows["PID"].finish == 4


def test_a_child_that_is_owed_for_nothing_may_still_start_too_early() -> None:
    child = {**CSV, "for_each": "call.drugs"}
    one = call(("agent", "coverage?"), ("agent", "verify"), ("rep", "matches"),
               attributes={"drugs": []})  # fmt: skip
    filled = read(catalog(PID, child), one)
    assert filled.decision.edges[0].ok is False
    codes = {outcome.phase: outcome.code.value for outcome in filled.decision.phases}
    assert codes["CSV"] == "NO_ITEMS"
