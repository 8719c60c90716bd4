"""Shares of calls on which two readings say the same: one call counts once in each of them, so
that Wilson's interval holds, though rows of one call hang together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from review.core.compliance.periods import Step, period_of
from review.core.figures import Share, share_of
from review.core.readings import Compared, units_of


class ReadTwice(NamedTuple):
    """A call that was read twice: the day on which the second reading was done, its site by slug,
    and both readings side by side.
    """

    day: date
    site: str
    compared: Compared


def calls_alike(calls: Iterable[ReadTwice], measure: str) -> Share:
    """Return the share of calls whose every row (or edge) both readings have alike.

    Calls on which the measure compares nothing do not count.
    """
    return _share(
        all(unit.same for unit in units)
        for one in calls
        if (units := units_of(one.compared, measure))
    )


def shares_by_name(calls: Iterable[ReadTwice], measure: str) -> dict[str, Share]:
    """Return of each phase (or edge) the share of calls that have it alike, as they come first."""
    told: dict[str, list[bool]] = defaultdict(list)
    for one in calls:
        for unit in units_of(one.compared, measure):
            told[unit.name].append(unit.same)
    return {name: _share(same) for name, same in told.items()}


def shares_by_period(
    calls: Iterable[ReadTwice], measure: str, step: Step
) -> Mapping[str, dict[date, Share]]:
    """Return the same by the first day of the period; under "" the share of calls all alike."""
    periods: dict[date, list[ReadTwice]] = defaultdict(list)
    for one in calls:
        periods[period_of(one.day, step).first].append(one)
    found: dict[str, dict[date, Share]] = defaultdict(dict)
    for first, own in sorted(periods.items()):
        found[""][first] = calls_alike(own, measure)
        for name, share in shares_by_name(own, measure).items():
            found[name][first] = share
    return found


def _share(told: Iterable[bool]) -> Share:
    known = list(told)
    return share_of(sum(known), len(known))
