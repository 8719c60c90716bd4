"""Signed calls: the list with its filters, and the same as a file."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.core.compliance.marks import is_edge
from review.presenters.compliance.asked import SignedAsked, read_signed_asked
from review.presenters.compliance.signed_calls import PAGE_SIZE, excepted_of, show_signed
from review.queries.exceptions import standing_exceptions
from review.queries.signed_calls import all_signed, list_signed
from review.views.compliance.overseeing import overseer, send_rows, show

_HEAD = (
    *("call", "external id", "site", "catalog", "version", "date of call", "signed at (UTC)"),
    *("signed by", "sample", "coverage", "order safe", "call success"),
    *("critical edges violated", "items failed", "excepted"),
)


@require_GET
def signed_calls(request: HttpRequest) -> HttpResponse:
    """Show the signed calls of the person's sites; filters and places are in the address."""
    _, seen = overseer(request)
    asked = read_signed_asked(request.GET.dict())
    found = list_signed(seen.sites, asked.narrowing, limit=PAGE_SIZE, place=asked.place)
    page = show_signed(found, asked, standing_exceptions(seen.sites), timezone.now().date())
    return show(request, "signed_calls", {"page": page})


@require_GET
def signed_calls_file(request: HttpRequest) -> StreamingHttpResponse:
    """Return every signed call that is as asked, as a file."""
    _, seen = overseer(request)
    asked = read_signed_asked(request.GET.dict())
    return send_rows("signed-calls", _HEAD, _rows(seen.sites, asked))


def _rows(sites: frozenset[UUID], asked: SignedAsked) -> Iterator[tuple[object, ...]]:
    exceptions = standing_exceptions(sites)
    for one in all_signed(sites, asked.narrowing):
        edges = [name for name in one.failed if is_edge(name)]
        items = [name for name in one.failed if not is_edge(name)]
        yield (
            *(one.call_id, one.external_id, one.site_name, one.catalog, one.version),
            *(one.day.isoformat(), f"{one.signed_at:%Y-%m-%dT%H:%M:%SZ}", one.signed_by),
            *(one.selection.lower(), one.coverage, one.order_safe, one.call_success),
            *(" ".join(edges), " ".join(items), " ".join(excepted_of(one, exceptions))),
        )
