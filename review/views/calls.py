"""The list of calls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from oipsce_site.people.queries import has_role
from oipsce_site.people.roles import Role
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
    person = request.user
    sees_any_site = bool(readable_sites(person))
    # Asked only where nothing is readable: the list of a reader costs no query for it.
    is_administrator = not sees_any_site and has_role(person, None, Role.ADMINISTRATOR)
    page = show_calls(found, asked, sees_any_site=sees_any_site, is_administrator=is_administrator)
    return render(request, "review/calls.html", {"page": page, "section": "calls"})
