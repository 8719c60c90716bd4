"""The time that people spent per call, and what a hundred calls cost at a rate."""

from __future__ import annotations

from decimal import Decimal

from review.core.figures import times_of
from review.core.report_card import cost_per_100, mean_of
from review.presenters.figure_tables import (
    Bar,
    FigureLine,
    part_of,
    say_time,
    time_line,
    write_span,
)
from review.queries.report_cards import SpentOnCalls

TIMES = ("Median per call", "Mean per call")
COST = "Cost of 100 calls"


def time_columns(rate: Decimal | None) -> tuple[str, ...]:
    """Return the columns of `time_cells`."""
    return TIMES if rate is None else (*TIMES, COST)


def time_cells(spent: SpentOnCalls, rate: Decimal | None) -> tuple[FigureLine, ...]:
    """Return the time that people spent per call, and what a hundred calls cost at a rate."""
    times, mean = times_of(spent.seconds), mean_of(spent.seconds)
    most = max(times.high or times.median or 0, mean.high or mean.value or 0)
    cells = [
        time_line(TIMES[0], times, most, say_time),
        FigureLine(
            TIMES[1],
            "none" if mean.value is None else say_time(mean.value),
            write_span(mean.low, mean.high, say_time, "fewer than 20: no interval"),
            f"{mean.n:,}",
            mean.is_few,
            None
            if mean.value is None or not most
            else Bar(
                part_of(mean.value, most),
                None if mean.low is None else part_of(mean.low, most),
                None if mean.high is None else part_of(mean.high, most),
            ),
        ),
    ]
    if rate is not None:
        cells.append(
            FigureLine(
                COST,
                "none" if mean.value is None else _cost(mean.value, rate),
                write_span(
                    mean.low,
                    mean.high,
                    lambda seconds: _cost(seconds, rate),
                    "fewer than 20: no interval",
                ),
                f"{mean.n:,}",
                mean.is_few,
                None,
            )
        )
    return tuple(cells)


def _cost(seconds: float, rate: Decimal) -> str:
    return f"{cost_per_100(seconds, rate):,}"
