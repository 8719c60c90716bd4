"""Speakers of formats that know labels only: nobody's role is known, and a turn may have no speaker
at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Speaker, Turn, TurnKind

_SAID = (TurnKind.SPEECH, TurnKind.IVR)


def name_speakers(turns: Iterable[Turn], found: CallFindings) -> dict[str, Speaker]:
    """Return the speakers of turns by their labels, without roles; report each (``role_unknown``).

    A turn that is said and has no speaker is reported (``missing_speaker``); none is made up.
    """
    speakers: dict[str, Speaker] = {}
    for turn in turns:
        if turn.speaker:
            if turn.speaker not in speakers:
                speakers[turn.speaker] = Speaker(turn.speaker, turn.role, turn.speaker)
        elif turn.kind in _SAID:
            text = f"Nothing says who speaks turn {turn.number}. Say who speaks."
            found.warn("missing_speaker", f"turn {turn.number}", text, turn=turn.number)
    for speaker in speakers.values():
        if speaker.role is None:
            text = f"Nobody has said which role the speaker {speaker.key!r} has. Choose one."
            found.warn("role_unknown", f"speaker {speaker.key}", text)
    return speakers


def file_stem(name: str) -> str:
    """Return a file's name without folders and without its last suffix, as the id of its one call.

    >>> file_stem("in/zoom.transcript.vtt")
    'zoom.transcript'
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return (last.rpartition(".")[0] or last or "call")[:200]
