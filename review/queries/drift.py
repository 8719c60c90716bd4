"""Calls that were read twice, as the page of drift counts them: sides of readings, no words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Count, QuerySet

from review.core.drift import ReadTwice
from review.core.readings import ReadingKind, compared_from_json
from review.models import Reading, ReadingState

#: The readings that one page is made of, at most: the latest.
MOST_READINGS: Final = 1_000
_SLUG: Final = "call__catalog_version__catalog__slug"


@dataclass(frozen=True, slots=True)
class DriftScope:
    """Which readings are counted: of these sites and kinds, done from `first` to `last` (UTC days,
    both inside).
    """

    sites: frozenset[UUID]
    kinds: frozenset[ReadingKind]
    first: date
    last: date


def count_read_twice(scope: DriftScope) -> dict[str, int]:
    """Return how many calls of each catalog were read twice, by slug, the most first."""
    counted = _done(scope).order_by().values(_SLUG).annotate(number=Count("id"))
    return {one[_SLUG]: one["number"] for one in counted.order_by("-number", _SLUG)}


def calls_read_twice(scope: DriftScope, slug: str) -> tuple[ReadTwice, ...]:
    """Return the latest readings of a catalog that are done, by any version of it, oldest first."""
    found = _done(scope).filter(**{_SLUG: slug}).order_by("-done_at", "-id")
    rows = found.values_list("done_at", "call__site__slug", "compared")[:MOST_READINGS]
    return tuple(
        ReadTwice(done_at.date(), site, compared_from_json(compared or {}))
        for done_at, site, compared in reversed(rows)
        if done_at is not None
    )


def _done(scope: DriftScope) -> QuerySet[Reading]:
    first, last = (datetime.combine(day, time.min, UTC) for day in (scope.first, scope.last))
    return Reading.objects.filter(
        state=ReadingState.DONE,
        call__site__in=scope.sites,
        kind__in=[kind.value for kind in scope.kinds],
        done_at__gte=first,
        done_at__lt=last + timedelta(days=1),
    )
