"""Exceptions: which failures of which calls one covers, and what days it may have.

An exception changes no verdict: what it covers failed, and is told to be excepted beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from enum import Enum
from typing import Final, NamedTuple

#: An exception lasts a year at most; who needs longer asks again, and a second person looks again.
LONGEST: Final = timedelta(days=366)


class Stage(Enum):
    """How an exception stands on a day."""

    ASKED = "ASKED"
    COMING = "COMING"
    STANDS = "STANDS"
    EXPIRED = "EXPIRED"
    ENDED = "ENDED"
    LAPSED = "LAPSED"


class Excepted(NamedTuple):
    """An approved exception: a site's id, a catalog's slug, an edge, item or phase, its days."""

    site: str
    catalog: str
    name: str
    first: date
    last: date


class CannotExcept(ValueError):
    """The days make no exception; the sentence says why."""


def covers(one: Excepted, site: str, catalog: str, name: str, day: date) -> bool:
    """Say whether a failure of a call of this day is excepted; a phase covers all its items.

    >>> own = Excepted("s", "c", "PID", date(2026, 1, 1), date(2026, 1, 31))
    >>> [covers(own, "s", "c", name, own.last) for name in ("PID/name", "PID>CSV")]
    [True, False]
    """
    same = (one.site, one.catalog) == (site, catalog)
    named = name == one.name or name.startswith(f"{one.name}/")
    return same and named and one.first <= day <= one.last


def excepted_among(
    exceptions: Iterable[Excepted], site: str, catalog: str, failed: Iterable[str], day: date
) -> tuple[str, ...]:
    """Return those of the failures of one call that some exception covers."""
    known = list(exceptions)
    return tuple(
        name for name in failed if any(covers(one, site, catalog, name, day) for one in known)
    )


def check_days(first: date, last: date, today: date) -> None:
    """Raise CannotExcept for days that no exception may have."""
    if last < first:
        raise CannotExcept("The last day is before the first one.")
    if last - first >= LONGEST:
        raise CannotExcept("An exception lasts a year at most. Choose an earlier last day.")
    if last < today:
        raise CannotExcept("The last day is over already; an exception is not made afterwards.")


def stage_of(*, first: date, last: date, approved: bool, ended: bool, today: date) -> Stage:
    """Return how an exception stands on a day, by the clock alone."""
    if ended:
        return Stage.ENDED
    if not approved:
        return Stage.LAPSED if today > last else Stage.ASKED
    if today > last:
        return Stage.EXPIRED
    return Stage.COMING if today < first else Stage.STANDS
