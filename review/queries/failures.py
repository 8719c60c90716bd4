"""How often critical edges and acceptance items failed among signed calls, by period and selection.

Counted by the database, always by selection: two samples never come back as one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, QuerySet

from catalogs.models import CatalogVersion, VersionState
from review.core.compliance.periods import Step
from review.core.compliance.samples import Selection, Tally
from review.core.queue import OPEN_STATES, is_sampled
from review.models import Call, SignedLine
from review.queries.own_to_sites import judged_by
from review.queries.signed_calls import SignedNarrowing


class Counted(NamedTuple):
    """The tally of one edge or item in the period that begins with a day."""

    name: str
    first: date
    tally: Tally


@dataclass(frozen=True, slots=True)
class VersionMark:
    """When a version of a catalog came into force."""

    version: str
    since: date


_COUNT: Final = """
select name, date_trunc(%s, line.day)::date, line.selection, count(*) filter
  (where name = any(line.failed)), count(*)
from ({lines}) as line, unnest(line.judged) as name
group by 1, 2, 3 order by 1, 2, 3
"""


def count_failures(lines: QuerySet[SignedLine], step: Step) -> tuple[Counted, ...]:
    """Count the failures of every edge and item of these lines, in one query.

    Calls that nobody selected are left out: they have no rate.
    """
    chosen = lines.exclude(selection=Selection.OTHER.value).order_by()
    plain, given = chosen.values("day", "selection", "judged", "failed").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(lines=plain), [step.value, *given])
        return tuple(
            Counted(name, first, Tally(Selection(selection), failed, judged))
            for name, first, selection, failed, judged in cursor.fetchall()
        )


def count_by_catalog(lines: QuerySet[SignedLine]) -> dict[str, int]:
    """Return how many of these lines each catalog has, by slug, the most first."""
    counted = lines.order_by().values_list("catalog_version__catalog__slug")
    rows = counted.annotate(number=Count("*")).order_by("-number", "catalog_version__catalog__slug")
    return dict(rows.values_list("catalog_version__catalog__slug", "number"))


def count_by_selection(lines: QuerySet[SignedLine]) -> dict[Selection, int]:
    """Return how many of these lines each selection has."""
    rows = lines.order_by().values_list("selection").annotate(number=Count("*"))
    return dict.fromkeys(Selection, 0) | {Selection(name): number for name, number in rows}


def marks_of_catalog(slug: str) -> tuple[VersionMark, ...]:
    """Return when each published version of a catalog came into force, in that order."""
    found = CatalogVersion.objects.filter(
        catalog__slug=slug, state__in=(VersionState.PUBLISHED, VersionState.RETIRED)
    )
    rows = found.order_by("effective_from", "version").values_list("version", "effective_from")
    return tuple(VersionMark(version, since) for version, since in rows)


def count_drawn_open(sites: frozenset[UUID], narrowing: SignedNarrowing, key: bytes) -> int:
    """Count the calls of the random sample that are not signed yet, of the same dates and catalog.

    A rate of the sample stands for all calls once this is zero; `key` is that of the draw.
    """
    found = Call.objects.filter(site__in=sites, state__in=[one.value for one in OPEN_STATES])
    if narrowing.catalog is not None:
        found = found.filter(judged_by(narrowing.catalog))
    wanted = {
        "site__slug": narrowing.site,
        "catalog_version__version": narrowing.version,
        "call_date__gte": narrowing.first,
        "call_date__lte": narrowing.last,
    }
    found = found.filter(**{name: value for name, value in wanted.items() if value is not None})
    return sum(is_sampled(one, key) for one in _ids(found))


def _ids(found: QuerySet[Call]) -> Iterator[UUID]:
    return found.order_by().values_list("pk", flat=True).iterator(chunk_size=5_000)
