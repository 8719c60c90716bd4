"""A share of n with Wilson's interval at 95 percent (E. B. Wilson, JASA 22, 1927)."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

#: Below so many a figure says little, and a page says so.
FEW = 20
#: The normal deviate of an interval at 95 percent.
Z_95 = 1.959963984540054


class Share(NamedTuple):
    """`part` of `n`; `low` and `high` are the ends of the interval, 0 to 1, None for n = 0."""

    part: int
    n: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        """The share itself, 0 to 1; None for none of nothing."""
        return self.part / self.n if self.n else None

    @property
    def is_few(self) -> bool:
        """Whether n is small."""
        return self.n < FEW


def share_of(part: int, n: int) -> Share:
    """Return the share of `part` in `n` with its interval.

    Raises ValueError for a part outside of n.

    >>> [round(one, 4) for one in share_of(8, 10)[2:]]
    [0.4902, 0.9433]
    """
    if not 0 <= part <= n:
        raise ValueError(f"{part} of {n}: a part is not larger than the whole")
    if n == 0:
        return Share(0, 0, None, None)
    share, square = part / n, Z_95 * Z_95
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z_95 / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    low = 0.0 if part == 0 else max(0.0, middle - half)
    high = 1.0 if part == n else min(1.0, middle + half)
    return Share(part, n, low, high)
