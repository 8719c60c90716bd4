"""Reader of Praat TextGrids, long or short form: tiers are voices, intervals with words are turns.

1. A tier's name is its speaker. Where a file has one tier of a name that says nothing, the last
   word of the file's name is (``visit7_doctor.TextGrid``).
2. Tiers share a clock: their intervals are put in the order of their starts, never of their ends.
3. One call may lie in several files, one for each voice (`parse_together`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from catalogs.core.findings import Finding, error
from review.core.transcript import (
    Call,
    CallFindings,
    RefusedInput,
    Source,
    decode,
    refuse_unstorable,
)
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import Read
from review.core.transcript.moments import number_of
from review.core.transcript.speech import Segment, say_segments
from review.core.transcript.voice_files import name_without_voice, voice_of
from review.core.transcript.voices import file_stem

NAME = "textgrid"
TITLE = "Praat TextGrid"

# What Praat itself reads: texts in quotes, numbers that stand alone, and flags.
_TOKEN = re.compile(
    r'"((?:[^"]++|"")*+)"|(?<!\S)(-?[0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?)(?!\S)'
    r"|<(exists|absent)>"
)
_HEAD = re.compile(r'\ufeff?\s*(?:File type = )?"ooTextFile(?: short)?"')
_SAYS_NOTHING = ("", "speaker", "tier", "words", "utterances", "transcript")
_Token = str | Decimal


def recognise(text: object) -> bool:
    """Say whether a text is a TextGrid: its first two lines say so."""
    return isinstance(text, str) and _HEAD.match(text) is not None and '"TextGrid"' in text[:400]


def parse(data: bytes, *, name: str) -> Read:
    """Read a file as one call. Never raises."""
    return _read_files([(name, data)], name, file_stem(name))


def parse_together(files: Sequence[tuple[str, bytes]], *, name: str) -> Read:
    """Read files that hold one voice each as one call. Never raises."""
    return _read_files(files, name, name_without_voice(files[0][0]))


def _read_files(files: Sequence[tuple[str, bytes]], name: str, identity: str) -> Read:
    findings: list[Finding] = []
    segments: list[Segment] = []
    try:
        refuse_unstorable(identity, where=name)
        for file_name, data in files:
            decoded = decode(data, name=file_name)
            findings += decoded.findings
            for tier in _tiers(decoded.text, file_name, len({one.track for one in segments})):
                segments += tier
        call, found = _read_call(segments, name, Source(NAME, identity, _digest(files)))
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    return (call,), (*findings, *found.findings)


def _digest(files: Sequence[tuple[str, bytes]]) -> str:
    digests = [hashlib.sha256(data).hexdigest() for _, data in files]
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    )


def _read_call(segments: list[Segment], name: str, source: Source) -> tuple[Call, CallFindings]:
    found = CallFindings(f"{name}, {source.external_id}")
    draft = Draft(found)
    say_segments(segments, draft)
    return draft.finish(About(source=source)), found


def _tiers(text: str, name: str, first_track: int) -> Iterator[list[Segment]]:
    """Yield the intervals with words of each tier. Raises RefusedInput for what is cut off."""
    refuse_unstorable(text, where=name)
    tokens = _tokens(text)
    try:
        yield from _read_tiers(tokens, name, first_track)
    except (StopIteration, RuntimeError, TypeError, ValueError):
        raise RefusedInput(_broken(name)) from None


def _read_tiers(tokens: Iterator[_Token], name: str, first_track: int) -> Iterator[list[Segment]]:
    for _ in range(4):  # "ooTextFile", "TextGrid", and the bounds of the whole
        _next(tokens)
    names: dict[str, int] = {}
    count = _whole(tokens)
    for k in range(count):
        kind, label = str(_next(tokens)), str(_next(tokens)).strip()
        _next(tokens), _next(tokens)
        speaker = _speaker(label, name, is_alone=count == 1) or f"tier {k + 1}"
        names[speaker] = names.get(speaker, 0) + 1
        if names[speaker] > 1:
            speaker = f"{speaker} ({names[speaker]})"
        entries = [_entry(tokens, kind) for _ in range(_whole(tokens))]
        yield [
            Segment(speaker[:200], words, start, end, track=first_track + k)
            for start, end, words in entries
            if words.strip()
        ]


def _entry(tokens: Iterator[_Token], kind: str) -> tuple[Decimal, Decimal | None, str]:
    start = _number(tokens)
    end = _number(tokens) if kind == "IntervalTier" else None
    words = _next(tokens)
    # Points mark moments of a sound, not what somebody says.
    return start, end, str(words).strip() if kind == "IntervalTier" else ""


def _tokens(text: str) -> Iterator[_Token]:
    for token in _TOKEN.finditer(text):
        if token[2] is not None:
            yield number_of(token[2]) or Decimal(0)
        elif token[1] is not None:
            yield token[1].replace('""', '"')


def _next(tokens: Iterator[_Token]) -> _Token:
    token = next(tokens, None)
    if token is None:
        raise ValueError("cut off")
    return token


def _number(tokens: Iterator[_Token]) -> Decimal:
    token = _next(tokens)
    if not isinstance(token, Decimal):
        raise ValueError("no number")
    return token


def _whole(tokens: Iterator[_Token]) -> int:
    number = _number(tokens)
    if not 0 <= number <= 10**6:
        raise ValueError("no count")
    return int(number)


def _speaker(label: str, name: str, *, is_alone: bool) -> str:
    if not is_alone or label.casefold() not in _SAYS_NOTHING:
        return label
    return voice_of(name) or label


def _broken(name: str) -> Finding:
    text = "The TextGrid is cut off or its counts do not fit its tiers. Save it anew in Praat."
    return error("bad_textgrid", name, text)
