"""What a person may change about a transcript, as values: nothing but who spoke, and settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalogs.core.findings import note, warning
from review.core.transcript import (
    NOT_READ,
    Call,
    CannotSwap,
    RoleOrigin,
    Settings,
    Source,
    Speaker,
    Swap,
    Turn,
    TurnKind,
    apply_role_map,
    doubts_of,
    open_findings,
    propose_role_map,
    propose_roles,
    settle,
    swap_voices,
    voices_of,
    word_of,
)
from review.core.transcript.storing import transcript_digest

DECLARED = ("agent", "patient")


def said(number: int, speaker: str, role: str | None = None, text: str = "words") -> Turn:
    return Turn(number, speaker, role, TurnKind.SPEECH, text)


def a_call(*turns: Turn, speakers: tuple[Speaker, ...] = ()) -> Call:
    known = speakers or (Speaker("a", "agent", "Ann"), Speaker("p", "patient", "Pat"))
    return Call(
        id="c",
        title="c",
        attributes={"type": "x", "date": date(2026, 3, 10)},
        speakers={one.key: one for one in known},
        turns=turns or (said(1, "a", "agent"), said(2, "p", "patient"), said(3, "a", "agent")),
        events=(),
        ended=True,
        source=Source("demo", "c", "0" * 64),
    )


def test_a_swap_exchanges_two_speakers_inside_the_range_only() -> None:
    call = a_call()
    swapped = swap_voices(call, Swap(1, 2, "a", "p"))
    assert [(turn.speaker, turn.role) for turn in swapped.turns] == [
        ("p", "patient"),
        ("a", "agent"),
        ("a", "agent"),
    ]
    assert [turn.text for turn in swapped.turns] == [turn.text for turn in call.turns]


def test_swapping_twice_gives_the_same_turns_again() -> None:
    call = a_call()
    swap = Swap(2, 3, "p", "a")
    assert swap_voices(swap_voices(call, swap), swap) == call


def test_tool_turns_stay_whose_they_are() -> None:
    tool = Turn(2, "a", "agent", TurnKind.TOOL_CALL, "lookup")
    swapped = swap_voices(a_call(said(1, "a", "agent"), tool), Swap(1, 2, "a", "p"))
    assert [turn.speaker for turn in swapped.turns] == ["p", "a"]


def test_a_turn_without_a_speaker_gets_one_by_a_swap() -> None:
    nameless = replace(said(2, ""), flags=("missing_speaker",))
    call = replace(a_call(said(1, "a", "agent"), nameless), flags=("missing_speaker",))
    swapped = swap_voices(call, Swap(2, 2, "", "a"))
    assert (swapped.turns[1].speaker, swapped.turns[1].role) == ("a", "agent")
    assert (swapped.turns[1].flags, swapped.flags) == ((), ())


@pytest.mark.parametrize(
    ("swap", "sentence"),
    [
        (Swap(1, 3, "a", "a"), "two different speakers"),
        (Swap(1, 3, "a", "ghost"), "no speaker 'ghost'"),
        (Swap(3, 1, "a", "p"), "Turn 3 comes after turn 1"),
        (Swap(8, 9, "a", "p"), "None of the turns 8 to 9"),
    ],
)
def test_a_swap_that_changes_nothing_says_why(swap: Swap, sentence: str) -> None:
    with pytest.raises(CannotSwap, match=sentence):
        swap_voices(a_call(), swap)


def test_a_word_that_is_the_catalogs_needs_nobody_and_an_alias_waits() -> None:
    call = a_call(
        *(said(1, "Agent"), said(2, "user"), said(3, "x")),
        speakers=(Speaker("Agent", None, "Agent"), Speaker("user", None, "User")),
    )
    found = {one.key: (one.role, one.origin) for one in propose_roles(call, DECLARED)}
    assert found == {
        "Agent": ("agent", RoleOrigin.KEY),
        "user": ("patient", RoleOrigin.ALIAS),
        "x": (None, None),
    }


def test_what_a_person_confirmed_counts_before_everything_else() -> None:
    speakers = (Speaker("agent", None, "Agent"), Speaker("user", None, "User"))
    call = a_call(said(1, "agent"), said(2, "user"), speakers=speakers)
    confirmed = {"agent": "patient", "user": "agent"}
    found = {one.key: (one.role, one.origin) for one in propose_roles(call, DECLARED, confirmed)}
    assert found == {
        "agent": ("patient", RoleOrigin.CONFIRMED),
        "user": ("agent", RoleOrigin.CONFIRMED),
    }


def test_a_confirmed_role_that_the_catalog_has_no_more_is_not_proposed() -> None:
    call = a_call(said(1, "x"), speakers=(Speaker("x", None, "X"),))
    [found] = propose_roles(call, DECLARED, {"x": "clinician"})
    assert (found.role, found.origin) == (None, None)


def test_the_sources_own_word_survives_the_map() -> None:
    speakers = (Speaker("p1", "Human_Agent", "Ann"), Speaker("doctor", None, "D"))
    call = a_call(said(1, "p1"), said(2, "doctor"), speakers=speakers)
    mapped = apply_role_map(call, {"p1": "agent", "doctor": "patient"})
    assert [word_of(one) for one in mapped.speakers.values()] == ["human agent", "doctor"]
    assert apply_role_map(mapped, {"p1": "agent"}) == mapped


def test_a_speaker_that_a_person_left_unread_is_not_proposed_again() -> None:
    call = a_call(said(1, "user"), speakers=(Speaker("user", None, "User"),))
    unread = apply_role_map(call, {"user": NOT_READ})
    assert propose_role_map(unread, DECLARED) == ({}, ())
    assert unread.turns[0].role == NOT_READ


def test_settings_replace_what_is_named_and_keep_the_rest() -> None:
    call = replace(a_call(), attributes={"type": "x", "kept": "k", "date": date(2026, 1, 1)})
    settled = settle(call, Settings({"type": None, "date": date(2026, 2, 2)}, None, "de"))
    assert settled.attributes == {"kept": "k", "date": date(2026, 2, 2)}
    assert (settled.ended, settled.language) == (None, "de")
    assert settled.turns == call.turns


def test_doubts_name_their_turns_and_roles_are_none_of_them() -> None:
    late = replace(said(2, "p", "patient"), flags=("out_of_order", "role_unknown"))
    flags = ("out_of_order", "role_unknown", "several_legs", "no_times")
    call = replace(a_call(said(1, "a", "agent"), late), flags=flags)
    assert [(one.code, one.turns) for one in doubts_of(call)] == [
        ("out_of_order", (2,)),
        ("several_legs", ()),
    ]


def test_voices_come_with_counts_and_first_words() -> None:
    call = a_call(said(1, "a", "agent", " "), said(2, "a", "agent", "two\n words"), said(3, "z"))
    first, other = voices_of(call)
    assert (first.key, first.count, first.first_turn, first.first_words) == ("a", 2, 2, "two words")
    assert (other.key, other.label, other.role) == ("z", "z", None)


def test_findings_about_roles_go_where_the_call_has_them_by_now() -> None:
    findings = (
        warning("role_unknown", "c, speaker a", "Choose one."),
        warning("overlap", "c, turn 2", "Check it."),
        note("end_assumed", "c", "It counts as ended."),
    )
    kept = [one.code for one in open_findings(findings, a_call())]
    assert kept == ["overlap", "end_assumed"]
    still_open = replace(a_call(), flags=("role_unknown",))
    assert open_findings(findings, still_open) == findings


def test_a_later_revision_has_a_digest_of_its_own_and_the_first_the_one_it_had() -> None:
    call = a_call()
    assert transcript_digest(call) == (
        # As it was before there were revisions: what was stored then keeps its name.
        "b4240d3b8c4ebc176d38dfa69978d4ce9cb40c6566648ae3ff9f113fbb93c0f5"
    )
    assert transcript_digest(replace(call, revision=2)) != transcript_digest(call)
