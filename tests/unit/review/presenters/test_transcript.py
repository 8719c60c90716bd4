"""The transcript: gutter marks, evidence in words and events, quiet turns, open roles."""

from __future__ import annotations

from dataclasses import replace

from review.core.evaluation import AttemptReport
from review.core.transcript import Event, EventSource, TurnKind
from review.presenters.hues import hues_of
from review.presenters.segments import Segment
from review.presenters.transcript import Transcript, show_transcript
from review.templatetags.turns import turn_list
from tests.unit.review.presenters.values import call, evidence, row


def show(transcript_call: object, *rows: object, **more: object) -> Transcript:
    hues = hues_of(one.phase for one in rows)  # type: ignore[attr-defined]
    return show_transcript(transcript_call, rows, hues, **more)  # type: ignore[arg-type]


def test_marks_say_where_a_phase_starts_finishes_and_shows_an_item() -> None:
    one = row("PID", 1, 3, evidence=(evidence(2, 0, 1), evidence(3, 0, 1)))
    lines = show(call("a", "b", "c"), one).lines
    assert [[mark.signs for mark in line.marks] for line in lines] == [["▲"], ["•"], ["■"]]
    assert lines[0].marks[0].spoken == "PID starts"


def test_a_phase_of_one_turn_has_one_mark_and_phases_share_a_turn() -> None:
    lines = show(call("a"), row("CSV", 1, 1), row("DCC", 1, 1)).lines
    assert [(mark.signs, mark.phase) for mark in lines[0].marks] == [("▲■", "CSV"), ("▲■", "DCC")]


def test_the_words_that_started_a_phase_are_marked_too_and_other_attempts_are_not() -> None:
    attempts = (AttemptReport(1, "PID.starts[0]", 0, 3), AttemptReport(2, "PID.starts[0]", 0, 3))
    lines = show(call("abc def", "abc def"), row("PID", 1, None, attempts=attempts)).lines
    assert [part.text for part in lines[0].segments if part.hue] == ["abc"]
    assert [part.text for part in lines[1].segments if part.hue] == []


def test_long_ids_are_lettered_only_where_the_gutter_does_not_say_enough() -> None:
    first = row("SX_ONSET_DUR", 1, 1, evidence=(evidence(1, 0, 3),))
    second = row("SX_CHARACTER", 2, 2, evidence=(evidence(2, 4, 7),))
    third = row("SX_SEV_PROG", 2, 2, evidence=(evidence(2, 0, 3),))
    lines = show(call("abc def", "abc def"), first, second, third).lines
    assert [letter for part in lines[0].segments for letter in part.letters] == []
    assert [letter.phase for part in lines[1].segments for letter in part.letters] == [
        "SX_SEV_PROG",
        "SX_CHARACTER",
    ]


def test_events_stand_under_their_turn_with_what_they_show() -> None:
    event = Event("e1", EventSource.TOOL, "crm.match", {"by": "dob", "ok": True}, turn=2)
    lost = Event("e2", EventSource.UI, "form.opened", {}, turn=None)
    one = row("PID", 1, 2, evidence=(evidence(2, 0, 0, event="e1"),))
    transcript = show(call("a", "b", events=(event, lost)), one)
    (line,) = transcript.lines[1].events
    assert (line.source, line.name, line.arguments) == ("tool", "crm.match", "by=dob ok=true")
    assert [letter.phase for letter in line.letters] == ["PID"]
    assert [one.name for one in transcript.unplaced] == ["form.opened"]


def test_a_failed_call_says_so() -> None:
    event = Event("e", EventSource.TOOL, "book", {}, turn=1, ok=False, result={"error": "none"})
    (line,) = show(call("a", events=(event,)), row("PID", 1, 1)).lines[0].events
    assert line.failed
    assert line.outcome == "failed: error=none"


def test_hold_is_quiet_and_a_speaker_without_role_is_marked() -> None:
    base = call("[music]", "hello")
    turns = (
        replace(base.turns[0], kind=TurnKind.HOLD),
        replace(base.turns[1], role=None, flags=("role_unknown",)),
    )
    lines = show(replace(base, turns=turns), row("PID", None, None)).lines
    assert lines[0].quiet == "hold"
    assert lines[1].unmapped
    assert lines[1].role == "Member"
    assert lines[1].doubts == ("role unknown",)


def test_the_focal_turn_is_one() -> None:
    lines = show(call("a", "b", "c"), row("PID", 1, 1), focal=2).lines
    assert [line.focal for line in lines] == [False, True, False]


def test_a_turn_is_drawn_with_what_it_has_and_nothing_it_is_read_as() -> None:
    event = Event("e1", EventSource.TOOL, "crm.<match>", {"ok": True}, turn=1)
    one = row("PID", 1, 1, evidence=(evidence(1, 0, 1), evidence(1, 0, 0, event="e1")))
    shown = show(call("a & b", "<i>c</i>", "שלום", "", events=(event,)), one, focal=2)
    hue = hues_of(["PID"])["PID"]
    roles = [line.role for line in shown.lines]
    letter = f'<sup class="letter hue-{hue}">PID</sup>'
    assert turn_list(shown.lines).splitlines() == [
        f'<li id="t1" class="audited"><span>1</span><span class="turn-marks"><span class="gutter '
        f'hue-{hue}"><span aria-hidden="true">▲■ PID</span><span class="visually-hidden">PID '
        f'starts and finishes. </span></span></span><b>{roles[0]}</b><p><mark class="evidence '
        f'hue-{hue}">a</mark>{letter} &amp; b</p><ul class="events"><li><i>tool</i> <span>'
        f"crm.&lt;match&gt;</span> ok=true{letter}</li></ul></li>",
        f'<li id="t2" class="focal"><span>2</span><b>{roles[1]}</b><p>&lt;i&gt;c&lt;/i&gt;</p>'
        "</li>",
        f'<li id="t3" class="audited"><span>3</span><b>{roles[2]}</b><p dir="auto">שלום</p></li>',
        f'<li id="t4"><span>4</span><b>{roles[3]}</b><p></p></li>',
    ]


def test_a_turn_that_takes_the_place_of_one_says_so() -> None:
    assert turn_list(show(call("a")).lines, oob=True).startswith('<li id="t1" hx-swap-oob="true"')


def test_a_masked_identifier_says_what_it_was() -> None:
    [line] = show(call("a")).lines
    masked = replace(line, segments=(Segment("•••", masked="a name"),))
    assert '<p><span class="masked" role="img" aria-label="a name">•••</span></p>' in turn_list(
        [masked]
    )
