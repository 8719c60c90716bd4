"""A small chart of one share over time: points with their intervals, and marks of new versions.

All lengths are pixels of the drawing, which is narrow enough for a telephone. What it shows also
stands in a table beside it; nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from review.core.compliance.periods import Period
from review.queries.failures import VersionMark

WIDTH, HEIGHT = 344, 168
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 10, 30, 26
_TOPS = (0.1, 0.25, 0.5, 1.0)
_TICKS = 4
_LABELS = 2
_LETTER = 6.2


class Drawn(NamedTuple):
    """A share with its interval, all between 0 and 1, and what it says in words."""

    share: float
    low: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Point:
    """One period's share; `x` and the three heights are where it is drawn."""

    x: int
    y: int
    low: int
    high: int
    words: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale, or a name below the drawing."""

    at: int
    words: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Flagpole:
    """Where a version came into force. `label_y` differs where two would lie on one another."""

    x: int
    words: str
    label_y: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Chart:
    """One drawing; `sentences` say the same in words."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    scale: tuple[Tick, ...]
    names: tuple[Tick, ...]
    points: tuple[Point, ...]
    versions: tuple[Flagpole, ...]
    sentences: tuple[str, ...]


def draw_chart(
    periods: Sequence[Period], shares: Sequence[Drawn | None], versions: Iterable[VersionMark]
) -> Chart:
    """Draw shares by period; None leaves a gap. There is at least one period."""
    highest = max((one.high for one in shares if one is not None), default=0.0)
    top = next((one for one in _TOPS if highest <= one), 1.0)
    points = tuple(
        _point(index, len(periods), period, share, top)
        for index, (period, share) in enumerate(zip(periods, shares, strict=True))
        if share is not None
    )
    poles = _poles(periods, versions)
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=WIDTH - _RIGHT,
        top=_TOP,
        bottom=HEIGHT - _BOTTOM,
        scale=tuple(_tick(top * step / _TICKS, top) for step in range(_TICKS + 1)),
        names=_names(periods),
        points=points,
        versions=poles,
        sentences=(*(one.words for one in points), *(f"{one.words} in force" for one in poles)),
    )


def percent(share: float, *, sign: bool = True) -> str:
    """Write a share in percent: one decimal below ten, none above.

    >>> percent(0.0456), percent(0.25), percent(0), percent(0.9996)
    ('4.6 %', '25 %', '0 %', '100 %')
    """
    value = share * 100
    text = f"{value:.1f}" if 0 < value < 9.95 else f"{value:.0f}"
    return f"{text} %" if sign else text


def _point(index: int, count: int, period: Period, drawn: Drawn, top: float) -> Point:
    return Point(
        x=_across((index + 0.5) / count),
        y=_up(drawn.share, top),
        low=_up(drawn.low, top),
        high=_up(drawn.high, top),
        words=f"{period.name}: {drawn.words}",
    )


def _across(share: float) -> int:
    return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT))


def _up(value: float, top: float) -> int:
    return round(HEIGHT - _BOTTOM - min(value / top, 1.0) * (HEIGHT - _BOTTOM - _TOP))


def _tick(value: float, top: float) -> Tick:
    return Tick(_up(value, top), percent(value, sign=value in (0.0, top)))


def _names(periods: Sequence[Period]) -> tuple[Tick, ...]:
    if len(periods) == 1:
        return (Tick(_across(0.5), periods[0].name),)
    return (
        Tick(_LEFT, periods[0].name, "start"),
        Tick(WIDTH - _RIGHT, periods[-1].name, "end"),
    )


def _poles(periods: Sequence[Period], versions: Iterable[VersionMark]) -> tuple[Flagpole, ...]:
    first, last = periods[0].first, periods[-1].last
    whole = (last - first).days + 1
    poles: list[Flagpole] = []
    for number, one in enumerate(mark for mark in versions if first <= mark.since <= last):
        x = _across(_days(first, one.since) / whole)
        anchor = "start" if x + len(one.version) * _LETTER < WIDTH else "end"
        poles.append(Flagpole(x, f"version {one.version}", 10 + 11 * (number % _LABELS), anchor))
    return tuple(poles)


def _days(first: date, day: date) -> int:
    return (day - first).days
