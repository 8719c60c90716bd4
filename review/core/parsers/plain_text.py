"""Reader of plain text with speaker labels: ``DOCTOR: ...``, ``DOCTOR - ...``, ``[doctor] ...``.

The rules for labels are those of ``review.core.transcript.labels``. Turns are numbered from 1 in
the order of the text; a stamp such as ``[00:12]`` is the start of a turn. Words without a label
above them are a turn without a speaker. `preview` shows what would be read before anything is
imported.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass

from catalogs.core.findings import Finding, error
from review.core.transcript import (
    Call,
    CallFindings,
    RefusedInput,
    Source,
    Turn,
    TurnKind,
    decode,
    milliseconds,
    normalise_newlines,
    refuse_too_many_turns,
    refuse_unstorable,
    stored_text,
)
from review.core.transcript.labels import (
    MAX_LINES,
    FoundLabel,
    Piece,
    find_labels,
    is_role_label,
    labels_that_count,
    split_at_labels,
)
from review.core.transcript.voices import file_stem, spoken_call

NAME = "plain-text"
TITLE = "Plain text"

_JSON_OPENING = re.compile(r"\s*(?:\{|\[\s*[\[{\"\]])")
_FIRST_TURNS = 10


@dataclass(frozen=True, slots=True)
class Preview:
    """What a text would give: the labels that count, those that do not and why, its first turns
    (label and words), and findings (an error is a refusal).
    """

    labels: tuple[FoundLabel, ...]
    rejected: tuple[FoundLabel, ...]
    first_turns: tuple[tuple[str | None, str], ...]
    turn_count: int
    findings: tuple[Finding, ...]


def recognise(text: object) -> bool:
    """Say whether a text is a labelled conversation: two labels, or one that names a role, and no
    JSON.
    """
    if not isinstance(text, str) or _JSON_OPENING.match(text):
        return False
    lines = _lines(text)
    if len(lines) > MAX_LINES:
        return False
    labels = [one for one in find_labels(lines) if one.reason is None]
    return len(labels) > 1 or any(is_role_label(one.label) for one in labels)


def preview(data: bytes, *, name: str, labels: Collection[str] | None = None) -> Preview:
    """Say what `parse` would read, for a page to show first. Never raises."""
    try:
        decoded = decode(data, name=name)
        lines = _lines_of(decoded.text, name)
    except RefusedInput as refusal:
        return Preview((), (), (), 0, (refusal.finding,))
    seen = find_labels(lines, labels)
    pieces = list(split_at_labels(lines, labels_that_count(seen)))
    return Preview(
        labels=tuple(one for one in seen if one.reason is None),
        rejected=tuple(one for one in seen if one.reason is not None),
        first_turns=tuple((piece.label, piece.text[:500]) for piece in pieces[:_FIRST_TURNS]),
        turn_count=len(pieces),
        findings=decoded.findings,
    )


def parse(
    data: bytes, *, name: str, labels: Collection[str] | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read a file as one call; `labels` overrules which labels count. Never raises."""
    findings: tuple[Finding, ...] = ()
    try:
        decoded = decode(data, name=name)
        findings = decoded.findings
        digest = hashlib.sha256(data).hexdigest()
        call, found = _read_text(decoded.text, name, digest, labels)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    return (call,), (*findings, *found.findings)


def _lines(text: str) -> list[str]:
    return normalise_newlines(text).split("\n")


def _lines_of(text: str, name: str) -> list[str]:
    lines = _lines(text)
    if len(lines) > MAX_LINES:
        sentence = f"The text has {len(lines):,} lines; at most {MAX_LINES:,} are read. Split it."
        raise RefusedInput(error("too_many_lines", name, sentence))
    return lines


def _read_text(
    text: str, name: str, digest: str, labels: Collection[str] | None
) -> tuple[Call, CallFindings]:
    identity = file_stem(name)
    refuse_unstorable({"name": identity, "text": text}, where=name)
    lines = _lines_of(text, name)
    pieces = list(split_at_labels(lines, labels_that_count(find_labels(lines, labels))))
    if not pieces:
        raise RefusedInput(error("no_turns", name, "The text holds no words. Send the transcript."))
    found = CallFindings(f"{name}, {identity}")
    refuse_too_many_turns(pieces, found)
    turns = tuple(_turn(number, piece, found) for number, piece in enumerate(pieces, 1))
    return spoken_call(turns, Source(NAME, identity, digest), found), found


def _turn(number: int, piece: Piece, found: CallFindings) -> Turn:
    text = stored_text(piece.text, number=number, kind=TurnKind.SPEECH, found=found)
    place = f"turn {number}, line {piece.line}"
    start = milliseconds(piece.stamp, place=place, found=found, turn=number)
    return Turn(number, piece.label or "", None, TurnKind.SPEECH, text, start)
