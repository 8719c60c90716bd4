"""How many calls each catalog version judges, of the sites that a person may read."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count

from oipsce_site.people.models import User
from review.models import Call
from review.queries.reach import readable_sites


def count_judged_calls(user: User | AnonymousUser) -> Mapping[UUID, int] | None:
    """Count the calls by the version that judges them, in two queries.

    None for a person who reads no site's calls: no number is not the same as none.
    """
    sites = readable_sites(user)
    if not sites:
        return None
    rows = (
        Call.objects.filter(site__in=sites, catalog_version__isnull=False)
        .order_by()
        .values_list("catalog_version_id")
        .annotate(number=Count("pk"))
    )
    return {version: number for version, number in rows if version is not None}
