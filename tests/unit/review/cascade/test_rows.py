"""Where a row's start and finish come from, and what is not credited (design 1.3)."""

from __future__ import annotations

from typing import Any

import pytest

from review.core.rows import NEVER, UNKNOWN, SeenMode, Verdict
from tests.unit.review.cascade.small import call, catalog, critical, item, phase, read, said, timed

ASK = said("(?i)verify", "agent")
YES = said("(?i)matches", "rep")
ASKED = {"ask": "(?i)date of birth", "by": ["agent"], "answer_by": ["rep"]}
PID = phase("PID", [ASK], [item("match", YES)])


def row(document: dict[str, Any], one: Any, name: str = "PID") -> Any:
    return read(document, one).rows[name]


def test_the_earliest_start_counts_and_later_attempts_are_kept() -> None:
    found = row(
        catalog(PID),
        call(("agent", "Let me verify."), ("agent", "Verify again."), ("rep", "It matches.")),
    )
    assert (found.start, found.finish, found.verdict) == (1, 3, Verdict.PASS)
    assert [attempt.turn for attempt in found.attempts] == [1, 2]


def test_turn_zero_is_a_start_like_any_other() -> None:
    one = call(("agent", "Verify."), ("rep", "It matches."), turn_base=0, turns=[
        {"n": 0, "speaker": "agent", "kind": "speech", "text": "Verify."},
        {"n": 1, "speaker": "rep", "kind": "speech", "text": "It matches."},
    ])  # fmt: skip
    assert (row(catalog(PID), one).start, row(catalog(PID), one).finish) == (0, 1)


def test_the_wrong_speaker_finishes_nothing() -> None:
    found = row(catalog(PID), call(("agent", "Verify: it matches."), ("rep", "Hm.")))
    assert (found.start, found.finish, found.verdict) == (1, NEVER, Verdict.FAIL)


def test_words_that_an_unless_pattern_finds_do_not_count() -> None:
    guarded = phase("PID", [ASK], [item("match", {**YES, "unless": "(?i)old"})])
    found = row(catalog(guarded), call(("agent", "Verify."), ("rep", "The old one matches.")))
    assert found.finish is NEVER


class TestVolunteered:
    """Content before the phase was entered (paper, third convention)."""

    CALL = (("rep", "It matches."), ("agent", "Verify please."), ("rep", "Done."))

    def test_counts_at_its_own_turn_and_marks_the_row(self) -> None:
        found = row(catalog(PID), call(*self.CALL))
        assert (found.start, found.finish, found.volunteered) == (2, 1, True)

    def test_does_not_count_where_acknowledgement_is_required(self) -> None:
        strict = phase("PID", [ASK], [item("match", YES)], ack_required=True)
        found = row(catalog(strict), call(*self.CALL))
        assert (found.finish, found.unacknowledged) == (NEVER, ("match",))

    def test_counts_from_the_first_acknowledgement_in_the_phase(self) -> None:
        ack = [said("(?i)you said", "agent")]
        strict = phase("PID", [ASK], [item("match", YES, ack=ack)], ack_required=True)
        found = row(
            catalog(strict),
            call(
                ("rep", "It matches."),
                ("agent", "Verify."),
                ("agent", "You said so."),
                ("rep", "-"),
            ),
        )
        assert (found.start, found.finish, found.volunteered) == (2, 3, False)
        assert found.items[0].acknowledged is True

    def test_is_acknowledged_item_by_item(self) -> None:
        ack = [said("(?i)you said", "agent")]
        both = [item("match", YES, ack=ack), item("name", said("(?i)i am", "rep"))]
        strict = phase("PID", [ASK], both, ack_required=True)
        found = row(
            catalog(strict),
            call(("rep", "It matches, I am Bo."), ("agent", "Verify."), ("agent", "You said so.")),
        )
        assert [state.met for state in found.items] == [True, False]
        assert found.finish is NEVER

    def test_is_refused_by_a_written_policy(self) -> None:
        policy = {"accept": False, "rationale": "Only what was asked for counts here."}
        found = row(
            catalog(phase("PID", [ASK], [item("match", YES)], volunteered=policy)),
            call(*self.CALL),
        )
        assert found.finish is NEVER


@pytest.mark.parametrize(
    ("mode", "turns", "finish", "seen"),
    [
        ("either", [("agent", "verify: it"), ("rep", "matches")], 2, SeenMode.PROCEDURAL),
        ("either", [("rep", "it matches, verify")], 1, SeenMode.INFORMATIONAL),
        ("procedural", [("rep", "it matches"), ("agent", "verify"), ("rep", "so")], NEVER, None),
        ("procedural", [("agent", "verify"), ("rep", "matches")], 2, SeenMode.PROCEDURAL),
        ("informational", [("rep", "it matches"), ("agent", "verify")], 1, SeenMode.INFORMATIONAL),
    ],
)
def test_asked_and_answered_or_merely_appeared(
    mode: str, turns: list[tuple[str, str]], finish: object, seen: SeenMode | None
) -> None:
    found = row(catalog(phase("PID", [ASK], [item("match", YES)], mode=mode)), call(*turns))
    assert (found.finish, found.mode) == (finish, seen)


@pytest.mark.parametrize(
    ("starts_on", "turns", "start"),
    [
        ("ask", [("agent", "date of birth?"), ("rep", "May.")], 1),
        ("either", [("agent", "date of birth?"), ("rep", "May.")], 1),
        ("answer", [("agent", "date of birth?"), ("rep", "May.")], 2),
        ("ask", [("agent", "date of birth?"), ("agent", "Hello?")], 1),
        ("answer", [("agent", "date of birth?"), ("agent", "Hello?")], NEVER),
    ],
)
def test_the_question_or_the_answer_enters_the_phase(
    starts_on: str, turns: list[tuple[str, str]], start: object
) -> None:
    asked = phase("PID", [ASKED], [item("match", YES)], starts_on=starts_on)
    assert row(catalog(asked), call(*turns)).start == start


@pytest.mark.parametrize(
    ("turns", "finish"),
    [
        ([("agent", "date of birth?"), ("rep", "May.")], 2),
        (
            [
                ("agent", "date of birth?"),
                ("agent", "Please."),
                ("agent", "Well?"),
                ("rep", "May."),
            ],
            4,
        ),
        ([("agent", "date of birth?"), *[("agent", "Hm.")] * 3, ("rep", "May.")], NEVER),
        ([("agent", "date of birth?"), ("rep", "  ")], NEVER),
    ],
)
def test_an_answer_is_the_first_turn_of_an_answering_role_within_three(
    turns: list[tuple[str, str]], finish: object
) -> None:
    assert row(catalog(phase("PID", [ASK], [item("dob", ASKED)])), call(*turns)).finish == finish


@pytest.mark.parametrize(
    ("turns", "finish"),
    [
        ([("agent", "date of birth?"), ("rep", "Sorry, you are breaking up.")], NEVER),
        ([("agent", "date of birth?"), ("rep", "Hold on."), ("rep", "May first.")], 3),
        ([("agent", "date of birth?"), ("rep", "May first, hold on.")], NEVER),
        ([("agent", "date of birth?"), ("agent", "Hold on."), ("rep", "May first.")], 3),
    ],
)
def test_words_that_are_no_answer_are_passed_over(
    turns: list[tuple[str, str]], finish: object
) -> None:
    excused = {**ASKED, "answer_unless": "(?i)breaking up|hold on"}
    found = row(catalog(phase("PID", [ASK], [item("dob", excused)])), call(*turns))
    assert found.finish == finish


def test_a_start_without_an_anchor_is_inferred_from_the_first_evidence_and_marked() -> None:
    both = [item("match", YES), item("name", said("(?i)i am", "rep"))]
    found = row(catalog(phase("PID", [ASK], both)), call(("rep", "It matches."), ("rep", "Bye.")))
    assert (found.start, found.inferred, found.finish) == (1, True, NEVER)


def test_a_later_contradiction_leaves_verdict_and_finish_unknown() -> None:
    corrected = phase("PID", [ASK], [item("match", YES)], contradicts=[said("(?i)sorry", "rep")])
    found = row(
        catalog(corrected),
        call(("agent", "Verify."), ("rep", "It matches."), ("rep", "Sorry, no.")),
    )
    assert (found.finish, found.verdict, found.contradicted_at) == (UNKNOWN, Verdict.UNKNOWN, 3)


@pytest.mark.parametrize("ended", [False, None])
def test_only_an_ended_call_says_never(ended: bool | None) -> None:
    found = row(catalog(PID), call(("agent", "Hello."), ended=ended))
    assert (found.start, found.finish, found.clear_through) == (UNKNOWN, UNKNOWN, 1)


def test_a_speaker_without_a_role_leaves_what_was_not_found_unknown() -> None:
    one = call(("agent", "Verify."), ("caller", "It matches."))
    filled = read(catalog(PID), one)
    assert filled.rows["PID"].finish is UNKNOWN
    assert "UNKNOWN_ROLE" in [flag.code.value for flag in filled.flags["PID"]]


class TestItems:
    """A finish needs all items, or any, as the phase says."""

    BOTH = (item("a", said("alpha", "rep")), item("b", said("beta", "rep")))

    @pytest.mark.parametrize(
        ("rule", "turns", "finish"),
        [
            ("all_accepted", [("rep", "alpha"), ("rep", "beta")], 2),
            ("all_accepted", [("rep", "alpha"), ("rep", "-")], NEVER),
            ("any_accepted", [("rep", "-"), ("rep", "beta"), ("rep", "alpha")], 2),
            ("any_accepted", [("rep", "-")], NEVER),
        ],
    )
    def test_finish_rule(self, rule: str, turns: list[tuple[str, str]], finish: object) -> None:
        found = row(catalog(phase("PID", [ASK], self.BOTH, finish=rule)), call(*turns))
        assert found.finish == finish

    @pytest.mark.parametrize(
        ("attributes", "finish"),
        [({"kind": "drug"}, NEVER), ({"kind": "scan"}, 1), ({}, UNKNOWN)],
    )
    def test_an_item_may_depend_on_the_call(
        self, attributes: dict[str, Any], finish: object
    ) -> None:
        items = [
            item("a", said("alpha", "rep")),
            item("b", said("beta", "rep"), when="call.kind = 'drug'"),
        ]
        one = call(("rep", "alpha"), attributes=attributes)
        assert row(catalog(phase("PID", [ASK], items)), one).finish == finish


class TestClock:
    """`within_seconds`: a hit without a time can be neither credited nor ruled out."""

    LATE = phase("PID", [ASK], [item("match", {**YES, "within_seconds": 60})])

    @pytest.mark.parametrize(
        ("start_ms", "finish"), [(60_000, 2), (60_001, NEVER), (None, UNKNOWN)]
    )
    def test_limit(self, start_ms: int | None, finish: object) -> None:
        one = timed(call(("agent", "Verify."), ("rep", "matches")), (0, 900), (start_ms, None))
        assert row(catalog(self.LATE), one).finish == finish


def test_a_gate_is_not_finished_by_what_the_audited_agent_wrote_itself() -> None:
    gate = phase("PID", [ASK], [item("match", {"tool": "form.set"})])
    child = phase("CSV", [said("coverage", "agent")], [item("told", YES)], **critical("PID"))
    events = [{"turn": 1, "name": "form.set", "args": {"field": "x"}}]
    one = call(("agent", "Verify."), ("agent", "coverage?"), events=events)
    assert row(catalog(gate, child), one).finish is NEVER
    alone = phase("PID", [ASK], [item("match", {"tool": "form.set"})])
    assert row(catalog(alone), one).finish == 1
