"""WebVTT: cues, voices, names, and captions that roll, overlap or repeat."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.parsers import webvtt
from review.core.transcript import Call
from tests.unit.review.parsers.call_files import (
    GOLDEN_ROLES,
    SHARED,
    codes,
    golden_bytes,
    golden_turns,
)

T1 = "00:00:01.000 --> 00:00:02.000\n"
T2 = "00:00:05.000 --> 00:00:06.000\n"
T3 = "00:00:09.000 --> 00:00:10.000\n"


def read(body: str, head: str = "WEBVTT\n\n") -> tuple[Call, list[str]]:
    """Read a file that must not be refused: the call and the codes found."""
    calls, findings = webvtt.parse((head + body).encode(), name="m.vtt")
    assert calls, findings
    return calls[0], codes(findings)


TRAPS = {
    "voice": (f"{T1}<v Ann>Hi.</v>", [("Ann", "Hi.")]),
    "voice_not_closed": (f"{T1}<v Ann Lee>Hi.", [("Ann Lee", "Hi.")]),
    "voice_with_class": (f"{T1}<v.loud.x Ann>Hi.</v>", [("Ann", "Hi.")]),
    "two_voices": (f"{T1}<v Ann>Hi.\n<v Bob>Ho.", [("Ann", "Hi."), ("Bob", "Ho.")]),
    "words_outside_a_voice": (
        f"{T1}um <v Ann>Hi.</v> oh",
        [("", "um"), ("Ann", "Hi."), ("", "oh")],
    ),
    "entities": (f"{T1}<v A &amp; B>x &lt;y&gt; &amp;amp;", [("A & B", "x <y> &amp;")]),
    "tags": (f"{T1}<c.x>a</c> <00:00:01.5>b <i>c</i> <b>d</b> a<b", [("", "a b c d a<b")]),
    "name_in_front": (f"{T1}Ann: Hi.\n\n{T2}Bob: Ho.", [("Ann", "Hi."), ("Bob", "Ho.")]),
    "time_is_no_name": (f"{T1}10:30 Meeting: x\n\n{T2}y", [("", "10:30 Meeting: x"), ("", "y")]),
    "note_is_no_name": (f"{T1}Note: x\n\n{T2}Note: y", [("", "Note: x"), ("", "Note: y")]),
    "once_is_no_name": (
        f"{T1}a\n\n{T2}Because: x\n\n{T3}b",
        [("", "a"), ("", "Because: x"), ("", "b")],
    ),
    "no_name_is_taken_over": (f"{T1}Doctor: x\n\n{T2}y", [("Doctor", "x"), ("", "y")]),
    "names_in_voices_are_words": (f"{T1}<v Ann>Bob: no", [("Ann", "Bob: no")]),
    "two_names": (f"{T1}Doctor: a\nPatient: b", [("Doctor", "a"), ("Patient", "b")]),
    "line_breaks": (f"{T1}call reference\nnumber", [("", "call reference number")]),
    "identifier": (f"abc 7\n{T1}x\n\n7\n{T2}y", [("", "x"), ("", "y")]),
    "no_blank_line_between": (
        f"1\n{T1}Doctor: x\n2\n{T2}Doctor: y",
        [("Doctor", "x"), ("Doctor", "y")],
    ),
    "notes_and_style": (f"NOTE a\nb\n\nSTYLE\nx {{}}\n\nNOTES\n{T1}x", [("", "x")]),
    "spoken_arrow": (f"{T1}from A --> B\nand on", [("", "from A --> B and on")]),
    "merged_within_two_seconds": (
        f"{T1}<v Ann>a\n\n00:00:03.000 --> 00:00:04.000\n<v Ann>b",
        [("Ann", "a b")],
    ),
    "not_merged_later": (f"{T1}<v Ann>a\n\n{T2}<v Ann>b", [("Ann", "a"), ("Ann", "b")]),
    "crlf": (f"{T1}<v Ann>a".replace("\n", "\r\n"), [("Ann", "a")]),
    "cr": (f"{T1}<v Ann>a".replace("\n", "\r"), [("Ann", "a")]),
    "empty": (f"{T1}\n{T2}x", [("", ""), ("", "x")]),
}


@pytest.mark.parametrize(("body", "turns"), TRAPS.values(), ids=TRAPS)
def test_traps(body: str, turns: list[tuple[str, str]]) -> None:
    call, found = read(body)
    assert [(turn.speaker, turn.text) for turn in call.turns] == turns
    assert all(turn.role is None for turn in call.turns)
    assert ("missing_speaker" in found) == any(not speaker for speaker, _ in turns)


TIMES = {
    "short": ("00:01.000 --> 00:02.500\nx", (1000, 2500), None),
    "long_hours": ("100:00:01.000 --> 100:00:02.000\nx", (360_001_000, 360_002_000), None),
    "settings": ("00:01.000 --> 00:02.000 align:start\nx", (1000, 2000), None),
    "backwards": ("00:05.000 --> 00:02.000\nx", (5000, None), "negative_duration"),
    "weeks": ("900:00:01.000 --> 900:00:02.000\nx", (None, None), "unit_mismatch"),
}


@pytest.mark.parametrize(("body", "times", "code"), TIMES.values(), ids=TIMES)
def test_times(body: str, times: tuple[int | None, int | None], code: str | None) -> None:
    call, found = read(body)
    assert (call.turns[0].start_ms, call.turns[0].end_ms) == times
    assert code is None or code in found


ORDER = {
    "overlap": (f"{T1}<v A>x\n\n00:01.500 --> 00:03.000\n<v B>y", ("overlap",)),
    "equal": (f"{T1}<v A>x\n\n{T1}<v B>y", ("equal_timestamps", "overlap")),
    "back": (f"{T2}<v A>x\n\n{T1}<v B>y", ("out_of_order", "overlap")),
}


@pytest.mark.parametrize(("body", "flags"), ORDER.values(), ids=ORDER)
def test_what_may_change_the_order_is_reported(body: str, flags: tuple[str, ...]) -> None:
    call, _ = read(body)
    assert [turn.text for turn in call.turns] == ["x", "y"]
    assert call.turns[1].flags == flags


def test_voices_of_one_cue_get_no_times_made_up() -> None:
    call, found = read(f"{T1}<v A>x\n<v B>y\n<v C>z")
    assert [(t.start_ms, t.end_ms) for t in call.turns] == [
        (1000, None),
        (None, None),
        (None, 2000),
    ]
    assert found.count("mixed_speakers_in_segment") == 3


def test_dashes_of_two_unnamed_voices_are_reported() -> None:
    call, found = read(f"{T1}- One.\n- Two.")
    assert len(call.turns) == 1
    assert "mixed_speakers_in_segment" in found


def test_the_same_cue_twice_is_left_out() -> None:
    call, found = read(f"{T1}<v A>x\n\n{T1}<v A>x\n\n{T2}<v A>x")
    assert [turn.text for turn in call.turns] == ["x", "x"]
    assert found.count("duplicate_segment") == 1


def test_rolling_captions_lose_what_they_repeat() -> None:
    words = [f"w{k}" for k in range(40)]
    lines = [" ".join(words[k : k + 4]) for k in range(0, 40, 4)]
    cues = [f"00:{k:02d}.000 --> 00:{k + 1:02d}.000\n{a}\n{b}" for k, (a, b) in enumerate(
        zip(["", *lines], [*lines, ""], strict=False)
    )]  # fmt: skip
    call, found = read("\n\n".join(cues).replace("\n\n\n", "\n\n"))
    assert " ".join(turn.text for turn in call.turns).split() == words
    assert found.count("rolling_captions") == 1


def test_two_answers_alike_are_both_kept() -> None:
    call, found = read(f"{T1}Yes.\n\n{T2}Yes.\n\n{T3}No.")
    assert [turn.text for turn in call.turns] == ["Yes.", "Yes.", "No."]
    assert "rolling_captions" not in found


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "no_turns"),
        ("00:00:01,000 --> 00:00:02,000\nx", "no_turns"),
        ("x\n", "no_turns"),
        (f"{T1}a\x00b", "nul_character"),
        (f"{T1}x\n\n" * 20_001, "too_many_turns"),
        (f"{T1}{'a' * 200_001}", "turn_too_long"),
    ],
)
def test_refusals(body: str, code: str) -> None:
    calls, findings = webvtt.parse(f"WEBVTT\n\n{body}".encode(), name="m.vtt")
    assert calls == ()
    assert codes(findings)[-1] == code
    assert findings[-1].where.startswith("m.vtt")


def test_another_head_is_refused() -> None:
    assert codes(webvtt.parse(b"WEBVTTX\n", name="m.vtt")[1]) == ["bad_captions"]


@pytest.mark.parametrize(
    "lost", ["00:01,000 --> 00:02,000\nlost", "lost words", "00:x1.000 -->\nx"]
)
def test_words_of_no_cue_are_reported(lost: str) -> None:
    call, found = read(f"{T1}Doctor: x\n\n{lost}\n\n{T2}Doctor: y")
    assert [turn.text for turn in call.turns] == ["x", "y"]
    assert found.count("cue_not_read") == 1


@pytest.mark.parametrize("name", ["teams.vtt", "zoom.transcript.vtt"])
@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_the_golden_call(name: str) -> None:
    (call,), findings = webvtt.parse(golden_bytes(name), name=name)
    read_turns = [(GOLDEN_ROLES[t.speaker], t.text, t.start_ms, t.end_ms) for t in call.turns]
    assert read_turns == [turn[1:] for turn in golden_turns()]
    assert set(codes(findings)) == {"end_assumed", "role_unknown"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_made_up_meetings_keep_every_word() -> None:
    for path in sorted((SHARED / "data/captions/zoom-like").glob("*.vtt")):
        (call,), findings = webvtt.parse(path.read_bytes(), name=path.name)
        assert "missing_speaker" not in codes(findings)
        lines = path.read_text("utf-8").split("\n")
        marked = [line for line in lines if line.startswith("<v ") or ": " in line]
        spoken = [re.split("> ?|: ", line, maxsplit=1)[1] for line in marked]
        assert " ".join(turn.text for turn in call.turns) == " ".join(spoken)


PARTS = st.sampled_from(
    ["WEBVTT", "\n", "\n\n", T1, "00:01.000 --> ", "-->", "<v A>", "</v>", "A: ", "&#0;", "NOTE",
     "STYLE\n", "<", ">", "&amp;", "99999999999:00:00.000 --> 00:61.000\n", "\r", "\x00", "- a"]
)  # fmt: skip


@given(st.lists(PARTS | st.text(max_size=6), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    for head in ("", "WEBVTT\n\n"):
        data = (head + text).encode("utf-8", "surrogatepass")
        calls, findings = webvtt.parse(data, name="m.vtt")
        assert calls or codes(findings)
