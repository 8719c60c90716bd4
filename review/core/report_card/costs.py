"""What review costs: the mean of people's minutes per call, and a hundred calls at a rate."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import sqrt
from typing import NamedTuple

from review.core.figures import FEW, Z_95

_MINUTE = 60
_CALLS = 100


class Mean(NamedTuple):
    """The mean of n values; `low` and `high` are the ends of its interval at 95 percent by the
    central limit, None for fewer than 20 values, where that does not hold.
    """

    n: int
    value: float | None
    low: float | None
    high: float | None

    @property
    def is_few(self) -> bool:
        """Whether n is small."""
        return self.n < FEW


def mean_of(histogram: Mapping[int, int]) -> Mean:
    """Return the mean of seconds per call, in seconds, given how often each number of them was.

    A sum of money needs the mean: the median of a hundred calls says nothing of their total.

    >>> mean_of({60: 3, 120: 1})
    Mean(n=4, value=75.0, low=None, high=None)
    """
    n = sum(histogram.values())
    if n == 0:
        return Mean(0, None, None, None)
    mean = sum(value * count for value, count in histogram.items()) / n
    if n < FEW:
        return Mean(n, mean, None, None)
    squares = sum(count * (value - mean) ** 2 for value, count in histogram.items())
    half = Z_95 * sqrt(squares / (n - 1) / n)
    return Mean(n, mean, max(0.0, mean - half), mean + half)


def cost_per_100(seconds: float, rate: Decimal) -> Decimal:
    """Return what a hundred calls of so many seconds cost at a rate per minute, to the cent.

    >>> cost_per_100(75.0, Decimal("1.20"))
    Decimal('150.00')
    """
    return (Decimal(seconds) / _MINUTE * _CALLS * rate).quantize(Decimal("0.01"))
