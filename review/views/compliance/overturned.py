"""Reopened calls and overturned rows."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from review.presenters.calls_asked import read_moment
from review.presenters.compliance.overturned import show_overturned
from review.queries.overturned import list_ended, list_overturned
from review.views.compliance.overseeing import overseer, show

_PAGE_SIZE = 50
_LONGEST = 18


@require_GET
def overturned(request: HttpRequest) -> HttpResponse:
    """Show what was done about signatures, and decisions against proposals, the latest first."""
    _, seen = overseer(request)
    rows, acts = (_digits(request, name) for name in ("rows", "signatures"))
    before = None if acts is None else read_moment(str(acts))
    page = show_overturned(
        list_ended(seen.sites, limit=_PAGE_SIZE, before=before),
        list_overturned(seen.sites, limit=_PAGE_SIZE, before=rows),
        is_first=rows is None and before is None,
    )
    return show(request, "overturned", {"page": page})


def _digits(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None
