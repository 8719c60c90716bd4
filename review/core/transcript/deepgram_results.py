"""Segments of a Deepgram result, which is a file of its own or lies inside of a vCon.

Speakers are numbers that the machine guessed, or the channels of a recording with several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript.gathering import CallFindings
from review.core.transcript.json_files import at_path, label_of, objects_in, text_in
from review.core.transcript.moments import number_of
from review.core.transcript.speech import Segment, Word, segments_of_words


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
