"""Labelled text: which words are labels, what belongs to a turn, and what a page may show first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.parsers import plain_text
from review.core.transcript import Call, propose_role_map
from tests.unit.review.parsers.call_files import (
    GOLDEN_ROLES,
    SHARED,
    codes,
    golden_bytes,
    golden_turns,
)


def read(text: str) -> tuple[Call, list[str]]:
    """Read a text that must not be refused: the call and the codes found."""
    (call,), findings = plain_text.parse(text.encode(), name="in/talk.txt")
    return call, codes(findings)


TRAPS = {
    "colon": ("DOCTOR: Hello.\nPATIENT: Hi.", [("DOCTOR", "Hello."), ("PATIENT", "Hi.")]),
    "bracket": (
        "[doctor] hi , you .\n[patient] hey",
        [("doctor", "hi , you ."), ("patient", "hey")],
    ),
    "bracket_and_colon": ("[Doctor]: hi", [("Doctor", "hi")]),
    "dash": ("Doctor - Hi.\nPatient - Ho.", [("Doctor", "Hi."), ("Patient", "Ho.")]),
    "dash_is_speech": (
        "Doctor: a\nYes - b\nPatient: c",
        [("Doctor", "a\nYes - b"), ("Patient", "c")],
    ),
    "dash_role_is_speech": (
        "Doctor: read\nPatient - 45 years\nNurse: c",
        [("Doctor", "read\nPatient - 45 years"), ("Nurse", "c")],
    ),
    "other_lines_continue": (
        "Doctor: a\n  b\n\nc\n\nNurse: d",
        [("Doctor", "a\n  b\n\nc"), ("Nurse", "d")],
    ),
    "once_and_unknown": ("Doctor: a\nPlan: b", [("Doctor", "a\nPlan: b")]),
    "twice_and_unknown": ("Zoe: a\nZoe: b", [("Zoe", "a"), ("Zoe", "b")]),
    "heading_twice": ("Doctor: a\nNote: b\nNote: c", [("Doctor", "a\nNote: b\nNote: c")]),
    "sounds_twice": ("Doctor: a\n[noise]\n[noise]", [("Doctor", "a\n[noise]\n[noise]")]),
    "clock_is_no_label": (
        "Doctor: at\nat 10:30 then\nat 10:45",
        [("Doctor", "at\nat 10:30 then\nat 10:45")],
    ),
    "link_is_no_label": ("Doctor: a\nhttp://x\nhttp://y", [("Doctor", "a\nhttp://x\nhttp://y")]),
    "letter_case": ("DOCTOR: a\nDoctor: b", [("DOCTOR", "a"), ("DOCTOR", "b")]),
    "underscores": ("Guest_family_2: a\n Patient: b", [("Guest_family_2", "a"), ("Patient", "b")]),
    "four_words": (
        "Dana (payer representative): a\nDana (payer representative): b",
        [("Dana (payer representative)", "a"), ("Dana (payer representative)", "b")],
    ),
    "five_words": (
        "Doctor: x\na b c d e: f\na b c d e: g",
        [("Doctor", "x\na b c d e: f\na b c d e: g")],
    ),
    "no_blank": ("Doctor:hello", [("Doctor", "hello")]),
    "words_before": ("Visit 3\n\nDoctor: a", [("", "Visit 3"), ("Doctor", "a")]),
    "empty_turn": ("Doctor:\nPatient: b", [("Doctor", ""), ("Patient", "b")]),
    "crlf": ("Doctor: a\r\nb\r\nPatient: c\r\n", [("Doctor", "a\nb"), ("Patient", "c")]),
    "trailing_blank_kept": ("Doctor: a \nPatient: b", [("Doctor", "a "), ("Patient", "b")]),
    "no_label": ("hello\nthere", [("", "hello\nthere")]),
    "never_by_turns": ("Doctor: a\nb\nDoctor: c\nd", [("Doctor", "a\nb"), ("Doctor", "c\nd")]),
}


@pytest.mark.parametrize(("text", "turns"), TRAPS.values(), ids=TRAPS)
def test_traps(text: str, turns: list[tuple[str, str]]) -> None:
    call, found = read(text)
    assert [(turn.speaker, turn.text) for turn in call.turns] == turns
    assert all(turn.role is None for turn in call.turns)
    assert ("missing_speaker" in found) == any(not speaker for speaker, _ in turns)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("[00:12] DOCTOR: a\n[1:02:03] PATIENT: b", [12_000, 3_723_000]),
        ("(00:12.5) Doctor: a", [12_500]),
        ("00:12 Doctor: a", [12_000]),
        ("Doctor [00:12]: a", [12_000]),
        ("[00:12]\nDoctor: a\nb", [12_000]),
        ("Doctor: a\n[00:12]\nPatient: b", [None, 12_000]),
        ("Doctor: a\n[00:12]\nb", [None]),
        ("[00:99] Doctor: a\nDoctor: b", [None, None]),  # no time, so no stamp and no label
    ],
)
def test_stamps_are_starts(text: str, starts: list[int | None]) -> None:
    call, found = read(text)
    assert [turn.start_ms for turn in call.turns] == starts
    assert ("no_times" in found) == (set(starts) == {None})


def test_stamps_that_go_back_are_reported_and_nothing_is_sorted() -> None:
    call, found = read("[00:20] Doctor: a\n[00:10] Patient: b")
    assert [turn.start_ms for turn in call.turns] == [20_000, 10_000]
    assert call.turns[1].flags == ("out_of_order",)
    assert "out_of_order" in found


def test_it_counts_as_ended_and_is_named_by_its_file() -> None:
    call, found = read("Doctor: a")
    assert (call.id, call.ended, call.source.format) == ("talk", True, "plain-text")
    assert found == ["no_times", "end_assumed", "role_unknown"]


def test_roles_are_proposed_from_the_labels() -> None:
    call, _ = read("Doctor: a\nPATIENT: b\nZoe: c\nZoe: d")
    roles, findings = propose_role_map(call, ["clinician", "patient"])
    assert roles == {"Doctor": "clinician", "PATIENT": "patient"}
    assert codes(findings) == ["role_unknown"]


def test_a_person_chooses_the_labels() -> None:
    text = b"Doctor: a\nPlan: b\nZoe: c"
    (call,), _ = plain_text.parse(text, name="x.txt", labels=["doctor", "ZOE"])
    assert [(turn.speaker, turn.text) for turn in call.turns] == [
        ("Doctor", "a\nPlan: b"),
        ("Zoe", "c"),
    ]


def test_the_preview_shows_labels_and_why_others_do_not_count() -> None:
    shown = plain_text.preview(b"Doctor: a\nPlan: b\nNote: c\nDoctor: d", name="x.txt")
    assert [(one.label, one.count, one.first_line) for one in shown.labels] == [
        ("Doctor", 2, "Doctor: a")
    ]
    assert {one.label: one.reason for one in shown.rejected} == {
        "Plan": "It occurs only once and is no well-known name of a role.",
        "Note": "It is a heading or a sound, nobody's name.",
    }
    assert shown.first_turns == (("Doctor", "a\nPlan: b\nNote: c"), ("Doctor", "d"))
    assert (shown.turn_count, shown.findings) == (2, ())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no_turns"),
        (b" \n\n", "no_turns"),
        (b"Doctor: a\x00b", "nul_character"),
        (b"Doctor: " + b"a" * 200_001, "turn_too_long"),
        (b"Doctor: a\n" * 20_001, "too_many_turns"),
        (b"\xff\xfe\x00", "not_text"),
    ],
)
def test_refusals_name_the_file(data: bytes, code: str) -> None:
    calls, findings = plain_text.parse(data, name="x.txt")
    assert calls == ()
    assert codes(findings)[-1] == code
    assert findings[-1].where.startswith("x.txt")
    assert plain_text.preview(data, name="x.txt") is not None


def test_cp1252_is_a_warning() -> None:
    calls, findings = plain_text.parse("Doctor: café".encode("cp1252"), name="x.txt")
    assert calls[0].turns[0].text == "café"
    assert codes(findings)[0] == "encoding_guessed"


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_the_golden_call() -> None:
    (call,), _ = plain_text.parse(golden_bytes("plain.txt"), name="plain.txt")
    read_turns = [(GOLDEN_ROLES[turn.speaker], turn.text) for turn in call.turns]
    assert read_turns == [(role, text) for _, role, text, _, _ in golden_turns()]


LINES = st.sampled_from(
    ["Doctor: ", "[noise]", "[00:12] ", "A - b", "\n", "x:y", "(1:00)", "\r", " ", "Zoe:", "\x00"]
)


@given(st.lists(LINES | st.text(max_size=8), max_size=20).map("".join))
@settings(max_examples=200, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    calls, findings = plain_text.parse(data, name="x.txt")
    assert calls or codes(findings)
    plain_text.preview(data, name="x.txt")
    plain_text.recognise(text)
