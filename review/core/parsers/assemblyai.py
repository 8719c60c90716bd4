"""Reader of AssemblyAI transcripts: utterances, else one run of words per speaker.

Times of words and utterances are milliseconds, the length of the recording is seconds. Without
speaker labels nobody's turn is known, and that is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
from review.core.transcript.moments import number_of, scaled
from review.core.transcript.speech import (
    Segment,
    Word,
    refuse_other_unit,
    say_segments,
    segments_of_words,
)

NAME = "assemblyai"
TITLE = "AssemblyAI"

_MS = "0.001"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping) or "audio_duration" not in head:
        return False
    return isinstance(head.get("utterances"), list) or isinstance(head.get("words"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    raw = object_of(value, found)
    draft = Draft(found)
    segments = list(_segments(raw, found))
    refuse_other_unit(segments, number_of(raw.get("audio_duration")), found)
    say_segments(segments, draft)
    language = raw.get("language_code")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found


def _segments(raw: Mapping[str, Any], found: CallFindings) -> Iterator[Segment]:
    utterances = objects_in(raw, "utterances", found=found)
    for one in utterances:
        yield Segment(
            label_of(one.get("speaker"), "speaker "),
            text_in(one, "text"),
            scaled(one.get("start"), _MS),
            scaled(one.get("end"), _MS),
            tuple(_words(one, found)),
        )
    if not utterances:
        yield from segments_of_words(list(_words(raw, found)))


def _words(raw: Mapping[str, Any], found: CallFindings) -> Iterator[Word]:
    for word in objects_in(raw, "words", found=found):
        yield Word(
            text_in(word, "text"),
            scaled(word.get("start"), _MS),
            scaled(word.get("end"), _MS),
            label_of(word.get("speaker"), "speaker "),
        )
