"""Two ways in which a call comes to be read, and rates that never mix them.

A random sample says how often something goes wrong among all calls; a selection by risk finds harm
and says nothing about all calls. Counted together they say neither, so no function here takes both:
`add_up` refuses tallies of two selections, and a call that nobody selected has no rate at all.
Sources: design 4.3 (the draw); domain.md 3.2 (two samples, never mixed in one rate).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import sqrt

#: The quantile of the normal distribution for intervals of 95 %.
_Z = 1.959963984540054


class Selection(Enum):
    """Why a call was read: the draw took it, flags asked for it, or neither."""

    RANDOM = "RANDOM"
    RISK = "RISK"
    OTHER = "OTHER"


class MixedSamples(ValueError):
    """Counts of two selections were to become one; show them beside each other instead."""


class NoRate(ValueError):
    """A rate was asked of calls that nobody selected; they stand for nothing but themselves."""


def selection_of(*, drawn: bool, flagged: bool) -> Selection:
    """Say how a call was selected; `flagged`: any row had a flag when it was pre-filled.

    The draw comes first: a call that it took belongs to the random sample, flagged or not. Without
    its flagged calls the sample would stand for the harmless ones alone.
    """
    if drawn:
        return Selection.RANDOM
    return Selection.RISK if flagged else Selection.OTHER


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of the calls of one selection failed something, of those in which it was judged.

    Raises ValueError for counts that cannot be.
    """

    selection: Selection
    failed: int
    judged: int

    def __post_init__(self) -> None:
        if not 0 <= self.failed <= self.judged:
            raise ValueError(f"{self.failed} failed of {self.judged} judged cannot be")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of failures with its 95 % interval after Wilson; all between 0 and 1."""

    selection: Selection
    failed: int
    judged: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share itself."""
        return self.failed / self.judged


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies of one selection.

    Raises MixedSamples for those of several, ValueError for none.
    """
    known = list(tallies)
    kinds = {one.selection for one in known}
    if len(kinds) > 1:
        names = ", ".join(sorted(kind.value for kind in kinds))
        raise MixedSamples(f"tallies of {names} are not added up; show each by itself")
    if not kinds:
        raise ValueError("there is no tally to add up")
    return Tally(kinds.pop(), sum(one.failed for one in known), sum(one.judged for one in known))


def failure_rate(tally: Tally) -> Rate | None:
    """Return the rate of one selection; None where nothing was judged.

    Raises NoRate for calls that nobody selected. Wilson's interval holds also for few calls and
    for none that failed (E. B. Wilson 1927; Brown, Cai, DasGupta 2001).
    """
    if tally.selection is Selection.OTHER:
        raise NoRate("calls that were neither drawn nor flagged have a number, and no rate")
    if tally.judged == 0:
        return None
    low, high = wilson(tally.failed, tally.judged)
    return Rate(tally.selection, tally.failed, tally.judged, low, high)


def wilson(failed: int, judged: int) -> tuple[float, float]:
    """Return both ends of the 95 % interval; `judged` is 1 or more.

    >>> [round(end, 4) for end in wilson(0, 59)]
    [0.0, 0.0611]
    """
    share, square = failed / judged, _Z * _Z
    middle = share + square / (2 * judged)
    spread = _Z * sqrt(share * (1 - share) / judged + square / (4 * judged * judged))
    whole = 1 + square / judged
    # At the ends the sum is exact on paper and not in floating point.
    low = 0.0 if failed == 0 else max(0.0, (middle - spread) / whole)
    high = 1.0 if failed == judged else min(1.0, (middle + spread) / whole)
    return low, high
