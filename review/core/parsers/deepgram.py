"""Reader of Deepgram transcripts: utterances, else paragraphs, else words.

Speakers are numbers that the machine guessed, or the channels of a recording with several. An
utterance in which the words change their speaker is split. Times are seconds.
"""

from __future__ import annotations

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.deepgram_results import segments_of_results
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    read_json_calls,
)
from review.core.transcript.moments import number_of
from review.core.transcript.speech import refuse_other_unit, say_segments

NAME = "deepgram"
TITLE = "Deepgram"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return isinstance(at_path(head, "results", "channels", 0, "alternatives"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "metadata", "request_id"))
    raw = object_of(value, found)
    draft = Draft(found)
    segments = list(segments_of_results(raw, found))
    refuse_other_unit(segments, number_of(at_path(raw, "metadata", "duration")), found)
    say_segments(segments, draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found
