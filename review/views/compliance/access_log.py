"""The access log: who opened which call when, and the same as a file."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.presenters.compliance.access_log import PAGE_SIZE, read_log_asked, show_access
from review.queries.access_log import AccessAsked, all_access, list_access, people_at
from review.queries.oversight import site_names, sites_by_slug
from review.views.compliance.overseeing import overseer, send_rows, show

_HEAD = (
    *("opened at (UTC)", "by", "person", "role", "call", "external id", "site", "review"),
    "request",
)


@require_GET
def access_log(request: HttpRequest) -> HttpResponse:
    """Show the openings of calls of the person's sites; filters and places are in the address."""
    _, seen = overseer(request)
    slugs = sites_by_slug(seen.sites)
    asked = read_log_asked(request.GET.dict(), slugs)
    found = list_access(seen.sites, asked.wanted(slugs), limit=PAGE_SIZE, place=asked.place)
    names, people = site_names(seen.sites), people_at(seen.sites)
    page = show_access(found, asked, names, people, timezone.now().date())
    return show(request, "access_log", {"page": page})


@require_GET
def access_log_file(request: HttpRequest) -> StreamingHttpResponse:
    """Return every opening that is as asked, as a file."""
    _, seen = overseer(request)
    slugs = sites_by_slug(seen.sites)
    asked = read_log_asked(request.GET.dict(), slugs)
    return send_rows("access-log", _HEAD, _rows(seen.sites, asked.wanted(slugs)))


def _rows(sites: frozenset[UUID], asked: AccessAsked) -> Iterator[tuple[object, ...]]:
    for one in all_access(sites, asked):
        opening = one.opening
        yield (
            *(f"{opening.at:%Y-%m-%dT%H:%M:%S.%fZ}", one.who, opening.by, opening.role),
            *(opening.call_id, one.external_id, one.site_name, opening.review or ""),
            opening.request,
        )
