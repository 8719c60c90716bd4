"""The sites that a compliance officer or auditor sees, by name."""

from __future__ import annotations

from uuid import UUID

from oipsce_site.people.models import Site
from review.queries.calls_list import SiteName


def site_names(sites: frozenset[UUID]) -> tuple[SiteName, ...]:
    """Return these sites by name."""
    found = Site.objects.filter(pk__in=sites).order_by("name")
    return tuple(SiteName(site.slug, site.name) for site in found)


def sites_by_slug(sites: frozenset[UUID]) -> dict[str, UUID]:
    """Return the ids of these sites by slug."""
    return dict(Site.objects.filter(pk__in=sites).values_list("slug", "pk"))


def site_names_by_id(sites: frozenset[UUID]) -> dict[UUID, str]:
    """Return the names of these sites by id."""
    return dict(Site.objects.filter(pk__in=sites).values_list("pk", "name"))
