"""Disputes of signed calls: how one stands by the clock, and how long its answer may take."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import Final

#: What a person may write about a dispute, in characters.
LONGEST_WORDS: Final = 2000


class Standing(Enum):
    """How a dispute stands; the value is the database's word where it has ended."""

    OPEN = "OPEN"
    OVERDUE = "OVERDUE"
    UPHELD = "UPHELD"
    OVERTURNED = "OVERTURNED"
    WITHDRAWN = "WITHDRAWN"
    ERASED = "ERASED"

    @property
    def waits(self) -> bool:
        """Whether an answer is still to come."""
        return self in (Standing.OPEN, Standing.OVERDUE)


class Shown(Enum):
    """Which disputes a list shows; the value is the address's word."""

    OPEN = "open"
    OVERDUE = "overdue"
    ANSWERED = "answered"
    ALL = "all"


def due_after(filed: datetime, days: int) -> datetime:
    """Return until when a dispute is to be answered."""
    return filed + timedelta(days=days)


def standing_of(end: str, due: datetime, at: datetime) -> Standing:
    """Return how a dispute stands at a time; `end` is empty as long as it waits.

    >>> noon = datetime(2026, 1, 1, 12)
    >>> [standing_of(end, noon, noon + timedelta(seconds=1)).name for end in ("", "UPHELD")]
    ['OVERDUE', 'UPHELD']
    >>> standing_of("", noon, noon).name
    'OPEN'
    """
    if end:
        return Standing(end)
    return Standing.OVERDUE if at > due else Standing.OPEN
