"""Numbers and points in time as vendors write them, as exact seconds.

Seconds may be numbers or texts, durations may be ISO 8601 (``PT1M5.25S``) or end in ``s``, points
in time are RFC 3339 or counted from 1970 in seconds, milliseconds, microseconds or nanoseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

_ISO_DURATION = re.compile(
    r"P(?:(?P<d>[0-9]{1,4})D)?(?:T(?:(?P<h>[0-9]{1,6})H)?(?:(?P<m>[0-9]{1,8})M)?"
    r"(?:(?P<s>[0-9]{1,10}(?:\.[0-9]{1,12})?)S)?)?"
)
# Nine digits or more count from 1970 in seconds; each thousandfold beyond is the next unit.
_LEAST_EPOCH = Decimal(10**8)
_LAST_EPOCH = Decimal(10**11)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time in seconds since 1970; naive where the source gives no offset from UTC."""

    seconds: Decimal
    is_naive: bool = False


def number_of(value: object) -> Decimal | None:
    """Return a finite number, or the number a text holds; None for anything else.

    >>> number_of("1.20"), number_of(3), number_of("x"), number_of(True)
    (Decimal('1.20'), Decimal('3'), None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
        return None
    if isinstance(value, str) and (len(value) > 40 or "_" in value):
        return None
    try:
        number = Decimal(value.strip() if isinstance(value, str) else value)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 30 else None


def scaled(value: object, factor: str) -> Decimal | None:
    """Return a number times a factor (``0.001`` for milliseconds), or None.

    >>> scaled(1500, "0.001")
    Decimal('1.500')
    """
    number = number_of(value)
    return None if number is None else number * Decimal(factor)


def duration_of(value: object) -> Decimal | None:
    """Return the seconds of ``PT1M5.25S``, ``1.200s`` or a number, or None.

    >>> duration_of("PT1M5.25S"), duration_of("1.200s")
    (Decimal('65.25'), Decimal('1.200'))
    """
    if isinstance(value, str) and value.startswith("P"):
        shown = _ISO_DURATION.fullmatch(value)
        if shown is None:
            return None
        whole = int(shown["d"] or 0) * 86400 + int(shown["h"] or 0) * 3600
        return Decimal(whole + int(shown["m"] or 0) * 60) + Decimal(shown["s"] or 0)
    return number_of(value.removesuffix("s") if isinstance(value, str) else value)


def epoch_of(value: object) -> Moment | None:
    """Return a count from 1970 by its digits: 10 are seconds, 13 ms, 16 us, 19 ns; None for none.

    >>> epoch_of(1773065100900).seconds, epoch_of("1773065100").seconds
    (Decimal('1773065100.9'), Decimal('1773065100'))
    """
    number = number_of(value)
    if number is None or number < _LEAST_EPOCH:
        return None
    for _unit in range(4):
        if number < _LAST_EPOCH:
            return Moment(number)
        number /= 1000
    return None


def moment_of(value: object) -> Moment | None:
    """Return a point in time written as RFC 3339 or counted from 1970; None for neither.

    >>> moment_of("1970-01-01T00:00:01.5Z")
    Moment(seconds=Decimal('1.5'), is_naive=False)
    """
    if not isinstance(value, str) or number_of(value) is not None:
        return epoch_of(value)
    if not len("2026-01-31T0") < len(value) <= 40:
        return None
    try:
        at = datetime.fromisoformat(value.strip())
        is_naive = at.utcoffset() is None
        span = (at.replace(tzinfo=UTC) if is_naive else at) - _EPOCH
    except (ValueError, OverflowError):
        return None
    seconds = Decimal(span.days * 86400 + span.seconds) + Decimal(span.microseconds) / 10**6
    return Moment(seconds, is_naive)


def utc_text(moment: Moment | None) -> str | None:
    """Return a moment as RFC 3339 in UTC; None for a naive one: its start is not known.

    >>> utc_text(Moment(Decimal("1.5")))
    '1970-01-01T00:00:01.500000+00:00'
    """
    if moment is None or moment.is_naive:
        return None
    try:
        return (_EPOCH + timedelta(microseconds=int(moment.seconds * 10**6))).isoformat()
    except OverflowError:
        return None


def first_of(moments: Iterable[Moment | None]) -> Moment | None:
    """Return the earliest of the moments that are known, or None."""
    return min((one for one in moments if one), key=lambda one: one.seconds, default=None)


def since(zero: Moment | None, moment: Moment | None) -> Decimal | None:
    """Return the seconds from a zero to a moment; None where either is not known."""
    return None if zero is None or moment is None else moment.seconds - zero.seconds
