"""Caption cues to turns: what WebVTT and SRT have in common.

1. Who speaks is said by a voice tag or by ``Name:`` in front of the words (the rules of labels;
   once is enough where nearly every cue has one). A cue without a name has no speaker.
2. Rolling captions repeat the end of the cue before: repeated words are left out, in files where at
   least a quarter of the cues do so. A cue that is wholly the same as another is left out.
3. Cues of one named speaker that follow within two seconds are one turn. Line breaks of captions
   are where a screen wraps: they are read as a blank.
4. Nothing is sorted. Of several voices in a cue only the first has its start, the last its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from review.core.transcript.gathering import CallFindings
from review.core.transcript.labels import (
    NEVER_LABELS,
    Style,
    find_labels,
    label_key,
    labels_that_count,
    read_label,
)
from review.core.transcript.model import Turn, TurnKind
from review.core.transcript.timing import milliseconds
from review.core.transcript.turns import MAX_CHARACTERS, stored_text

_MERGE_SECONDS = 2
_LONGEST_OVERLAP = 60
_LEAST_ROLLING = 3
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue: its place in the file, times in seconds, and its words by voice (None: no tag)."""

    place: str
    start: Decimal | None
    end: Decimal | None
    voices: tuple[tuple[str | None, str], ...]


@dataclass(frozen=True, slots=True)
class _Said:
    place: str
    speaker: str | None
    text: str
    start: Decimal | None
    end: Decimal | None
    is_mixed: bool = False


def turns_of_cues(cues: Sequence[Cue], found: CallFindings) -> tuple[Turn, ...]:
    """Return the turns of a file's cues, numbered from 1; reports what was repeated or mixed.

    Raises RefusedInput at a limit of the text of a turn.
    """
    said = _without_doubles(_with_names(cues), found)
    said = _merged(_without_rolling(said, found))
    return tuple(_turn(number, one, found) for number, one in enumerate(said, 1))


def _with_names(cues: Sequence[Cue]) -> list[_Said]:
    if any(voice for cue in cues for voice, _ in cue.voices):
        return [one for cue in cues for one in _spread(cue, cue.voices)]
    labels = _names_in_front(cues)
    return [one for cue in cues for one in _spread(cue, _split_names(cue, labels))]


def _names_in_front(cues: Sequence[Cue]) -> dict[str, str]:
    """Return the names that count; one occurrence is enough if nearly every cue has a name."""
    lines = [line for cue in cues for _, text in cue.voices for line in text.split("\n")]
    found = [one for one in find_labels(lines) if label_key(one.label) not in NEVER_LABELS]
    opened = sum(bool(cue.voices) and _colon_name(cue.voices[0][1]) is not None for cue in cues)
    if opened > 1 and 10 * opened >= 9 * len(cues):
        found = [replace(one, reason=None) for one in found]
    return labels_that_count(found)


def _colon_name(line: str) -> str | None:
    shown = read_label(line)
    if shown is None or shown.style is not Style.COLON or shown.stamp is not None:
        return None
    return shown.label


def _split_names(cue: Cue, labels: dict[str, str]) -> list[tuple[str | None, str]]:
    voices: list[tuple[str | None, str]] = []
    for line in (line for _, text in cue.voices for line in text.split("\n")):
        name = _colon_name(line)
        shown = read_label(line)
        if name is not None and shown is not None and label_key(name) in labels:
            voices.append((labels[label_key(name)], shown.words))
        elif voices:
            voices[-1] = (voices[-1][0], f"{voices[-1][1]}\n{line}")
        else:
            voices.append((None, line))
    return voices


def _spread(cue: Cue, voices: Sequence[tuple[str | None, str]]) -> list[_Said]:
    """Give each voice of a cue its words; the times between the voices are not known."""
    kept = [(who, " ".join(text.split("\n")).strip()) for who, text in voices]
    kept = [(who, text) for who, text in kept if text or who] or [(None, "")]
    dashes = sum(line.lstrip().startswith("- ") for _, text in voices for line in text.split("\n"))
    is_mixed = len({who for who, _ in kept}) > 1 or (kept[0][0] is None and dashes > 1)
    last = len(kept) - 1
    return [
        _Said(
            *(cue.place, who, text),
            start=cue.start if k == 0 else None,
            end=cue.end if k == last else None,
            is_mixed=is_mixed,
        )
        for k, (who, text) in enumerate(kept)
    ]


def _without_doubles(said: list[_Said], found: CallFindings) -> list[_Said]:
    seen: set[tuple[object, ...]] = set()
    kept = []
    for one in said:
        key = (one.speaker, one.text, one.start, one.end)
        if key in seen and one.text and one.start is not None:
            text = "The cue says the same at the same time as one in front of it. It was left out."
            found.warn("duplicate_segment", one.place, text)
            continue
        seen.add(key)
        kept.append(one)
    return kept


def _without_rolling(said: list[_Said], found: CallFindings) -> list[_Said]:
    """Leave out the words that each cue repeats from the one in front of it, in rolling files."""
    words = [_WORD.findall(one.text) for one in said]
    repeated = [0, *(_overlap(words[k - 1], words[k]) for k in range(1, len(said)))]
    for k in range(1, len(said)):
        if said[k].speaker != said[k - 1].speaker:
            repeated[k] = 0
    rolling = sum(count > 1 for count in repeated)
    if rolling < _LEAST_ROLLING or 4 * rolling < len(said) - 1:
        return said
    kept: list[_Said] = []
    for one, count in zip(said, repeated, strict=True):
        rest = _after(one.text, count)
        if rest or not one.text:
            kept.append(replace(one, text=rest))
        else:
            kept[-1] = replace(kept[-1], end=one.end)
    text = (
        f"The captions roll: {rolling} cues repeat the end of the cue in front of them "
        f"({sum(repeated)} words). Repeated words were left out; check the text."
    )
    found.warn("rolling_captions", "", text)
    return kept


def _overlap(before: list[str], after: list[str]) -> int:
    """Return how many words at the end of one list open the other, at most 60."""
    for count in range(min(len(before), len(after), _LONGEST_OVERLAP), 0, -1):
        if before[-count:] == after[:count]:
            return count
    return 0


def _after(text: str, count: int) -> str:
    if count == 0:
        return text
    ends = [word.end() for word in _WORD.finditer(text)]
    return text[ends[count - 1] :].strip()


def _merged(said: list[_Said]) -> list[_Said]:
    turns: list[_Said] = []
    for one in said:
        if turns and _continues(turns[-1], one):
            last = turns[-1]
            turns[-1] = replace(last, text=f"{last.text} {one.text}".strip(), end=one.end)
        else:
            turns.append(one)
    return turns


def _continues(last: _Said, one: _Said) -> bool:
    if one.speaker is None or one.speaker != last.speaker or one.is_mixed or last.is_mixed:
        return False
    if last.start is None or last.end is None or one.start is None or one.end is None:
        return False
    if len(last.text) + len(one.text) >= MAX_CHARACTERS:
        return False
    # Speech that overlaps or goes back is left in turns of its own, so that it is reported.
    return last.start < one.start and last.end <= one.start <= last.end + _MERGE_SECONDS


def _turn(number: int, one: _Said, found: CallFindings) -> Turn:
    place = f"turn {number} ({one.place})"
    if one.is_mixed:
        text = f"Turn {number} is from a cue with several voices. Check who said what, and when."
        found.warn("mixed_speakers_in_segment", place, text, turn=number)
    words = stored_text(one.text, number=number, kind=TurnKind.SPEECH, found=found)
    start = milliseconds(one.start, place=place, found=found, turn=number)
    end = milliseconds(one.end, place=place, found=found, turn=number)
    if start is not None and end is not None and end < start:
        text = f"Turn {number} ends before it starts; the end is left unknown."
        found.warn("negative_duration", place, text, turn=number)
        end = None
    return Turn(number, one.speaker or "", None, TurnKind.SPEECH, words, start, end)
