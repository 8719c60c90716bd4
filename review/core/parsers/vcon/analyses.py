"""Transcripts among the analyses of a vCon, in every shape that is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from review.core.parsers.vcon.parties import Parties
from review.core.transcript import normalise_newlines
from review.core.transcript.deepgram_results import segments_of_results
from review.core.transcript.drafting import Draft, parsed
from review.core.transcript.json_files import at_path, label_of, text_in
from review.core.transcript.labels import (
    MAX_LINES,
    find_labels,
    labels_that_count,
    split_at_labels,
)
from review.core.transcript.moments import Moment, moment_of, number_of, since
from review.core.transcript.speech import Segment, say_segments

_TYPES = ("transcript", "wtf_transcription")


def say_transcripts(
    analyses: list[Mapping[str, Any]], parties: Parties, zero: Moment | None, draft: Draft
) -> None:
    """Add the first transcript that holds words as turns; several are noted."""
    held = [one for one in analyses if str(one.get("type")).startswith(_TYPES)]
    for k, analysis in enumerate(held):
        body = analysis.get("body")
        value = parsed(body) if isinstance(body, str) and body.lstrip()[:1] in "{[" else body
        say_segments(_segments(value, parties, zero, draft), draft)
        if draft.turns:
            if k + 1 < len(held):
                text = "The vCon holds several transcripts; the first with words was read."
                draft.found.note("duplicate_of_transcript_analysis", "analysis", text)
            return


def _segments(
    body: object, parties: Parties, zero: Moment | None, draft: Draft
) -> Iterator[Segment]:
    if isinstance(body, str):
        yield from _labelled(body, draft)
    elif isinstance(at_path(body, "results", "channels"), list) and isinstance(body, Mapping):
        yield from segments_of_results(body, draft.found)
    elif isinstance(at_path(body, "channel", "alternatives"), list):
        results = {"results": {"channels": [at_path(body, "channel")]}}
        yield from segments_of_results(results, draft.found)
    elif isinstance(at_path(body, "alternatives"), list):
        yield from segments_of_results({"results": {"channels": [body]}}, draft.found)
    else:
        listed = body if isinstance(body, list) else at_path(body, "segments")
        for item in listed if isinstance(listed, list) else []:
            if isinstance(item, Mapping):
                yield _segment(item, parties, zero)


def _segment(item: Mapping[str, Any], parties: Parties, zero: Moment | None) -> Segment:
    start = since(zero, moment_of(item.get("start")))
    length = number_of(item.get("duration"))
    if start is None and not isinstance(item.get("start"), str):
        start = number_of(item.get("start"))
    end = number_of(item.get("end")) if length is None else _sum(start, length)
    speaker = parties.speaker(item.get("parties")) or label_of(item.get("speaker"))
    return Segment(speaker, text_in(item, "message", "text", "transcript", "content"), start, end)


def _sum(start: Decimal | None, length: Decimal) -> Decimal | None:
    return None if start is None else start + length


def _labelled(text: str, draft: Draft) -> Iterator[Segment]:
    lines = normalise_newlines(text).split("\n")
    if len(lines) > MAX_LINES:
        sentence = f"The transcript has {len(lines):,} lines; at most {MAX_LINES:,} are read."
        draft.found.refuse("too_many_lines", "analysis", sentence)
    for piece in split_at_labels(lines, labels_that_count(find_labels(lines))):
        yield Segment(piece.label or "", piece.text, piece.stamp)
