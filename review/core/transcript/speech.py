"""Speech-to-text output: segments and words with times and guessed speakers, as turns.

1. A segment in which the speaker of the words changes is split there, and its turns are marked: a
   machine that changes its mind inside a sentence may be wrong on either side.
2. A word without a speaker is its segment's; no word lasts beyond the start of the next one.
3. Segments of several tracks (channels, tiers) on one clock are put in the order of their starts,
   then of the tracks, never of their ends. Within one track file order is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from review.core.transcript.drafting import Draft
from review.core.transcript.gathering import CallFindings


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its times in seconds; `joins`: no blank in front of it (punctuation)."""

    text: str
    start: Decimal | None = None
    end: Decimal | None = None
    speaker: str = ""
    joins: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """What one voice says without a break, in seconds; an empty speaker is not known."""

    speaker: str
    text: str
    start: Decimal | None = None
    end: Decimal | None = None
    words: tuple[Word, ...] = ()
    track: int = 0
    is_mixed: bool = False


def joined(words: Iterable[Word]) -> str:
    """Return the text of words."""
    parts: list[str] = []
    for word in words:
        text = word.text.strip()
        if text:
            parts.append(text if word.joins or not parts else f" {text}")
    return "".join(parts)


def segments_of_words(words: Sequence[Word], *, track: int = 0) -> Iterator[Segment]:
    """Yield a segment for each run of words of one speaker.

    Punctuation is its word's, whatever the source says.
    """
    owned: list[Word] = []
    for word in words:
        is_tail = word.joins and bool(owned)
        owned.append(replace(word, speaker=owned[-1].speaker) if is_tail else word)
    for speaker, run in groupby(owned, key=lambda word: word.speaker):
        said = tuple(run)
        yield Segment(speaker, joined(said), _start(said), _end(said), said, track)


def split_at_speakers(segment: Segment) -> Iterator[Segment]:
    """Yield a segment, or its parts where the words change their speaker."""
    filled = tuple(
        word if word.speaker else replace(word, speaker=segment.speaker) for word in segment.words
    )
    parts = list(segments_of_words(filled, track=segment.track))
    if len({part.speaker for part in parts}) < 2:
        yield segment
        return
    for part in parts:
        yield replace(part, is_mixed=True)


def say_segments(segments: Iterable[Segment], draft: Draft) -> None:
    """Add segments as turns, tracks interleaved by their starts; one without words and times is
    left out.
    """
    split = [part for one in segments for part in split_at_speakers(one)]
    for one in in_time_order(split, draft.found):
        if not one.text.strip() and one.start is None:
            continue
        number = draft.say(one.speaker, one.text, start=one.start, end=one.end)
        if one.is_mixed:
            text = (
                f"Turn {number} was cut out of a segment in which several voices speak. Check who "
                "said what."
            )
            draft.found.warn("mixed_speakers_in_segment", f"turn {number}", text, turn=number)


def in_time_order(segments: list[Segment], found: CallFindings) -> list[Segment]:
    """Return the segments of several tracks in the order of their starts, those of one as they are.

    A segment without a start stays behind the one in front of it.
    """
    if len({one.track for one in segments}) < 2:
        return segments
    keyed: list[tuple[Decimal, int, int, Segment]] = []
    latest: dict[int, Decimal] = {}
    for k, one in enumerate(segments):
        so_far = latest.get(one.track, Decimal(-1))
        latest[one.track] = so_far if one.start is None else max(so_far, one.start)
        keyed.append((latest[one.track], one.track, k, one))
    ordered = [one for *_, one in sorted(keyed, key=lambda item: item[:3])]
    if ordered != segments:
        text = (
            "The file lists each voice by itself; the turns were put in the order of their starts."
        )
        found.note("resorted_by_time", "", text)
    return ordered


def _start(words: Sequence[Word]) -> Decimal | None:
    return next((word.start for word in words if word.start is not None), None)


def _end(words: Sequence[Word]) -> Decimal | None:
    return next((word.end for word in reversed(words) if word.end is not None), None)


def trimmed(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return words none of which lasts beyond the start of the next one."""
    starts = [word.start for word in words[1:]]
    return tuple(
        replace(word, end=following)
        if word.end is not None and following is not None and word.end > following
        else word
        for word, following in zip(words, [*starts, None], strict=False)
    )


def sentences_of_words(words: Sequence[Word], *, track: int = 0) -> Iterator[Segment]:
    """Yield the words of one voice as segments that end with a sentence or before a second of
    silence.
    """
    said: list[Word] = []
    for word in words:
        if said and not word.joins and _is_over(said, word):
            yield Segment(said[0].speaker, joined(said), _start(said), _end(said), track=track)
            said = []
        said.append(word)
    if said:
        yield Segment(said[0].speaker, joined(said), _start(said), _end(said), track=track)


def merged(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield segments with neighbours of one known speaker joined; they stand in one track."""
    held: Segment | None = None
    for one in segments:
        if held is not None and held.speaker and held.speaker == one.speaker:
            end = one.end if one.end is not None else held.end
            held = replace(held, text=f"{held.text} {one.text}".strip(), end=end)
            continue
        if held is not None:
            yield replace(held, track=0)
        held = one
    if held is not None:
        yield replace(held, track=0)


def refuse_other_unit(
    segments: Iterable[Segment], length: Decimal | None, found: CallFindings
) -> None:
    """Refuse a call whose times are a hundred times its stated length: they are in another unit."""
    last = max((one.start for one in segments if one.start is not None), default=None)
    if last is None or not length or length <= 0 or last < 100 * length:
        return
    text = (
        f"The last turn starts {last} s into a recording of {length} s: the times are in another "
        "unit. Correct the file."
    )
    found.refuse("unit_mismatch", "", text)


def _is_over(said: Sequence[Word], word: Word) -> bool:
    end = _end(said)
    is_silent = end is not None and word.start is not None and word.start - end > 1
    return is_silent or said[-1].text.rstrip().endswith((".", "?", "!"))
