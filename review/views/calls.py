"""The list of calls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from review.permissions import maps_anywhere
from review.presenters.calls_list import PAGE_SIZE, read_asked, show_calls
from review.queries import list_calls, readable_sites


@require_GET
def calls(request: HttpRequest) -> HttpResponse:
    """Show the calls of the person's sites, newest first; filters and pages are in the address."""
    asked = read_asked(request.GET.dict())
    found = list_calls(
        request.user,
        state=asked.state,
        verdict=asked.verdict,
        limit=PAGE_SIZE,
        offset=asked.offset,
    )
    page = show_calls(found, asked, sees_any_site=bool(readable_sites(request.user)))
    context = {"page": page, "section": "calls", "may_map": maps_anywhere(request.user)}
    return render(request, "review/calls.html", context)
