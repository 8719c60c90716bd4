"""Signs with their words, for every page. The sign carries the meaning in print."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign with its word; `tone` names the colours (pass, fail, unknown, muted)."""

    sign: str
    word: str
    tone: str


#: Neither good nor bad: not evaluated, or advice only.
NEUTRAL = "\N{EN DASH}"


def rehearsal_mark(is_green: bool | None) -> Mark:  # noqa: FBT001 - the value itself
    """Return the mark of a version's latest rehearsal; None is a version without any."""
    if is_green is None:
        return Mark(NEUTRAL, "not rehearsed", "muted")
    return Mark("✓", "green", "pass") if is_green else Mark("✕", "red", "fail")


def severity_mark(severity: str) -> Mark:
    """Return the mark of a finding."""
    return {
        "error": Mark("✕", "error", "fail"),
        "warning": Mark("⚑", "warning", "unknown"),
    }.get(severity, Mark(NEUTRAL, severity, "muted"))


def seen_mark(*, both: bool) -> Mark:
    """Return the mark of something that the tests have seen from both sides, or not yet."""
    if both:
        return Mark("✓", "both ways", "pass")
    return Mark("⚑", "one side missing", "unknown")
