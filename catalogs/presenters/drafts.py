"""Drafts in a list, one draft with its findings, and its earlier texts."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from catalogs.core.findings import Finding, Severity
from catalogs.core.linter.texts import ENTRIES
from catalogs.presenters.marks import Mark, severity_mark
from catalogs.presenters.version_words import plural, state_tone, state_words
from catalogs.queries import CheckedText, DraftLine, StoredDraft, TextLine

_MEANT = {entry.code: entry for entry in ENTRIES}
_MOST_FINDINGS = 200
_TITLE = "A draft without a name"


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """A draft in the list and at the head of its pages. `slug` and `version` are those of the
    version that it was handed in as, empty before.
    """

    id: UUID
    title: str
    current: int
    by: str
    changed_at: datetime
    started_from: str
    slug: str
    version: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding at its line, which is a link; `meant` is what its code means."""

    code: str
    mark: Mark
    line: int | None
    where: str
    text: str
    meant: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What lint says of the text with this number."""

    number: int
    summary: str
    tone: str
    sign: str
    lines: tuple[ShownFinding, ...]
    rest: str


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text in the list of texts."""

    number: int
    is_current: bool
    what: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """One line of a text with its number."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of a comparison: kept, gone or new."""

    sign: str
    tone: str
    text: str


def show_drafts(lines: Sequence[DraftLine]) -> tuple[ShownDraft, ...]:
    """Draw the list."""
    return tuple(show_draft(line) for line in lines)


def show_draft(line: DraftLine) -> ShownDraft:
    """Draw what is said of a draft everywhere."""
    slug, version, state = line.handed_in or ("", "", "DRAFT")
    return ShownDraft(
        id=line.id,
        title=line.title or _TITLE,
        current=line.current,
        by=line.by,
        changed_at=line.changed_at,
        started_from=line.started_from,
        slug=slug,
        version=version,
        state=state_words(state),
        tone=state_tone(state),
    )


def title_of(checked: CheckedText, before: str = "") -> str:
    """Return the name of a draft in lists: that of its text, or of the last one that had one."""
    document = checked.document
    return before if document is None else f"{document.title} {document.version}"


def show_findings(checked: CheckedText, number: int) -> Findings:
    """Draw findings, errors first, each group by line."""
    found = sorted(checked.findings, key=lambda one: one.severity is not Severity.ERROR)
    errors = sum(1 for one in found if one.severity is Severity.ERROR)
    warnings = len(found) - errors
    rest = len(found) - _MOST_FINDINGS
    tone, sign = ("fail", "✕") if errors else ("unknown", "⚑") if warnings else ("pass", "✓")
    return Findings(
        number=number,
        summary=f"{plural(errors, 'error')}, {plural(warnings, 'warning')}",
        tone=tone,
        sign=sign,
        lines=tuple(_finding(one) for one in found[:_MOST_FINDINGS]),
        rest=f"And {rest} more; they show when some of these are mended." if rest > 0 else "",
    )


def _finding(finding: Finding) -> ShownFinding:
    entry = _MEANT.get(finding.code)
    return ShownFinding(
        code=finding.code,
        mark=severity_mark(finding.severity.value),
        line=finding.line,
        where=finding.where,
        text=finding.text,
        meant=entry.what if entry else "",
    )


def show_texts(lines: Sequence[TextLine], current: int) -> tuple[ShownText, ...]:
    """Draw the list of texts."""
    return tuple(
        ShownText(line.number, line.number == current, _what(line), line.by, line.at)
        for line in lines
    )


def _what(line: TextLine) -> str:
    if line.is_aside:
        return "kept aside: somebody else was faster"
    if line.brought_back is not None:
        return f"text {line.brought_back} brought back"
    return "written" if line.number > 1 else "started"


def typed_text(source: bytes) -> str:
    """Return a text for a form; bytes that are no UTF-8 show as a question mark in a box."""
    return source.decode("utf-8", "replace")


def numbered(source: bytes) -> tuple[NumberedLine, ...]:
    """Return the lines of a text with their numbers."""
    lines = typed_text(source).split("\n")
    return tuple(NumberedLine(number, text) for number, text in enumerate(lines, 1))


def compare(before: bytes, after: bytes) -> tuple[ChangedLine, ...]:
    """Return what differs between two texts, line by line with a little around it."""
    return tuple(_compared(typed_text(before).splitlines(), typed_text(after).splitlines()))


def _compared(before: list[str], after: list[str]) -> Iterator[ChangedLine]:
    tones = {"-": "fail", "+": "pass"}
    for line in list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]:
        sign, text = line[:1], line[1:]
        if sign == "@":
            yield ChangedLine("…", "muted", "")
        else:
            yield ChangedLine(sign, tones.get(sign, "muted"), text)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two texts where one was expected: what stands, and what was typed and is kept aside."""

    current: int
    aside: int
    who: str
    lines: tuple[ChangedLine, ...]


def show_conflict(
    draft: StoredDraft, aside: int, typed: bytes, texts: Sequence[TextLine]
) -> Conflict:
    """Draw a conflict: the text that stands against the typed one."""
    current = draft.line.current
    who = next((line.by for line in texts if line.number == current), "somebody")
    return Conflict(current, aside, who, compare(draft.source, typed))
