"""SRT: numbers, times and blank lines as careless programs write them."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.parsers import srt
from review.core.transcript import Call
from tests.unit.review.parsers.call_files import (
    GOLDEN_ROLES,
    SHARED,
    codes,
    golden_bytes,
    golden_turns,
)

T1 = "00:00:01,000 --> 00:00:02,000\n"
T2 = "00:00:05,000 --> 00:00:06,000\n"


def read(text: str) -> tuple[Call, list[str]]:
    """Read a file that must not be refused: the call and the codes found."""
    calls, findings = srt.parse(text.encode(), name="m.srt")
    assert calls, findings
    return calls[0], codes(findings)


TRAPS = {
    "plain": (f"1\n{T1}a\n\n2\n{T2}b\n", ["a", "b"]),
    "no_number": (f"{T1}a\n\n{T2}b", ["a", "b"]),
    "number_repeated": (f"1\n{T1}a\n\n1\n{T2}b", ["a", "b"]),
    "no_blank_line": (f"1\n{T1}a\n2\n{T2}b", ["a", "b"]),
    "blank_lines_inside": (f"1\n{T1}a\n\nb\n\n\n2\n{T2}c", ["a b", "c"]),
    "blank_text": (f"1\n{T1}\n2\n{T2}b", ["", "b"]),
    "number_as_words": (f"1\n{T1}42\n\n2\n{T2}b", ["42", "b"]),
    "tags": (f"1\n{T1}<i>a</i> {{\\an8}}<font color='x'>b</font> a<b", ["a b a<b"]),
    "entities_are_words": (f"1\n{T1}a &amp; b", ["a &amp; b"]),
    "spoken_arrow": (f"1\n{T1}A --> B", ["A --> B"]),
    "crlf": (f"1\n{T1}a\n\n2\n{T2}b".replace("\n", "\r\n"), ["a", "b"]),
}


@pytest.mark.parametrize(("text", "words"), TRAPS.values(), ids=TRAPS)
def test_traps(text: str, words: list[str]) -> None:
    call, found = read(text)
    assert [turn.text for turn in call.turns] == words
    assert found.count("missing_speaker") == len(words)


TIMES = {
    "points": ("1\n0:00:01.5 --> 0:00:02.25\nx", (1500, 2250), None),
    "whole": ("1\n00:00:01 --> 00:00:02\nx", (1000, 2000), None),
    "hours": ("1\n101:00:00,000 --> 101:00:01,000\nx", (363_600_000, 363_601_000), None),
    "backwards": ("1\n00:00:05,000 --> 00:00:02,000\nx", (5000, None), "negative_duration"),
    "negative": ("1\n-00:00:05,000 --> 00:00:02,000\nx", (None, 2000), "bad_time"),
    "minutes": ("1\n00:77:05,000 --> 00:78:02,000\nx", (None, None), "bad_time"),
}


@pytest.mark.parametrize(("text", "times", "code"), TIMES.values(), ids=TIMES)
def test_times(text: str, times: tuple[int | None, int | None], code: str | None) -> None:
    call, found = read(text)
    assert (call.turns[0].start_ms, call.turns[0].end_ms) == times
    assert code is None or code in found


def test_names_in_front_are_speakers() -> None:
    call, found = read(f"1\n{T1}Doctor: a\n\n2\n{T2}Patient: b")
    assert [(t.speaker, t.text) for t in call.turns] == [("Doctor", "a"), ("Patient", "b")]
    assert "missing_speaker" not in found


@pytest.mark.parametrize(
    ("second", "flags"),
    [
        ("00:00:01,500 --> 00:00:03,000", ("overlap",)),
        ("00:00:01,000 --> 00:00:03,000", ("equal_timestamps", "overlap")),
        ("00:00:00,100 --> 00:00:00,200", ("out_of_order", "overlap")),
    ],
)
def test_what_may_change_the_order_is_reported(second: str, flags: tuple[str, ...]) -> None:
    call, _ = read(f"1\n{T1}Doctor: a\n\n2\n{second}\nPatient: b")
    assert call.turns[1].flags == flags


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_turns"),
        ("1\nhello\n", "no_turns"),
        (f"1\n{T1}a\x00", "nul_character"),
        (f"{T1}a\n" * 20_001, "too_many_turns"),
    ],
)
def test_refusals(text: str, code: str) -> None:
    calls, findings = srt.parse(text.encode(), name="m.srt")
    assert calls == ()
    assert codes(findings)[-1] == code
    assert findings[-1].where.startswith("m.srt")


@pytest.mark.parametrize(
    "text",
    [f"lost\n1\n{T1}a", f"1\n{T1}a\n\n2\n00:00:x5,000 --> 1\nb", f"1\n{T1}a\n9:9 --> 9:9\nb"],
)
def test_what_is_no_cue_is_reported_or_kept(text: str) -> None:
    call, found = read(text)
    kept = " ".join(turn.text for turn in call.turns)
    assert "cue_not_read" in found or "b" in kept


@pytest.mark.parametrize("filler", ["\n", "1", "1\n", " \n", "00:00:01,0 -"])
def test_a_hostile_file_takes_no_time(filler: str) -> None:
    begun = time.monotonic()
    srt.parse((f"1\n{T1}a\n\n" + filler * 100_000 + "x").encode(), name="m.srt")
    srt.recognise(filler * 100_000)
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_the_golden_call() -> None:
    (call,), findings = srt.parse(golden_bytes("captions.srt"), name="captions.srt")
    read_turns = [(GOLDEN_ROLES[t.speaker], t.text, t.start_ms, t.end_ms) for t in call.turns]
    assert read_turns == [turn[1:] for turn in golden_turns()]
    assert set(codes(findings)) == {"end_assumed", "role_unknown"}


PARTS = st.sampled_from(
    ["1\n", T1, "\n\n", "-->", "00:00:01,", "A: ", "<i>", "\r", "\x00", "-1", "9" * 30, "\ufeff"]
)


@given(st.lists(PARTS | st.text(max_size=6), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    calls, findings = srt.parse(data, name="m.srt")
    assert calls or codes(findings)
    srt.recognise(text)
