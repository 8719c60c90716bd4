"""How many calls there are by site, catalog, state and CallSuccess: one pass over one index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count

from oipsce_site.people.models import Site
from review.models import Call


class Cell(NamedTuple):
    """Calls that are alike; `verdict` as `CallLine.call_success`, `catalog` a slug."""

    site: str
    catalog: str | None
    state: str
    verdict: str | None
    number: int


@dataclass(frozen=True, slots=True)
class CallCounts:
    """Every cell with a call in it."""

    cells: tuple[Cell, ...]

    def total(
        self,
        *,
        site: str | None = None,
        catalog: str | None = None,
        state: str | None = None,
        verdict: str | None = None,
    ) -> int:
        """Return how many calls are like this; None asks for nothing."""
        return sum(
            cell.number
            for cell in self.cells
            if site in (None, cell.site)
            and catalog in (None, cell.catalog)
            and state in (None, cell.state)
            and verdict in (None, cell.verdict)
        )


def count_by_glance(sites: Collection[Site], catalogs: Mapping[UUID, str]) -> CallCounts:
    """Count the calls of these sites in one query; `catalogs` are slugs by version."""
    slugs = {site.pk: site.slug for site in sites}
    counted = (
        Call.objects.filter(site__in=slugs)
        .order_by()
        .values_list("site_id", "state", "call_success", "catalog_version_id")
        .annotate(number=Count("*"))
    )
    return CallCounts(
        tuple(
            Cell(
                slugs[site],
                None if version is None else catalogs.get(version),
                state,
                None if success is None else success.lower(),
                number,
            )
            for site, state, success, version, number in counted
        )
    )
