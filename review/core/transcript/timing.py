"""Times of turns: decimals to integer milliseconds, and what their order says.

Turns stay in the order of their numbers; nothing is sorted by time. A finding that may change the
order of two turns is one of ORDER_AFFECTING.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Turn

# Nobody talks for a week: a larger offset is milliseconds in a field of seconds, or a wall clock.
LONGEST_CALL_SECONDS = 7 * 24 * 3600


def milliseconds(
    value: object, *, place: str, found: CallFindings, turn: int | None = None
) -> int | None:
    """Turn seconds from the start of the call (a number) into integer milliseconds, half to even.

    None stays None. What is no number, or negative, becomes None with ``bad_time``; more than seven
    days becomes None with ``unit_mismatch``. A time is never invented.
    """
    if value is None:
        return None
    seconds = value if type(value) is Decimal and value.is_finite() else _exact(value)
    if seconds is None or seconds < 0:
        text = (
            f"{_shown(value)} is no time in seconds from the start of the call; the time is left "
            "unknown."
        )
        found.warn("bad_time", place, text, turn=turn)
        return None
    if seconds > LONGEST_CALL_SECONDS:
        text = (
            f"{_shown(value)} seconds is over seven days: is it milliseconds? The time is left "
            "unknown."
        )
        found.warn("unit_mismatch", place, text, turn=turn)
        return None
    # round() takes a Decimal half to even.
    return round(seconds * 1000)


def observe_times(turns: Iterable[Turn], found: CallFindings) -> None:
    """Report turns that start before, with, or during the turn in front of them (file order is
    kept).
    """
    latest_start: int | None = None
    latest_end: int | None = None
    for turn in turns:
        start, end = turn.start_ms, turn.end_ms
        if start is None:
            continue
        if latest_start is not None:
            _compare(turn.number, start, latest_start, latest_end, found)
        latest_start = start if latest_start is None else max(latest_start, start)
        if end is not None:
            latest_end = end if latest_end is None else max(latest_end, end)


def _compare(
    number: int, start: int, latest_start: int, latest_end: int | None, found: CallFindings
) -> None:
    place = f"turn {number}"
    if start < latest_start:
        text = (
            f"Turn {number} starts {latest_start - start} ms before a turn in front of it. File "
            "order is kept; check it."
        )
        found.warn("out_of_order", place, text, turn=number)
    elif start == latest_start:
        text = (
            f"Turn {number} starts at the same time as a turn in front of it. File order is kept; "
            "check it."
        )
        found.warn("equal_timestamps", place, text, turn=number)
    if latest_end is not None and start < latest_end:
        text = (
            f"Turn {number} starts {latest_end - start} ms before earlier speech ends. Check "
            "which came first."
        )
        found.warn("overlap", place, text, turn=number)


def _exact(value: object) -> Decimal | None:
    """Return a finite number as a decimal (a float by its shortest digits)."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    if type(value) is not Decimal:
        value = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    exact = value
    return exact if exact.is_finite() else None


def _shown(value: object) -> str:
    return repr(str(value)[:40])
