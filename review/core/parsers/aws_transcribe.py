"""Reader of AWS Transcribe: batch results by speakers, by channels or by neither; stream events.

Words carry the times, as texts of seconds; punctuation has none and belongs to the word before it.
A turn opens where the speaker changes. Channels are cut where a sentence ends or a second of
silence lies, put in the order of their starts, and joined again. Of stream events the last one that
is not partial counts for its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    label_of,
    object_of,
    objects_in,
    read_found,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import number_of
from review.core.transcript.records import read_records
from review.core.transcript.speech import (
    Segment,
    Word,
    in_time_order,
    merged,
    say_segments,
    segments_of_words,
    sentences_of_words,
)

NAME = "aws-transcribe"
TITLE = "AWS Transcribe"

_STREAM = ("TranscriptResultStream", "TranscriptEvent", "Transcript", "Results")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    is_batch = isinstance(at_path(head, "results", "transcripts"), list) and isinstance(
        at_path(head, "results", "items"), list
    )
    return is_batch or _results_of(head) is not None


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file; its stream events, if it holds such, are one call. Never
    raises.
    """
    records, findings = read or read_records(data, name=name)
    values = [record.value for record in records]
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if values and _results_of(values[0]) is not None:
        events: list[Found] = [(name, {"events": values})]
        return read_found(data, events, name=name, read_call=_read_stream, findings=findings)
    return read_json_calls(data, name=name, read=(records, findings), read_call=_read_call)


def _results_of(value: object) -> object:
    """Return the results of a stream event, with or without its envelopes, or None."""
    for skip in range(len(_STREAM) - 1):
        results = at_path(value, *_STREAM[skip:])
        if isinstance(results, list):
            return results
    return None


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "jobName"))
    raw = object_of(value, found)
    draft = Draft(found)
    channels = objects_in(raw, "results", "channel_labels", "channels", found=found)
    if channels:
        segments = list(_by_channel(channels, found))
        say_segments(merged(in_time_order(segments, found)), draft)
    else:
        words = list(_words(raw, _speakers_by_time(raw, found), found))
        say_segments(segments_of_words(words), draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _speakers_by_time(raw: Mapping[str, Any], found: CallFindings) -> dict[str, str]:
    """Return who speaks by the start of a word: older files say it of segments only."""
    speakers: dict[str, str] = {}
    for segment in objects_in(raw, "results", "speaker_labels", "segments", found=found):
        for item in objects_in(segment, "items", found=found):
            speaker = label_of(item.get("speaker_label") or segment.get("speaker_label"))
            speakers[str(item.get("start_time"))] = speaker
    return speakers


def _words(
    raw: Mapping[str, Any], speakers: Mapping[str, str], found: CallFindings
) -> Iterator[Word]:
    for item in objects_in(raw, "results", "items", found=found):
        said = label_of(item.get("speaker_label"))
        yield _word(item, said or speakers.get(str(item.get("start_time")), ""))


def _word(item: Mapping[str, Any], speaker: str) -> Word:
    text = at_path(item, "alternatives", 0, "content")
    return Word(
        text if isinstance(text, str) else "",
        number_of(item.get("start_time")),
        number_of(item.get("end_time")),
        speaker,
        joins=item.get("type") == "punctuation",
    )


def _by_channel(channels: list[Mapping[str, Any]], found: CallFindings) -> Iterator[Segment]:
    for track, channel in enumerate(channels):
        label = label_of(channel.get("channel_label"))
        words = [_word(item, label) for item in objects_in(channel, "items", found=found)]
        yield from sentences_of_words(words, track=track)


def _read_stream(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(None)
    raw = object_of(value, found)
    draft = Draft(found)
    latest: dict[str, Mapping[str, Any]] = {}
    unfinished: dict[str, None] = {}
    for event in objects_in(raw, "events", found=found):
        for result in objects_in({"Results": _results_of(event)}, "Results", found=found):
            key = str(result.get("ResultId") or f"result {len(latest)}")
            if result.get("IsPartial") is True:
                unfinished[key] = None
            else:
                latest[key] = result
    if unfinished:
        text = f"{len(unfinished)} results that were not final were left out."
        found.note("partial_results_dropped", "", text)
    if unfinished.keys() - latest.keys():
        text = "The last words were never finished by the recogniser and are missing. Check them."
        found.warn("unfinished_partial_at_end", "", text)
    say_segments((_stream_segment(result, found) for result in latest.values()), draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _stream_segment(result: Mapping[str, Any], found: CallFindings) -> Segment:
    best = at_path(result, "Alternatives", 0)
    best = best if isinstance(best, Mapping) else {}
    words = tuple(
        Word(
            text_in(item, "Content"),
            number_of(item.get("StartTime")),
            number_of(item.get("EndTime")),
            label_of(item.get("Speaker"), "speaker "),
            joins=item.get("Type") == "punctuation",
        )
        for item in objects_in(best, "Items", found=found)
    )
    speaker = label_of(result.get("ChannelId")) or next((w.speaker for w in words), "")
    return Segment(
        speaker,
        text_in(best, "Transcript"),
        number_of(result.get("StartTime")),
        number_of(result.get("EndTime")),
        words,
    )
