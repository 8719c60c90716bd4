"""Figures as lines and tables: each with its n, its interval, and a bar of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from review.core.figures import Share, Times

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from 0 to `value`, and a whisker from `low` to `high`, in hundredths of its room."""

    value: float
    low: float | None
    high: float | None

    @property
    def spread(self) -> float:
        """How wide the whisker is."""
        return 0 if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One line: what it is of, its figure and interval in words, and n. `few`: n is small."""

    name: str
    value: str
    interval: str
    n: str
    few: bool
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Lines about one thing. `what` heads their names, and `whole` is the first of them."""

    title: str
    what: str
    figure: str
    of: str
    lines: tuple[FigureLine, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a filter."""

    words: str
    query: str
    current: bool


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One thing and its figures, one for each column; `note` says more of it, `link` leads to it,
    and `whole` is the row of everything.
    """

    name: str
    cells: tuple[FigureLine, ...]
    note: str = ""
    link: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class FigureMatrix:
    """Things with several figures each. `what` heads their names; a cell's own name is its
    column's. `note` says how to read it.
    """

    id: str
    title: str
    what: str
    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    note: str = ""


def share_line(name: str, share: Share) -> FigureLine:
    """Write a share of a name: in percent with its part, its interval and n."""
    value = share.value
    return FigureLine(
        name=name,
        value="none" if value is None else f"{say_share(value)} ({share.part:,})",
        interval=write_span(share.low, share.high, say_share, ""),
        n=f"{share.n:,}",
        few=share.is_few,
        bar=None
        if value is None
        else Bar(part_of(value, 1), part_of(share.low, 1), part_of(share.high, 1)),
    )


def time_line(name: str, times: Times, most: float, say: Callable[[float], str]) -> FigureLine:
    """Write a median of a name, as `say` writes one value; the bar's whole room is `most`."""
    return FigureLine(
        name=name,
        value="none" if times.median is None else say(times.median),
        interval=write_span(times.low, times.high, say, "fewer than 6: no interval"),
        n=f"{times.n:,}",
        few=times.is_few,
        bar=None
        if times.median is None or not most
        else Bar(part_of(times.median, most), part_of(times.low, most), part_of(times.high, most)),
    )


def say_time(seconds: float) -> str:
    """Write a time.

    >>> say_time(7.5), say_time(95), say_time(3725)
    ('8 s', '1 min 35 s', '62 min 5 s')
    """
    minutes, rest = divmod(int(seconds + 0.5), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def say_share(share: float) -> str:
    """Write a share in percent.

    >>> say_share(0.5), say_share(0.9967), say_share(1.0)
    ('50 %', '99.7 %', '100 %')
    """
    percent = round(100 * share, 1)
    return f"{percent:.0f} %" if percent == round(percent) else f"{percent:.1f} %"


def write_span(
    low: float | None, high: float | None, say: Callable[[float], str], without: str
) -> str:
    """Write the ends of an interval as `say` writes one; `without` where there is none."""
    return without if low is None or high is None else f"{say(low)} to {say(high)}"


def part_of(value: float | None, most: float) -> float:
    """Return a value in hundredths of a bar's whole room."""
    return round(_WIDTH * (value or 0) / most, 2)
