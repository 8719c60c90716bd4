"""Speaker labels at the start of lines: which words are labels, and what stands under them.

1. A label is one to four words with ``:`` or `` - `` behind them, or stands in ``[ ]``, at the
   start of a line, behind an optional stamp such as ``[00:12]``.
2. It counts only if it occurs at least twice or is a well-known name of a role. Headings (Note) and
   sounds ([noise]) never count. Words in front of a dash count only where no other style does.
3. Every other line belongs to the turn in front of it; its words are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from review.core.transcript.clocks import clock_seconds
from review.core.transcript.roles import SYNONYMS

_FIRST_WORD = r"[^\W\d_][\w.'\u2019&/]*(?:-\w[\w.'\u2019&/]*)*"
_WORD = r"(?:\((?=[^\W\d_]))?[\w#][\w.'\u2019&/]*(?:-\w[\w.'\u2019&/]*)*\)?"
_NAME = rf"{_FIRST_WORD}(?: {{1,3}}{_WORD}){{0,3}}"
_STAMP = r"[\[(](?P<stamp{n}>[0-9]{{1,4}}(?::[0-5][0-9]){{1,2}}(?:[.,][0-9]{{1,3}})?)[\])]"
_BARE_STAMP = r"(?P<bare>[0-9]{1,4}(?::[0-5][0-9]){1,2}(?:[.,][0-9]{1,3})?)[ \t]"
_LINE = re.compile(
    rf"[ \t]{{0,40}}(?:(?:{_STAMP.format(n=1)}|{_BARE_STAMP})[ \t]{{0,4}}(?:[-\u2013][ \t])?)?"
    rf"(?:\[(?P<bracket>{_NAME})\](?P<colon>[ \t]?:)?"
    rf"|(?P<name>{_NAME})(?:[ \t]{{0,2}}{_STAMP.format(n=2)})?"
    r"(?:[ \t]{0,2}:|(?P<dash>[ \t]{1,2}[-\u2013\u2014](?=[ \t]))))"
    r"(?P<gap>[ \t]*)"
)
_ONLY_STAMP = re.compile(rf"[ \t]{{0,40}}(?:{_STAMP.format(n=1)}|{_BARE_STAMP[:-5]})[ \t]{{0,40}}")
_LONGEST_LABEL = 60
# A label stands within the first characters of a line, however long the line is.
_START = 200

#: Even a call of 20,000 turns has far fewer lines.
MAX_LINES = 200_000

#: Words in front of a colon that are nobody's name, and sounds that stand in brackets.
NEVER_LABELS = frozenset(
    [
        *("note", "notes", "ps", "nb", "re", "date", "time", "subject", "http", "https", "well"),
        *("yes", "no", "ok", "okay", "noise", "background noise", "laughter", "laughs", "laughing"),
        *("silence", "music", "inaudible", "unintelligible", "crosstalk", "cross talk", "applause"),
        *("pause", "cough", "coughs", "coughing", "sighs", "redacted", "blank audio", "no audio"),
    ]
)

#: Labels that count even if they occur only once.
ROLE_LABELS = frozenset(
    [
        *(key.replace("_", " ") for key in SYNONYMS),
        *("agent", "clinician", "dr", "rep", "ivr", "gp", "pharmacist", "interpreter", "speaker"),
        *("guest", "guest family", "guest clinician", "patient guest", "relative", "family member"),
        *("mother", "father", "parent", "caretaker", "care giver", "therapist", "social worker"),
        *("medical assistant", "receptionist", "payer representative", "beneficiary", "consumer"),
        *("operator", "advisor"),
    ]
)


class Style(Enum):
    """How a label is set off from the words behind it."""

    COLON = "colon"
    BRACKET = "bracket"
    DASH = "dash"


@dataclass(frozen=True, slots=True)
class LabelLine:
    """What the start of a line may say: a label, its style, a stamp in seconds, and the words."""

    label: str
    style: Style
    stamp: Decimal | None
    words: str


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A possible label with how often it occurs, its first line, and why it does not count."""

    label: str
    count: int
    first_line: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Words under one label (None: no label stands above them), with the stamp if there is one."""

    label: str | None
    text: str
    stamp: Decimal | None
    line: int


def label_key(label: str) -> str:
    """Return what makes two spellings the same label: letter case, blanks and ``_`` do not count.

    >>> label_key("Guest_Family  2") == label_key("guest family 2")
    True
    """
    return " ".join(label.replace("_", " ").casefold().split())


def read_label(line: str) -> LabelLine | None:
    """Read the start of one line as a possible label; None if it is none."""
    shown = _LINE.match(line, 0, _START)
    if shown is None:
        return None
    label = shown["bracket"] or shown["name"]
    words = line[shown.end() :]
    if len(label) > _LONGEST_LABEL or (not shown["bracket"] and words[:2] == "//"):
        return None
    style = Style.BRACKET if shown["bracket"] else Style.DASH if shown["dash"] else Style.COLON
    if style is Style.COLON and words and not shown["gap"] and not _may_touch(label, words):
        return None
    stamp = shown["stamp1"] or shown["bare"] or shown["stamp2"]
    return LabelLine(label, style, clock_seconds(stamp) if stamp else None, words)


def _may_touch(label: str, words: str) -> bool:
    """Say whether words may follow a colon at once: "DOCTOR:hello"; but not "at 10:30", "a:b"."""
    return not words[0].isdigit() and is_role_label(label)


def is_role_label(label: str) -> bool:
    """Say whether a label is a well-known name of a role, numbered or not (``speaker 2``)."""
    key = label_key(label)
    return key in ROLE_LABELS or key.rstrip("0123456789 #") in ROLE_LABELS


def find_labels(
    lines: Iterable[str], chosen: Collection[str] | None = None
) -> tuple[FoundLabel, ...]:
    """Return every possible label of the lines, most frequent first; those without a reason count.

    `chosen` overrules the rules: exactly these labels count.
    """
    counts: dict[str, int] = {}
    firsts: dict[str, tuple[LabelLine, str]] = {}
    for line in lines:
        shown = read_label(line)
        if shown is not None:
            key = label_key(shown.label)
            counts[key] = counts.get(key, 0) + 1
            firsts.setdefault(key, (shown, line))
    wanted = None if chosen is None else {label_key(label) for label in chosen}
    with_marks = any(
        first.style is not Style.DASH and _reason(first, counts[key], with_marks=False) is None
        for key, (first, _) in firsts.items()
    )
    found = []
    for key, (first, line) in firsts.items():
        reason = _reason(first, counts[key], with_marks=with_marks)
        if wanted is not None:
            reason = None if key in wanted else "It was not chosen."
        found.append(FoundLabel(first.label, counts[key], line.strip()[:200], reason))
    return tuple(sorted(found, key=lambda one: -one.count))


def labels_that_count(found: Iterable[FoundLabel]) -> dict[str, str]:
    """Return the labels that count: key to the spelling that came first."""
    return {label_key(one.label): one.label for one in found if one.reason is None}


def split_at_labels(lines: Iterable[str], labels: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the pieces of a text; blank lines around a piece are layout and are dropped."""
    label: str | None = None
    stamp: Decimal | None = None
    first, words = 1, list[str]()
    waiting: tuple[Decimal, str] | None = None
    for number, line in enumerate(lines, 1):
        shown = read_label(line)
        if shown is not None and label_key(shown.label) in labels:
            yield from _piece(label, words, stamp, first)
            label, first, words = labels[label_key(shown.label)], number, [shown.words]
            stamp = shown.stamp if shown.stamp is not None or not waiting else waiting[0]
            waiting = None
            continue
        if waiting:
            words.append(waiting[1])
        alone = _ONLY_STAMP.fullmatch(line)
        at = clock_seconds(alone["stamp1"] or alone["bare"]) if alone else None
        waiting = (at, line) if at is not None else None
        if waiting is None:
            words.append(line)
    yield from _piece(label, [*words, waiting[1]] if waiting else words, stamp, first)


def _piece(
    label: str | None, words: list[str], stamp: Decimal | None, line: int
) -> Iterator[Piece]:
    kept = list(words)
    while kept and not kept[-1].strip():
        kept.pop()
    if label is None:
        while kept and not kept[0].strip():
            kept.pop(0)
    if kept or label is not None:
        yield Piece(label, "\n".join(kept), stamp, line)


def _reason(first: LabelLine, count: int, *, with_marks: bool) -> str | None:
    if label_key(first.label) in NEVER_LABELS:
        return "It is a heading or a sound, nobody's name."
    if first.style is Style.DASH and with_marks:
        return "It stands in front of a dash; in this text labels are set off otherwise."
    if count < 2 and not is_role_label(first.label):
        return "It occurs only once and is no well-known name of a role."
    return None
