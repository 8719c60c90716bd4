"""Weeks, months and quarters of the calendar, by the date of a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum


class Step(Enum):
    """How long a period is; the value is PostgreSQL's word for it."""

    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, both in it."""

    step: Step
    first: date
    last: date

    @property
    def name(self) -> str:
        """The name of it: a week is named by its Monday.

        >>> period_of(date(2026, 11, 29), Step.QUARTER).name
        '2026 Q4'
        """
        match self.step:
            case Step.WEEK:
                return f"{self.first:%-d %b %Y}"
            case Step.MONTH:
                return f"{self.first:%b %Y}"
            case Step.QUARTER:
                return f"{self.first.year} Q{(self.first.month + 2) // 3}"


def period_of(day: date, step: Step) -> Period:
    """Return the period that a day lies in."""
    if step is Step.WEEK:
        first = day - timedelta(days=day.weekday())
        return Period(step, first, first + timedelta(days=6))
    months = 1 if step is Step.MONTH else 3
    first = date(day.year, day.month - (day.month - 1) % months, 1)
    return Period(step, first, _after(first, months) - timedelta(days=1))


def periods_between(first: date, last: date, step: Step) -> Iterator[Period]:
    """Yield the periods from the one of `first` to the one of `last`; none where it is before."""
    one = period_of(first, step)
    while one.first <= last:
        yield one
        one = period_of(one.last + timedelta(days=1), step)


def _after(first: date, months: int) -> date:
    """Return the first of the month that comes so many months later."""
    counted = first.year * 12 + first.month - 1 + months
    return date(counted // 12, counted % 12 + 1, 1)
