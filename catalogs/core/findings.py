"""Findings: what a check of a document or a transcript has to say, as data.

A finding has a stable code, a severity, the place it is about and one sentence that says what to
do. Codes are never reused. Checks return findings; they raise nothing for bad input.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How much a finding weighs: an error stops publishing, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about one place.

    `where` is a path in the author's words (``CSV.starts[0].re``) or a place in a file (``turn
    42``); `line` is the line in the source text counted from 1, or None where there is no text.
    """

    code: str
    severity: Severity
    where: str
    text: str
    line: int | None = None


def error(code: str, where: str, text: str, line: int | None = None) -> Finding:
    """Make a finding that stops publishing."""
    return Finding(code, Severity.ERROR, where, text, line)


def warning(code: str, where: str, text: str, line: int | None = None) -> Finding:
    """Make a finding that a person should read before publishing."""
    return Finding(code, Severity.WARNING, where, text, line)


def note(code: str, where: str, text: str, line: int | None = None) -> Finding:
    """Make a finding that only informs."""
    return Finding(code, Severity.NOTE, where, text, line)
