"""Reader of Whisper and WhisperX output (``segments``), with or without speakers.

A word without a speaker is its segment's, a segment is split where its words change their speaker,
and no word lasts beyond the start of the next one. Times are seconds.
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
from review.core.transcript.moments import number_of
from review.core.transcript.speech import Segment, Word, say_segments, trimmed

NAME = "whisperx"
TITLE = "Whisper and WhisperX"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    segment = at_path(head, "segments", 0)
    return isinstance(segment, Mapping) and {"start", "end", "text"} <= segment.keys()


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(None)
    raw = object_of(value, found)
    draft = Draft(found)
    say_segments(
        (
            Segment(
                label_of(one.get("speaker")),
                text_in(one, "text").strip(),
                number_of(one.get("start")),
                number_of(one.get("end")),
                trimmed(list(_words(one, found))),
            )
            for one in objects_in(raw, "segments", found=found)
        ),
        draft,
    )
    language = raw.get("language")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found


def _words(raw: Mapping[str, Any], found: CallFindings) -> Iterator[Word]:
    for word in objects_in(raw, "words", found=found):
        yield Word(
            text_in(word, "word", "text"),
            number_of(word.get("start")),
            number_of(word.get("end")),
            label_of(word.get("speaker")),
        )
