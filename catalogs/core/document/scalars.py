"""What a word without quotes means in a catalog: truth, nothing, an exact number, a date, or text.

Numbers and dates are taken only in the one form that every YAML reader takes alike. Forms that some
readers take for a number (``1e5``, ``0x1F``, ``012``, ``1:30``, ``.nan``) are refused rather than
guessed, so that a catalog cannot mean two things. ``yes``, ``no``, ``on`` and ``off`` are truth
values, as most YAML readers have them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from catalogs.core.requirements import Scalar

_TRUTHS = {
    word: value
    for lower, value in (
        ("true", True),
        ("yes", True),
        ("on", True),
        ("false", False),
        ("no", False),
        ("off", False),
    )
    for word in (lower, lower.capitalize(), lower.upper())
}
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DOUBTFUL = re.compile(
    r"[-+]?[0-9][0-9_]*"  # leading zeros, plus signs, underscores, too many digits
    r"|[-+]?0(x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)"
    r"|[-+]?([0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)([eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\s].*)?"
)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A word that could mean several things; `sentence` says what to write instead."""

    sentence: str


def resolve(text: str) -> Scalar | Unreadable:
    """Return the value of an unquoted word (quoted ones are always text)."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    if text in _NOTHING:
        return None
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Decimal(text)
    if _DATE.fullmatch(text):
        return _date(text)
    if _DOUBTFUL.fullmatch(text):
        return Unreadable(
            f"{text[:40]} is no exact number or date; write plain digits such as 0.8, or quote it"
        )
    return text


def _date(text: str) -> date | Unreadable:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return Unreadable(f"{text} is no day of the calendar; write year-month-day")
