"""The mapping page as one value: why a call waits, how it would be read, what was done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogs.core.findings import Finding
from review.core.lifecycle import CallState, Owner, may_move
from review.core.transcript import NOT_READ, Call, Settings, Voice, apply_role_map, settle
from review.presenters.standing import state_words
from review.queries.mapping import MappingCall, RevisionLine

#: Enough to see whether the roles are right, not yet the whole call.
PREVIEW_TURNS = 12
_MOST_CHARACTERS = 300
_ENDED = {True: "yes", False: "no", None: "nobody knows"}


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One turn as it would be read; `unread` is said by nobody the catalog knows."""

    number: int
    role: str
    speaker: str
    text: str
    unread: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing a person typed beside what is stored now."""

    name: str
    stored: str
    yours: str
    differs: bool


@dataclass(frozen=True, slots=True)
class MappingPage:
    """The page. Without `is_open` nothing is asked; `can_send_back`: it may be asked again."""

    title: str
    external_id: str
    source: str
    state: str
    sentence: str
    is_open: bool
    has_failed: bool
    can_send_back: bool
    findings: tuple[Finding, ...]
    preview: tuple[PreviewLine, ...]
    more_turns: int
    turn_count: int
    revision: int
    revisions: tuple[RevisionLine, ...]


def show_mapping(call: Call, stored: MappingCall, roles: Mapping[str, str]) -> MappingPage:
    """Draw a call with the roles that were typed or proposed."""
    mapped = apply_role_map(call, roles)
    return MappingPage(
        title=call.title or call.id,
        external_id=call.id,
        source=stored.source,
        state=state_words(stored.state),
        sentence=stored.sentence,
        is_open=stored.is_open,
        has_failed=stored.is_open and stored.has_failed,
        can_send_back=may_move(CallState(stored.state), CallState.NEEDS_MAPPING, Owner.INTAKE),
        findings=stored.findings,
        preview=_preview(mapped, frozenset(roles)),
        more_turns=max(0, len(mapped.turns) - PREVIEW_TURNS),
        turn_count=len(mapped.turns),
        revision=stored.revision,
        revisions=stored.revisions,
    )


def compare(
    call: Call, voices: Sequence[Voice], settings: Settings, roles: Mapping[str, str]
) -> tuple[Difference, ...]:
    """Put what a person typed beside what the call says now."""
    typed = settle(call, settings)
    names = sorted(settings.attributes.keys() - {"date"})
    pairs = [
        *(
            (_words(name), _said(call.attributes.get(name)), _said(typed.attributes.get(name)))
            for name in names
        ),
        ("date", _said(call.date), _said(typed.date)),
        ("ended", _ENDED[call.ended], _ENDED[typed.ended]),
        ("language", _said(call.language), _said(typed.language)),
        *(
            (f"role of {one.label or 'no speaker'}", _said(one.role), _said(roles.get(one.key)))
            for one in voices
        ),
    ]
    return tuple(Difference(name, now, mine, now != mine) for name, now, mine in pairs)


def _preview(call: Call, known: frozenset[str]) -> tuple[PreviewLine, ...]:
    lines = []
    for turn in call.turns[:PREVIEW_TURNS]:
        speaker = call.speakers.get(turn.speaker)
        cut = turn.text[:_MOST_CHARACTERS]
        lines.append(
            PreviewLine(
                number=turn.number,
                role=_words(turn.role or "no role"),
                speaker=speaker.label if speaker else turn.speaker,
                text=cut + ("…" if len(turn.text) > len(cut) else ""),
                unread=turn.role in (None, NOT_READ) or turn.speaker not in known,
            )
        )
    return tuple(lines)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _said(value: object) -> str:
    return "not said" if value is None else _words(str(value))
