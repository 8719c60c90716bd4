"""How long flagged rows wait."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.presenters.compliance.open_flags import (
    PAGE_SIZE,
    read_flags_asked,
    show_open_flags,
)
from review.queries.open_flags import list_open_flags
from review.queries.oversight import site_names, sites_by_slug
from review.views.compliance.overseeing import overseer, show


@require_GET
def open_flags(request: HttpRequest) -> HttpResponse:
    """Show the ages of flags by class, and the rows that wait; filters are in the address."""
    _, seen = overseer(request)
    slugs = sites_by_slug(seen.sites)
    asked, now = read_flags_asked(request.GET.dict(), slugs), timezone.now()
    found = list_open_flags(
        seen.sites if asked.site is None else frozenset([slugs[asked.site]]),
        at=now,
        limit=PAGE_SIZE,
        kind=asked.kind,
        late=asked.late,
        place=asked.place,
    )
    page = show_open_flags(found, asked, site_names(seen.sites), now)
    return show(request, "open_flags", {"page": page})
