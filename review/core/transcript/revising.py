"""What a person may change about a stored transcript: settings, roles, who spoke a range of turns.

Words, turn numbers, times and their order are never changed; a change gives another value, which is
stored as the next transcript revision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from catalogs.core.findings import Finding
from review.core.transcript.model import ORDER_AFFECTING, Attribute, Call, Speaker
from review.core.transcript.roles import TOOL_KINDS, apply_role_map

_SAID_OF_ROLES = frozenset({"role_unknown", "role_unconfirmed", "missing_speaker"})
_FIRST_WORDS = 120


class CannotSwap(ValueError):
    """The swap would change nothing or names nobody of the call; the sentence says which."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Two speaker keys exchanged in the turns numbered `first` to `last`, both included."""

    first: int
    last: int
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What is known of the call itself, beside its turns. `attributes` replace those of the same
    name; one that is None is taken away.
    """

    attributes: Mapping[str, Attribute]
    ended: bool | None
    language: str | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding that may change the order of turns or a speaker: its code, and its turns (none
    where it is about the whole call).
    """

    code: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Voice:
    """A speaker who speaks: in how many turns, from which on, and the first words."""

    key: str
    label: str
    stated: str
    role: str | None
    count: int
    first_turn: int
    first_words: str


def swap_voices(call: Call, swap: Swap) -> Call:
    """Return the call with two speakers exchanged over a range; tool turns stay whose they are.

    Raises CannotSwap for a range or speakers that would change nothing.
    """
    _check_swap(call, swap)
    other_of = {swap.one: swap.other, swap.other: swap.one}
    turns = tuple(
        replace(turn, speaker=other_of[turn.speaker], role=_role_of(call, other_of[turn.speaker]))
        if swap.first <= turn.number <= swap.last
        and turn.kind not in TOOL_KINDS
        and turn.speaker in other_of
        else turn
        for turn in call.turns
    )
    if turns == call.turns:
        raise CannotSwap(
            f"None of the turns {swap.first} to {swap.last} is spoken by either of the two."
        )
    roles = {key: role for key in other_of if (role := _role_of(call, key)) is not None}
    return apply_role_map(replace(call, turns=turns), roles)


def settle(call: Call, settings: Settings) -> Call:
    """Return the call with its settings replaced."""
    merged = {**call.attributes, **settings.attributes}
    return replace(
        call,
        attributes={name: value for name, value in merged.items() if value is not None},
        ended=settings.ended,
        language=settings.language,
    )


def doubts_of(call: Call) -> tuple[Doubt, ...]:
    """Return what a person must look at before the call is read, beside open roles."""
    codes = sorted(set(call.flags) & ORDER_AFFECTING - _SAID_OF_ROLES)
    return tuple(
        Doubt(code, tuple(turn.number for turn in call.turns if code in turn.flags))
        for code in codes
    )


def voices_of(call: Call) -> tuple[Voice, ...]:
    """Return who speaks, in the order in which they first do."""
    spoken = [turn for turn in call.turns if turn.kind not in TOOL_KINDS]
    voices = []
    for key in dict.fromkeys(turn.speaker for turn in spoken):
        speaker = call.speakers.get(key, Speaker(key, None, key))
        mine = [turn for turn in spoken if turn.speaker == key]
        first = next((turn for turn in mine if turn.text.strip()), mine[0])
        voices.append(
            Voice(
                key=key,
                label=speaker.label,
                stated=speaker.stated or speaker.role or "",
                role=speaker.role,
                count=len(mine),
                first_turn=first.number,
                first_words=" ".join(first.text[: 4 * _FIRST_WORDS].split())[:_FIRST_WORDS],
            )
        )
    return tuple(voices)


def open_findings(findings: Iterable[Finding], call: Call) -> tuple[Finding, ...]:
    """Return the findings without those about roles that the call has by now."""
    settled = _SAID_OF_ROLES - set(call.flags)
    return tuple(finding for finding in findings if finding.code not in settled)


def _check_swap(call: Call, swap: Swap) -> None:
    keys = {turn.speaker for turn in call.turns} | call.speakers.keys()
    if swap.one == swap.other:
        raise CannotSwap("Choose two different speakers.")
    for key in (swap.one, swap.other):
        if key not in keys:
            raise CannotSwap(f"The call has no speaker {key[:80]!r}.")
    if swap.first > swap.last:
        raise CannotSwap(f"Turn {swap.first} comes after turn {swap.last}; turn the two around.")


def _role_of(call: Call, key: str) -> str | None:
    speaker = call.speakers.get(key)
    return None if speaker is None else speaker.role
