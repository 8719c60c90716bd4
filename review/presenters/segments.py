"""A turn's text cut where evidence begins and ends, so that overlapping spans can be drawn.

Offsets are code points. A cut never falls inside what people see as one character: it moves on
past combining marks, joiners, variation selectors and skin tones. Only the drawing moves, never
the stored span.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Span:
    """Evidence of a phase in one turn, code points [start, end)."""

    phase: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Letter:
    """The phase id written where its evidence ends."""

    phase: str
    hue: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text under the same spans. `hue` and `second` colour its two underlines.

    `phases` are all phases it is evidence of; `letters` those whose evidence ends with it. `masked`
    says what stood there, of an identifier that is masked.
    """

    text: str
    phases: tuple[str, ...] = ()
    hue: int | None = None
    second: int | None = None
    letters: tuple[Letter, ...] = ()
    masked: str = ""


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """An identifier that is masked, code points [start, end), and what it is in words."""

    start: int
    end: int
    words: str


def cut(
    text: str,
    spans: Iterable[Span],
    hues: Mapping[str, int],
    masks: Sequence[MaskedSpan] = (),
) -> tuple[Segment, ...]:
    """Cut a text into segments that together are the text again."""
    drawn = _merged(_snapped(span, text) for span in spans)
    pairs = [(one.start, one.end) for one in drawn] + [(one.start, one.end) for one in masks]
    edges = {0, len(text)} | {edge for pair in pairs for edge in pair}
    segments = tuple(
        _segment(text, begin, end, drawn, hues) for begin, end in pairwise(sorted(edges))
    )
    return tuple(_masked(segments, masks)) if masks else segments


def _masked(segments: Iterable[Segment], masks: Sequence[MaskedSpan]) -> Iterator[Segment]:
    begin, waiting = 0, list(masks)
    for segment in segments:
        while waiting and waiting[0].end <= begin:
            del waiting[0]
        under = bool(waiting) and waiting[0].start <= begin
        yield replace(segment, masked=waiting[0].words) if under else segment
        begin += len(segment.text)


def _segment(
    text: str, begin: int, end: int, drawn: list[Span], hues: Mapping[str, int]
) -> Segment:
    over = [span for span in drawn if span.start <= begin and span.end >= end]
    phases = tuple(dict.fromkeys(span.phase for span in over))
    letters = tuple(
        Letter(phase, hues.get(phase, 1))
        for phase in dict.fromkeys(span.phase for span in over if span.end == end)
    )
    tones = [hues.get(phase, 1) for phase in phases]
    return Segment(
        text=text[begin:end],
        phases=phases,
        hue=tones[0] if tones else None,
        second=tones[1] if len(tones) > 1 else None,
        letters=letters,
    )


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Join overlapping spans of the same phase: two items on the same words are lettered once."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.phase, span.start, span.end)):
        last = joined[-1] if joined else None
        if last and last.phase == span.phase and span.start <= last.end:
            joined[-1] = Span(last.phase, last.start, max(last.end, span.end))
        elif span.start < span.end:
            joined.append(span)
    # The longer span is the outer one; its underline is the first.
    return sorted(joined, key=lambda span: (span.start, -span.end, span.phase))


def _snapped(span: Span, text: str) -> Span:
    return Span(span.phase, _whole(span.start, text), _whole(span.end, text))


def _whole(place: int, text: str) -> int:
    place = min(max(place, 0), len(text))
    while 0 < place < len(text) and _continues(text[place - 1], text[place]):
        place += 1
    return place


def _continues(before: str, char: str) -> bool:
    if before == _JOINER or char == _JOINER:
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Mc") or "\U0001f3fb" <= char <= "\U0001f3ff"
