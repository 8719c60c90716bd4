"""Values of table cells: as text, as whole numbers, and as times from the start of a call.

Times may be clocks, numbers (seconds, milliseconds, fractions of a day, epoch), or dates with times
of day. The unit of plain numbers is what the header or a person says; else it is guessed from all
of them and the guess is reported. A date without an offset from UTC tells no start of the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation

from review.core.transcript.clocks import clock_seconds
from review.core.transcript.columns import TimeUnit

Cell = str | int | float | Decimal | bool | date | time | timedelta | None

_SECONDS_OF_DAY = 24 * 3600
_UNIT_SECONDS: dict[TimeUnit, Decimal] = {
    "s": Decimal(1),
    "ms": Decimal("0.001"),
    "day": Decimal(_SECONDS_OF_DAY),
}
# Ten digits are seconds since 1970, thirteen are milliseconds.
_EPOCH_SECONDS = Decimal(10**9)
_EPOCH_MS = Decimal(10**12)
# Nobody's turns are five minutes apart all through a call.
_LONG_GAP = 300
# Excel counts days from here; a time of day without a date is stored as this date.
_EXCEL_ZERO = datetime(1899, 12, 30)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from the start of the call by cell; `bad` are the cells that hold no time."""

    seconds: tuple[Decimal | None, ...]
    bad: frozenset[int]
    guessed: TimeUnit | None = None
    started_at: str | None = None
    is_naive: bool = False


def cell_text(cell: Cell) -> str:
    """Return what a cell shows; whole numbers without a point."""
    match cell:
        case None:
            return ""
        case bool():
            return "TRUE" if cell else "FALSE"
        case float() if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        case datetime():
            return cell.isoformat(" ")
        case _:
            return str(cell)


def whole_number(cell: Cell) -> int | None:
    """Return a whole number from 0 that a database can hold, or None."""
    number = _number(cell)
    if number is None or number != number.to_integral_value() or not 0 <= number < 2**31:
        return None
    return int(number)


def read_times(cells: Sequence[Cell], unit: TimeUnit | None) -> Times:
    """Read the start and end cells of one call together: they share a unit and a clock."""
    values = [_value(cell) for cell in cells]
    moments = [value for value in values if isinstance(value, datetime)]
    numbers = [value for value in values if isinstance(value, Decimal)]
    if unit is None and not moments and numbers and min(numbers) >= _EPOCH_SECONDS:
        scale = 1000 if min(numbers) >= _EPOCH_MS else 1
        values = [_moment(one / scale) if isinstance(one, Decimal) else one for one in values]
        moments = [value for value in values if isinstance(value, datetime)]
    if moments:
        return _from_moments(cells, values, moments)
    guessed = None if unit or not numbers else _guess(numbers)
    factor = _UNIT_SECONDS[unit or guessed or "s"]
    seconds = tuple(
        one * factor
        if isinstance(one, Decimal)
        else one.seconds
        if isinstance(one, _Clock)
        else None
        for one in values
    )
    return Times(seconds, _bad(cells, values), guessed if guessed != "s" else None)


@dataclass(frozen=True, slots=True)
class _Clock:
    seconds: Decimal


def _value(cell: Cell) -> _Clock | Decimal | datetime | None:
    """Return a cell as a time of a clock, a plain number or a moment; None for what is neither."""
    match cell:
        case datetime() if cell.tzinfo is None and cell.year < 1905:
            return _Clock(_exact(cell - _EXCEL_ZERO))
        case datetime():
            return cell
        case timedelta():
            return _Clock(_exact(cell))
        case time():
            day = timedelta(hours=cell.hour, minutes=cell.minute, seconds=cell.second)
            return _Clock(_exact(day + timedelta(microseconds=cell.microsecond)))
        case str():
            return _written(cell.strip())
        case _:
            return _number(cell)


def _written(text: str) -> _Clock | Decimal | datetime | None:
    seconds = clock_seconds(text)
    if seconds is not None:
        return _Clock(seconds)
    for ending, factor in (("ms", Decimal("0.001")), ("s", Decimal(1))):
        number = _number(text.removesuffix(ending).rstrip()) if text.endswith(ending) else None
        if number is not None:
            return _Clock(number * factor)
    number = _number(text)
    if number is not None:
        return number
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-01-31") else None
    except ValueError:
        return None


def _number(cell: object) -> Decimal | None:
    if isinstance(cell, bool) or not isinstance(cell, (str, int, float, Decimal)):
        return None
    text = repr(cell) if isinstance(cell, float) else str(cell).strip()
    if not text or len(text) > 40 or "_" in text:
        return None
    try:
        number = Decimal(text.replace(",", ".", 1) if text.count(",") == 1 else text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 30 else None


def _guess(numbers: Sequence[Decimal]) -> TimeUnit:
    if any(number != number.to_integral_value() for number in numbers):
        is_day = len(numbers) > 2 and all(0 <= number < 1 for number in numbers)
        return "day" if is_day else "s"
    gaps = len(set(numbers)) - 1
    return "ms" if gaps > 0 and (max(numbers) - min(numbers)) / gaps > _LONG_GAP else "s"


def _from_moments(
    cells: Sequence[Cell], values: Sequence[object], moments: Sequence[datetime]
) -> Times:
    """Turn moments into seconds from the earliest; a moment of the other kind is no time here."""
    is_naive = moments[0].utcoffset() is None
    alike = [one for one in moments if (one.utcoffset() is None) == is_naive]
    zero = min(alike)
    seconds = tuple(
        _exact(one - zero)
        if isinstance(one, datetime) and (one.utcoffset() is None) == is_naive
        else None
        for one in values
    )
    bad = {k for k, cell in enumerate(cells) if cell not in (None, "") and seconds[k] is None}
    started = None if is_naive else zero.isoformat()
    return Times(seconds, frozenset(bad), None, started, is_naive)


def _bad(cells: Sequence[Cell], values: Sequence[object]) -> frozenset[int]:
    return frozenset(
        k
        for k, cell in enumerate(cells)
        if values[k] is None and not (cell is None or (isinstance(cell, str) and not cell.strip()))
    )


def _moment(seconds: Decimal) -> datetime | None:
    try:
        return datetime.fromtimestamp(0, UTC) + timedelta(
            microseconds=int((seconds * 10**6).to_integral_value())
        )
    except OverflowError:
        return None


def _exact(span: timedelta) -> Decimal:
    whole = span.days * _SECONDS_OF_DAY + span.seconds
    return whole + Decimal(span.microseconds) / 10**6
