"""The marks of every page: a sign, a word and a tone. The sign carries the meaning in print."""

from __future__ import annotations

from catalogs.presenters.marks import NEUTRAL as NEUTRAL
from catalogs.presenters.marks import Mark as Mark

PASS = Mark("✓", "pass", "pass")
FAIL = Mark("✕", "fail", "fail")
UNKNOWN = Mark("?", "unknown", "unknown")
UNDETERMINED = Mark("?", "undetermined", "unknown")
NOT_EVALUATED = Mark(NEUTRAL, "not evaluated", "muted")
#: A row that nobody owes and nobody did: its verdict is fail, and that is nothing to worry about.
UNOWED = Mark(NEUTRAL, "not owed", "muted")

PROPOSED = Mark("○", "proposed", "muted")
CONFIRMED = Mark("●", "confirmed", "pass")
DOUBTED = Mark("◐", "in doubt", "unknown")

_OUTCOMES = {"pass": PASS, "fail": FAIL, "undetermined": UNDETERMINED}
_VERDICTS = {"pass": PASS, "fail": FAIL, "unknown": UNKNOWN}


def outcome_mark(outcome: str | None) -> Mark:
    """Return the mark of Coverage, OrderSafe or CallSuccess; None is a call without evaluation."""
    return NOT_EVALUATED if outcome is None else _OUTCOMES[outcome]


def verdict_mark(verdict: str, *, required: bool | None = True) -> Mark:
    """Return the mark of a row's verdict."""
    if verdict == "fail" and required is False:
        return UNOWED
    return _VERDICTS[verdict]


def holds_mark(
    ok: bool | None,  # noqa: FBT001 - the value itself, not a switch
    words: tuple[str, str, str] = ("holds", "fails", "open"),
) -> Mark:
    """Return the mark of something that holds, does not hold, or is not known."""
    if ok is None:
        return Mark("?", words[2], "unknown")
    return Mark("✓", words[0], "pass") if ok else Mark("✕", words[1], "fail")
