"""Reader of Azure: batch transcriptions (``recognizedPhrases``) and conversations for analysis.

A batch of a stereo recording lists one channel after the other; its phrases are put in the order of
their starts. Offsets are milliseconds, ticks of 100 ns or ISO 8601 durations. The first of the best
readings is taken; a phrase the machine made nothing of is left out and noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    each_of,
    label_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import duration_of, number_of, scaled
from review.core.transcript.speech import Segment, refuse_other_unit, say_segments

NAME = "azure-speech"
TITLE = "Azure Speech"

_MS, _TICK = "0.001", "0.0000001"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    is_batch = isinstance(at_path(head, "recognizedPhrases"), list)
    return is_batch or isinstance(at_path(_conversations(head), 0, "conversationItems"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call, find=_find)


def _conversations(value: object) -> object:
    inner = at_path(value, "analysisInput", "conversations")
    return at_path(value, "conversations") if inner is None else inner


def _find(value: object, where: str) -> Iterator[Found]:
    for place, one in each_of(value, where):
        listed = _conversations(one)
        if isinstance(listed, list):
            yield from each_of(listed, place)
        else:
            yield place, one


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    raw = object_of(value, found)
    draft = Draft(found)
    for item in objects_in(raw, "conversationItems", found=found):
        draft.say(label_of(item.get("participantId")), text_in(item, "text"))
    segments = list(_segments(raw, found))
    length = scaled(raw.get("durationMilliseconds"), _MS)
    refuse_other_unit(segments, length or duration_of(raw.get("duration")), found)
    say_segments(segments, draft)
    language = raw.get("language")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found


def _segments(raw: Mapping[str, Any], found: CallFindings) -> Iterator[Segment]:
    phrases = objects_in(raw, "recognizedPhrases", found=found)
    by_channel = len({str(phrase.get("channel")) for phrase in phrases}) > 1
    for k, phrase in enumerate(phrases):
        text = at_path(phrase, "nBest", 0, "display")
        if not isinstance(text, str):
            sentence = "The recogniser made no words of this phrase; it was left out."
            found.note("phrase_without_words", f"recognizedPhrases[{k}]", sentence)
            continue
        start, length = _seconds(phrase, "offset"), _seconds(phrase, "duration")
        channel = phrase.get("channel")
        yield Segment(
            label_of(channel, "channel ")
            if by_channel
            else label_of(phrase.get("speaker"), "speaker "),
            text,
            start,
            None if start is None or length is None else start + length,
            track=channel if by_channel and isinstance(channel, int) else 0,
        )


def _seconds(phrase: Mapping[str, Any], what: str) -> Decimal | None:
    for key, factor in ((f"{what}Milliseconds", _MS), (f"{what}InTicks", _TICK)):
        if number_of(phrase.get(key)) is not None:
            return scaled(phrase[key], factor)
    return duration_of(phrase.get(what))
