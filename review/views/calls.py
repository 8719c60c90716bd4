"""The list of calls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.permissions import maps_anywhere
from review.presenters.calls_asked import read_asked
from review.presenters.calls_list import PAGE_SIZE, show_calls
from review.queries import list_calls


@require_GET
def calls(request: HttpRequest) -> HttpResponse:
    """Show the calls of the person's sites, newest first; filters and places are in the address."""
    asked = read_asked(request.GET.dict())
    found = list_calls(
        request.user, asked.narrowing, at=timezone.now(), limit=PAGE_SIZE, place=asked.place
    )
    page = show_calls(found, asked)
    context = {"page": page, "section": "calls", "may_map": maps_anywhere(request.user)}
    return render(request, "review/calls.html", context)
