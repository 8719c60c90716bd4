"""The figures of one calibration: every measure with every coefficient, n and interval by call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from review.core.agreement.coefficients import (
    COEFFICIENTS,
    Coefficient,
    Figure,
    Table,
    Undefined,
    prevalence,
)
from review.core.agreement.interval import Interval, percentile_interval
from review.core.agreement.measures import MEASURES, Measure, RatedCall, tables_of
from review.core.agreement.words import small_n

Plain = dict[str, Any]


class Measured(NamedTuple):
    """One measure over all calls: figures and intervals by coefficient, in words what n bears.

    `shares` is how often each category was given, the commonest first (prevalence).
    """

    id: str
    name: str
    figures: Mapping[str, Figure]
    intervals: Mapping[str, Interval]
    shares: Mapping[str, Fraction]
    small_n: str


def measure_agreement(
    calls: Sequence[RatedCall], draws: Sequence[Sequence[int]]
) -> tuple[Measured, ...]:
    """Return the agreement on each measure; `draws` are the calls drawn for the intervals."""
    return tuple(_measured(calls, draws, measure) for measure in MEASURES)


def _measured(
    calls: Sequence[RatedCall], draws: Sequence[Sequence[int]], measure: Measure
) -> Measured:
    return measure_tables(tables_of(calls, measure), draws, measure)


def measure_tables(
    tables: Sequence[Table], draws: Sequence[Sequence[int]], measure: Measure
) -> Measured:
    """Return the agreement over tables of ratings, one a call."""
    whole: Table = [unit for table in tables for unit in table]
    raters = max((len(unit) for unit in whole), default=0)
    # Cohen's is of two raters, Fleiss' of more: each where it belongs.
    left_out = "cohen" if raters > 2 else "fleiss"
    used = {name: one for name, one in COEFFICIENTS.items() if name != left_out}
    figures = {name: one(whole, measure.same, measure.scale) for name, one in used.items()}
    intervals = {
        name: percentile_interval(tables, draws, partial(_value, one, measure))
        for name, one in used.items()
    }
    shares = {str(rating): share for rating, share in prevalence(whole).items()}
    words = small_n(figures["raw"].n, len(tables))
    return Measured(measure.id, measure.name, figures, intervals, shares, words)


def _value(coefficient: Coefficient, measure: Measure, table: Table) -> Fraction | None:
    value = coefficient(table, measure.same, measure.scale).value
    return None if isinstance(value, Undefined) else value


def measured_to_json(measured: Measured) -> Plain:
    """Write the figures as plain values; fractions as "3/4"."""
    return {
        "id": measured.id,
        "name": measured.name,
        "figures": {
            name: [
                one.value.name if isinstance(one.value, Undefined) else str(one.value),
                *(_written(one.chance), one.n, one.excluded),
            ]
            for name, one in measured.figures.items()
        },
        "intervals": {
            name: [_written(one.low), _written(one.high), one.draws, one.without]
            for name, one in measured.intervals.items()
        },
        "shares": [[category, str(share)] for category, share in measured.shares.items()],
        "small_n": measured.small_n,
    }


def measured_from_json(plain: Mapping[str, Any]) -> Measured:
    """Read figures back. Raises KeyError, TypeError or ValueError for another shape."""
    return Measured(
        plain["id"],
        plain["name"],
        {
            name: Figure(
                Undefined[value] if value in Undefined.__members__ else Fraction(value),
                *(_read(chance), n, excluded),
            )
            for name, (value, chance, n, excluded) in plain["figures"].items()
        },
        {
            name: Interval(_read(low), _read(high), draws, without)
            for name, (low, high, draws, without) in plain["intervals"].items()
        },
        {category: Fraction(share) for category, share in plain["shares"]},
        plain["small_n"],
    )


def _written(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _read(plain: str | None) -> Fraction | None:
    return None if plain is None else Fraction(plain)
