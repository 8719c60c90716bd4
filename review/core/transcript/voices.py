"""Speakers of formats that know labels only, and the last step from such turns to a call.

Nobody's role is known unless the file has a column for it, and a turn may have no speaker at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Attribute, Call, Event, Source, Speaker, Turn, TurnKind
from review.core.transcript.timing import observe_times
from review.core.transcript.turns import finish_call

_SAID = (TurnKind.SPEECH, TurnKind.IVR)


def spoken_call(
    turns: tuple[Turn, ...],
    source: Source,
    found: CallFindings,
    *,
    attributes: Mapping[str, Attribute] | None = None,
    events: tuple[Event, ...] = (),
) -> Call:
    """Make a call of turns whose speakers are labels.

    Reports what the times say, that the end is not known, and who has no role.
    """
    observe_times(turns, found)
    if all(turn.start_ms is None for turn in turns):
        found.note("no_times", "", "The source has no times; rules on seconds stay unknown.")
    found.note(
        "end_assumed", "", "The source does not say whether the call ended; it counts as ended."
    )
    call = Call(
        id=source.external_id,
        title=source.external_id,
        attributes=attributes or {},
        speakers=name_speakers(turns, found),
        turns=turns,
        events=events,
        ended=True,
        source=source,
    )
    return finish_call(call, found)


def name_speakers(turns: Iterable[Turn], found: CallFindings) -> dict[str, Speaker]:
    """Return the speakers of turns by their labels; report each without a role (``role_unknown``).

    A turn that is said and has no speaker is reported (``missing_speaker``); none is made up.
    """
    speakers: dict[str, Speaker] = {}
    for turn in turns:
        if turn.speaker:
            known = speakers.get(turn.speaker)
            if known is None or known.role is None:
                speakers[turn.speaker] = Speaker(turn.speaker, turn.role, turn.speaker)
        elif turn.kind in _SAID:
            text = f"Nothing says who speaks turn {turn.number}. Say who speaks."
            found.warn("missing_speaker", f"turn {turn.number}", text, turn=turn.number)
    talkers = {turn.speaker for turn in turns if turn.kind in _SAID}
    for speaker in speakers.values():
        if speaker.role is None and speaker.key in talkers:
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
