"""Reader of Deepgram transcripts: utterances, else paragraphs, else words.

Speakers are numbers that the machine guessed, or the channels of a recording with several. An
utterance in which the words change their speaker is split. Times are seconds.
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
from review.core.transcript.speech import (
    Segment,
    Word,
    refuse_other_unit,
    say_segments,
    segments_of_words,
)

NAME = "deepgram"


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


def segments_of_results(raw: Mapping[str, Any], found: CallFindings) -> Iterator[Segment]:
    """Yield the segments of a transcript, channel by channel if there are several."""
    channels = objects_in(raw, "results", "channels", found=found)
    by_channel = len(channels) > 1
    utterances = objects_in(raw, "results", "utterances", found=found)
    for one in utterances:
        words = tuple(_words(one, found, by_channel=by_channel, channel=one.get("channel")))
        track = one.get("channel") if by_channel else 0
        yield Segment(
            _label(one, one.get("channel"), by_channel=by_channel),
            text_in(one, "transcript"),
            number_of(one.get("start")),
            number_of(one.get("end")),
            words,
            track if isinstance(track, int) else 0,
        )
    for k, channel in enumerate([] if utterances else channels):
        best = at_path(channel, "alternatives", 0)
        best = best if isinstance(best, Mapping) else {}
        paragraphs = objects_in(best, "paragraphs", "paragraphs", found=found)
        for one in paragraphs:
            yield _paragraph(one, k, found, by_channel=by_channel)
        if not paragraphs:
            words = tuple(_words(best, found, by_channel=by_channel, channel=k))
            yield from segments_of_words(words, track=k)


def _paragraph(
    one: Mapping[str, Any], channel: int, found: CallFindings, *, by_channel: bool
) -> Segment:
    sentences = objects_in(one, "sentences", found=found)
    return Segment(
        _label(one, channel, by_channel=by_channel),
        " ".join(text for sentence in sentences if (text := text_in(sentence, "text"))),
        number_of(one.get("start")),
        number_of(one.get("end")),
        track=channel,
    )


def _words(
    raw: Mapping[str, Any], found: CallFindings, *, by_channel: bool, channel: object
) -> Iterator[Word]:
    for word in objects_in(raw, "words", found=found):
        yield Word(
            text_in(word, "punctuated_word", "word"),
            number_of(word.get("start")),
            number_of(word.get("end")),
            _label(word, channel, by_channel=by_channel),
        )


def _label(one: Mapping[str, Any], channel: object, *, by_channel: bool) -> str:
    if by_channel:
        return label_of(channel, "channel ")
    return label_of(one.get("speaker"), "speaker ")
