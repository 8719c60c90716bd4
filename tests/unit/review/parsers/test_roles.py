"""Roles are proposed from labels and confirmed by a person, never guessed by alternation."""

from typing import Any

import pytest

from review.core.transcript import ORDER_AFFECTING, apply_role_map, propose_role_map
from tests.unit.review.parsers.call_files import a_call, a_turn, read_messages, read_one

RESPIRATORY = ("clinician", "patient")


def spoken_by(*speakers: str, roles: dict[str, Any] | None = None) -> Any:
    """Return a call in which these speakers have a turn each."""
    declared = {key: {"role": (roles or {}).get(key)} for key in speakers}
    turns = [a_turn(k, speaker=key) for k, key in enumerate(speakers)]
    return read_one(a_call(speakers=declared, turns=turns))[0]


@pytest.mark.parametrize(
    ("speakers", "declared", "proposed", "left_open"),
    [
        (["doctor", "patient"], RESPIRATORY, {"doctor": "clinician", "patient": "patient"}, []),
        (["Doctor"], RESPIRATORY, {"Doctor": "clinician"}, []),
        (["nurse"], RESPIRATORY, {"nurse": "clinician"}, []),
        (["nurse"], ["nurse", "clinician"], {"nurse": "nurse"}, []),
        (["nurse", "user"], ["nurse", "caller"], {"nurse": "nurse", "user": "caller"}, []),
        (
            ["assistant", "user"],
            ["agent", "patient"],
            {"assistant": "agent", "user": "patient"},
            [],
        ),
        (["user"], ["caller", "patient"], {}, ["user"]),
        (["user"], ["agent", "rep"], {}, ["user"]),
        (["speaker_0", "speaker_1"], RESPIRATORY, {}, ["speaker_0", "speaker_1"]),
        (["doctor", "x"], RESPIRATORY, {"doctor": "clinician"}, ["x"]),
    ],
)
def test_a_map_is_proposed_from_well_known_labels(
    speakers: list[str], declared: list[str], proposed: dict[str, str], left_open: list[str]
) -> None:
    roles, findings = propose_role_map(spoken_by(*speakers), declared)
    assert roles == proposed
    assert [finding.where for finding in findings] == [f"c1, speaker {key}" for key in left_open]
    assert {finding.code for finding in findings} <= {"role_unknown"}


def test_a_role_the_file_states_counts_first() -> None:
    call = spoken_by("doctor", roles={"doctor": "patient"})
    assert propose_role_map(call, RESPIRATORY)[0] == {"doctor": "patient"}


def test_tools_need_no_role() -> None:
    messages = [
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "x"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "ok"},
    ]
    call, _ = read_messages(messages)
    assert propose_role_map(call, ["agent", "patient"]) == ({"user": "patient"}, ())


def test_a_confirmed_map_sets_roles_and_settles_the_flags() -> None:
    call = spoken_by("doctor", "patient")
    assert "role_unknown" in call.flags
    half = apply_role_map(call, {"doctor": "clinician"})
    assert [turn.role for turn in half.turns] == ["clinician", None]
    assert "role_unknown" in half.flags
    whole = apply_role_map(half, {"patient": "patient"})
    assert [turn.role for turn in whole.turns] == ["clinician", "patient"]
    assert not ORDER_AFFECTING & set(whole.flags)
    assert whole.speakers["doctor"].role == "clinician"


def test_a_confirmed_map_gives_a_role_to_a_speaker_nobody_declared() -> None:
    call, _ = read_one(a_call(turns=[a_turn(1), a_turn(2, speaker="ghost")]))
    assert call.turns[1].flags == ("missing_speaker",)
    mapped = apply_role_map(call, {"ghost": "patient", "nobody": "x"})
    assert (mapped.turns[1].role, mapped.turns[1].flags, mapped.flags) == ("patient", (), ())
    assert set(mapped.speakers) == {"agent", "ghost"}
