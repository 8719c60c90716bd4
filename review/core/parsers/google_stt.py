"""Reader of Google Speech-to-Text results, versions 1 and 2.

With speakers told apart, the last result repeats every word of the call with its speaker and the
earlier ones have none: then only the last one is read. Else each result is a segment, and its
channel is its speaker where there are several. Times are texts of seconds ("1.200s").
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
from review.core.transcript.moments import duration_of
from review.core.transcript.speech import Segment, Word, say_segments, segments_of_words

NAME = "google-stt"
TITLE = "Google Speech-to-Text"

_STARTS, _ENDS = ("startTime", "startOffset"), ("endTime", "endOffset")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    results = at_path(_body(head), "results")
    best = at_path(results, 0, "alternatives", 0)
    return isinstance(best, Mapping) and "transcript" in best


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _body(value: object) -> object:
    """Return the answer inside of a long-running operation, or the value itself."""
    inner = at_path(value, "response")
    return inner if isinstance(inner, Mapping) else value


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    body = _body(value)
    found, identity = origin.begin(at_path(value, "name") or None)
    raw = object_of(body, found)
    draft = Draft(found)
    results = objects_in(raw, "results", found=found)
    last = list(_words(results[-1], found)) if results else []
    if any(word.speaker for word in last):
        say_segments(segments_of_words(last), draft)
    else:
        say_segments(_by_result(results, found), draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _by_result(results: list[Mapping[str, Any]], found: CallFindings) -> Iterator[Segment]:
    channels = {str(result["channelTag"]) for result in results if result.get("channelTag")}
    for result in results:
        words = list(_words(result, found))
        tag = result.get("channelTag")
        yield Segment(
            label_of(tag, "channel ") if tag else "",
            text_in(_best(result), "transcript").strip(),
            words[0].start if words else None,
            duration_of(result.get("resultEndTime", result.get("resultEndOffset"))),
            track=tag if isinstance(tag, int) and len(channels) > 1 else 0,
        )


def _words(result: Mapping[str, Any], found: CallFindings) -> Iterator[Word]:
    for word in objects_in(_best(result), "words", found=found):
        tag = word.get("speakerTag") or word.get("speakerLabel")
        yield Word(
            text_in(word, "word"),
            _time(word, _STARTS),
            _time(word, _ENDS),
            label_of(tag, "speaker ") if tag else "",
        )


def _time(word: Mapping[str, Any], keys: tuple[str, str]) -> Any:
    return next((duration_of(word[key]) for key in keys if key in word), None)


def _best(result: Mapping[str, Any]) -> Mapping[str, Any]:
    best = at_path(result, "alternatives", 0)
    return best if isinstance(best, Mapping) else {}
