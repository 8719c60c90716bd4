"""Reader of SRT subtitles: cues to turns by the rules of ``review.core.transcript.cues``.

A cue is its timing line, a number in front of it if there is one, and every line up to the next
cue: blank lines inside of it too. Missing or repeated numbers do not matter, times may have a point
or a comma. Entities are words here; tags for the look of the text are dropped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from catalogs.core.findings import Finding
from review.core.transcript import (
    MAX_TURNS,
    Call,
    CallFindings,
    RefusedInput,
    Source,
    decode,
    normalise_newlines,
    refuse_too_many_turns,
    refuse_unstorable,
)
from review.core.transcript.clocks import clock_seconds
from review.core.transcript.cues import Cue, turns_of_cues
from review.core.transcript.voices import file_stem, spoken_call

NAME = "srt"
TITLE = "SRT subtitles"

_TIME = r"(-?[0-9]{1,6}:[0-9]{1,2}:[0-9]{1,2}(?:[,.][0-9]{1,9})?)"
_TIMING = re.compile(rf"[ \t]{{0,20}}{_TIME}[ \t]{{0,5}}-->[ \t]{{0,5}}{_TIME}(?:[ \t]|$)")
_ARROW = re.compile(r"[ \t]{0,20}[0-9][0-9:.,]{0,30}[ \t]{0,5}-->")
_NUMBER = re.compile(r"[ \t]{0,20}[0-9]{1,9}[ \t]{0,20}")
_OPENING = re.compile(
    r"\s*[0-9]{1,9}[ \t]*\r?\n?[ \t]*[0-9]{1,6}:[0-9]{1,2}:[0-9]{1,2}[,.][0-9]{1,3}[ \t]*-->"
)
_TAG = re.compile(r"</?(?:i|b|u|s|font)(?:\s[^<>]{0,200})?>|\{\\an?[0-9]{1,2}\}", re.IGNORECASE)


def recognise(text: object) -> bool:
    """Say whether a text is SRT: a number, and a timing line below it."""
    return isinstance(text, str) and _OPENING.match(text.lstrip("\ufeff"), 0, 400) is not None


def parse(data: bytes, *, name: str) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read a file as one call. Never raises."""
    findings: tuple[Finding, ...] = ()
    try:
        decoded = decode(data, name=name)
        findings = decoded.findings
        call, found = _read_file(decoded.text, name, hashlib.sha256(data).hexdigest())
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    return (call,), (*findings, *found.findings)


def _read_file(text: str, name: str, digest: str) -> tuple[Call, CallFindings]:
    identity = file_stem(name)
    refuse_unstorable({"name": identity, "text": text}, where=name)
    found = CallFindings(f"{name}, {identity}")
    lines = normalise_newlines(text).split("\n")
    cues = list(islice(_cues(lines, found), MAX_TURNS + 1))
    refuse_too_many_turns(cues, found)
    if not cues:
        sentence = (
            "The file has no cue that can be read. A cue has times as 00:00:01,000 --> "
            "00:00:02,000."
        )
        found.refuse("no_turns", "", sentence)
    turns = turns_of_cues(cues, found)
    return spoken_call(turns, Source(NAME, identity, digest), found), found


def _cues(lines: list[str], found: CallFindings) -> Iterator[Cue]:
    timed = [(k, shown) for k, line in enumerate(lines) if (shown := _TIMING.match(line))]
    heads = [_head(lines, k) for k, _ in timed]
    _report_lost(lines, heads[0] if heads else len(lines), found)
    for (k, shown), stop in zip(timed, [*heads, len(lines)][1:], strict=True):
        words = lines[k + 1 : stop]
        for offset, line in enumerate(words):
            if _ARROW.match(line):
                number = k + offset + 2
                text = (
                    f"Line {number} looks like the times of a cue but cannot be read. Correct it."
                )
                found.warn("cue_not_read", f"line {number}", text)
        text = _TAG.sub("", "\n".join(line for line in words if line.strip()))
        yield Cue(
            place=f"line {k + 1}",
            start=_seconds(shown[1], k + 1, found),
            end=_seconds(shown[2], k + 1, found),
            voices=((None, text),),
        )


def _head(lines: list[str], k: int) -> int:
    """Return the line at which a cue opens: that of its number, if it has one."""
    return k - 1 if k and _NUMBER.fullmatch(lines[k - 1]) else k


def _report_lost(lines: list[str], stop: int, found: CallFindings) -> None:
    lost = next((k for k in range(stop) if lines[k].strip("\ufeff \t")), None)
    if lost is not None and stop < len(lines):
        text = f"Line {lost + 1} stands in front of the first cue and was not read. Check it."
        found.warn("cue_not_read", f"line {lost + 1}", text)


def _seconds(shown: str, line: int, found: CallFindings) -> Decimal | None:
    seconds = clock_seconds(shown)
    if seconds is None:
        text = f"{shown!r} is no time; the time is left unknown."
        found.warn("bad_time", f"line {line}", text)
    return seconds
