"""The median of times with an interval that assumes no distribution: two of the times themselves.

Times come as a histogram, whole seconds and how often each was: a year of work is a few hundred
pairs, and every figure below is exact to the second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb, floor, sqrt
from typing import NamedTuple

from review.core.figures.shares import FEW, Z_95

_TAIL = 0.025
#: Beyond it the exact count of ranks and the normal one are the same to a rank or two.
_EXACT = 1_000


class Times(NamedTuple):
    """Seconds: how many times there are, their median, and its interval at 95 percent or better.

    `median` is None of no times; `low` and `high` are None of fewer than six, which have none.
    """

    n: int
    median: float | None
    low: int | None
    high: int | None

    @property
    def is_few(self) -> bool:
        """Whether n is small."""
        return self.n < FEW


def times_of(histogram: Mapping[int, int]) -> Times:
    """Return the figures of times, given how often each number of seconds was.

    >>> times_of({10: 1, 20: 4, 30: 2, 90: 1})
    Times(n=8, median=20.0, low=10, high=90)
    """
    n = sum(histogram.values())
    if n == 0:
        return Times(0, None, None, None)
    median = (_at_rank(histogram, (n + 1) // 2) + _at_rank(histogram, n // 2 + 1)) / 2
    rank = _rank(n)
    if rank == 0:
        return Times(n, median, None, None)
    return Times(n, median, _at_rank(histogram, rank), _at_rank(histogram, n + 1 - rank))


def joined(histograms: Iterable[Mapping[int, int]]) -> Mapping[int, int]:
    """Return the histogram of all times of several."""
    total: Counter[int] = Counter()
    for one in histograms:
        total.update(one)
    return total


def _at_rank(histogram: Mapping[int, int], rank: int) -> int:
    """Return the time of a rank, counted from 1."""
    passed = 0
    for seconds in sorted(histogram):
        passed += histogram[seconds]
        if passed >= rank:
            return seconds
    raise ValueError(f"rank {rank} of {passed} times")


def _rank(n: int) -> int:
    """Return the rank of the interval's lower end, counted from both ends; 0 where there is none.

    The interval misses the median when fewer than `rank` of n fair coins fall on one side.
    """
    if n > _EXACT:
        return max(0, floor((n - Z_95 * sqrt(n)) / 2))
    tail, rank, most = 0, 0, _TAIL * 2**n
    while rank < n and tail + comb(n, rank) <= most:
        tail += comb(n, rank)
        rank += 1
    return rank
