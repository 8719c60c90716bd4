"""Reader of WebVTT (Teams, Zoom, captions): cues to turns by the rules of
``review.core.transcript.cues``.

Blocks are taken apart here, so that words which belong to no cue are reported; the library says
what a cue is. ``<v Name>`` is read here for every voice of a cue, other tags are dropped, entities
are unescaped. NOTE, STYLE and REGION blocks are no speech.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from itertools import islice

from webvtt.vtt import WebVTTCueBlock

from catalogs.core.findings import Finding, error
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

NAME = "webvtt"
TITLE = "WebVTT captions (Teams, Zoom)"

_ARROW = "-->"
# What opens like a timing line is one, good or bad; any other arrow is part of what was said.
_TIMING = re.compile(r"\s*[0-9][0-9:.,]*\s*-->")
_NO_SPEECH = re.compile(r"(?:NOTE|STYLE|REGION|Style:|Region:)(?:\s|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,100})?(?:[ \t]{1,10}([^<>]{0,200}))?>|</v>")
_TAG = re.compile(
    r"</?(?:c|i|b|u|v|lang|ruby|rt)(?:[.\s][^<>]{0,200})?>|<[0-9]{1,6}(?::[0-9.]{1,9})+>"
)
_SPOKEN_ARROW = "--\u2060>"


def recognise(text: object) -> bool:
    """Say whether a text is WebVTT: its first word says so."""
    return isinstance(text, str) and re.match(r"\ufeff?WEBVTT(?:\s|$)", text) is not None


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
    if not recognise(text):
        sentence = "The file does not start with the word WEBVTT. Add it, or choose another format."
        raise RefusedInput(error("bad_captions", name, sentence))
    found = CallFindings(f"{name}, {identity}")
    cues = list(islice(_cues(normalise_newlines(text), found), MAX_TURNS + 1))
    refuse_too_many_turns(cues, found)
    if not cues:
        sentence = (
            "The file has no cue that can be read. A cue has times as 00:00:01.000 --> "
            "00:00:02.000, with points."
        )
        found.refuse("no_turns", "", sentence)
    turns = turns_of_cues(cues, found)
    return spoken_call(turns, Source(NAME, identity, digest), found), found


def _cues(text: str, found: CallFindings) -> Iterator[Cue]:
    is_in_style = False
    for number, block in _blocks(text):
        if WebVTTCueBlock.is_valid(block):
            is_in_style = False
            yield _cue(block, number)
        elif _NO_SPEECH.match(block[0]):
            is_in_style = block[0].startswith(("STYLE", "Style"))
        elif number > 1 and not is_in_style:
            text = (
                f"Line {number} and what follows up to the next blank line is no cue and was not "
                "read. Check the times there."
            )
            found.warn("cue_not_read", f"line {number}", text)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the blocks between blank lines with their first line's number; a timing line opens one
    too, with the line in front of it if that is the identifier of its cue.
    """
    block: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        is_timing = _TIMING.match(line) is not None
        if block and (not line or (is_timing and not _may_be_identifier(block, first))):
            # Where no blank line is between two cues, a number is the next one's identifier.
            is_number = bool(line) and len(block) > 1 and block[-1].strip().isdecimal()
            yield first, block[:-1] if is_number else block
            first, block = (number - 1, block[-1:]) if is_number else (number, [])
        if not block:
            first = number
        if line:
            block.append(line if is_timing else line.replace(_ARROW, _SPOKEN_ARROW))
    if block:
        yield first, block


def _may_be_identifier(block: list[str], first: int) -> bool:
    return len(block) == 1 and _ARROW not in block[0] and first > 1


def _cue(block: list[str], number: int) -> Cue:
    parts = WebVTTCueBlock.from_lines(block)
    payload = "\n".join(str(line) for line in parts.payload).replace(_SPOKEN_ARROW, _ARROW)
    return Cue(
        place=f"line {number}",
        start=clock_seconds(str(parts.start)),
        end=clock_seconds(str(parts.end)),
        voices=tuple(_voices(payload)),
    )


def _voices(payload: str) -> Iterator[tuple[str | None, str]]:
    """Yield who says which words; words outside of every ``<v>`` have no voice."""
    voice: str | None = None
    at = 0
    for tag in _VOICE.finditer(payload):
        yield from _words(voice, payload[at : tag.start()])
        voice = _plain(tag[1] or "").strip() or None
        at = tag.end()
    yield from _words(voice, payload[at:])


def _words(voice: str | None, marked: str) -> Iterator[tuple[str | None, str]]:
    text = _plain(_TAG.sub("", marked))
    if text.strip():
        yield voice, text


def _plain(text: str) -> str:
    return html.unescape(text)
