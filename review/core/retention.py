"""When the words of a call have been kept for long enough, and how many one run may erase.

Source: design 5 and audit_security 2e (retention, legal hold), abuse case A73.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

#: No rule keeps calls for less: a typing error of one digit must not empty a site.
LEAST_DAYS: Final = 30
#: Two years, the design's default for text.
USUAL_DAYS: Final = 730
USUAL_MOST: Final = 100


def last_day_kept(days: int, at: datetime) -> datetime:
    """Return the time before which a call must have changed last to be due."""
    return at - timedelta(days=days)


def is_above_cap(due: int, most: int) -> bool:
    """Say whether a run would erase more calls than two people have agreed to."""
    return due > most


def is_time_to_retain(at: datetime) -> bool:
    """Say whether the sweeps of this moment ring for the day's run: those of 03:00:00 to 03:00:09.

    Every worker sweeps every ten seconds, so each rings about once a day, and a second run finds
    nothing.
    """
    return (at.hour, at.minute, at.second // 10) == (3, 0, 0)
