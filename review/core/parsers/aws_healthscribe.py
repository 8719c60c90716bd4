"""Reader of AWS HealthScribe transcripts (``Conversation.TranscriptSegments``).

Labels (CLINICIAN_0, PATIENT_0) are guesses of the machine; a person says once who they are. Times
are seconds of the recording.
"""

from __future__ import annotations

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    label_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import number_of
from review.core.transcript.speech import Segment, say_segments

NAME = "aws-healthscribe"
TITLE = "AWS HealthScribe"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return isinstance(at_path(head, "Conversation", "TranscriptSegments"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "Conversation", "ConversationId"))
    raw = object_of(value, found)
    draft = Draft(found)
    segments = objects_in(raw, "Conversation", "TranscriptSegments", found=found)
    say_segments(
        (
            Segment(
                label_of(at_path(one, "ParticipantDetails", "ParticipantRole")),
                text_in(one, "Content"),
                number_of(one.get("BeginAudioTime")),
                number_of(one.get("EndAudioTime")),
            )
            for one in segments
        ),
        draft,
    )
    language = at_path(raw, "Conversation", "LanguageCode")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found
