"""The percentile bootstrap by call: rows of one call are not independent, so calls are drawn.

Which calls are drawn is an argument: the shell draws them, with a seed that it keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from review.core.agreement.coefficients import Table

#: Two-sided 95 %: what lies below, and above.
_TAIL = Fraction(1, 40)
_FEW = 12


class Interval(NamedTuple):
    """The 95 % interval of a figure. `draws` had a value and `without` had none (and are left out).

    `low` and `high` are None where no draw had a value, or where there is one call alone.
    """

    low: Fraction | None
    high: Fraction | None
    draws: int
    without: int


def percentile_interval(
    calls: Sequence[Table],
    draws: Sequence[Sequence[int]],
    value_of: Callable[[Table], Fraction | None],
) -> Interval:
    """Return the interval of `value_of` over calls drawn with replacement.

    `calls` holds one table a call, each draw the positions of as many calls. Raises IndexError for
    a position that there is not. Source: Efron, Ann. Stat. 7 (1979) 1-26.
    """
    if len(calls) < 2:
        return Interval(None, None, 0, len(draws))
    # Few calls have few combinations: each is worked out once. Of many none is drawn twice.
    order = sorted if len(calls) <= _FEW else tuple
    times = Counter(tuple(order(draw)) for draw in draws)
    found = [
        (value_of([unit for at in drawn for unit in calls[at]]), count)
        for drawn, count in times.items()
    ]
    values = sorted((value, count) for value, count in found if value is not None)
    told = sum(count for _, count in values)
    if not told:
        return Interval(None, None, 0, len(draws))
    ends = (_quantile(values, told, _TAIL), _quantile(values, told, 1 - _TAIL))
    return Interval(*ends, told, len(draws) - told)


def _quantile(values: Sequence[tuple[Fraction, int]], told: int, share: Fraction) -> Fraction:
    """Return the quantile between the two values next to it (numpy's default, Hyndman-Fan 7)."""
    place = share * (told - 1)
    lower = int(place)
    low, high = _at(values, lower), _at(values, min(lower + 1, told - 1))
    return low + (place - lower) * (high - low)


def _at(values: Sequence[tuple[Fraction, int]], place: int) -> Fraction:
    for value, count in values:
        if place < count:
            return value
        place -= count
    raise IndexError(place)
