"""The list of people."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from oipsce_site.administration.presenters.people import show_people
from oipsce_site.administration.queries import list_people, list_requests, with_second_factor
from oipsce_site.administration.views.answering import reader_of


@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """Show the people in reach, and to administrators the requests that wait."""
    reader, may_change = reader_of(request)
    page = show_people(
        list_people(reader),
        list_requests() if may_change else (),
        with_second_factor(),
        reader=reader,
        may_change=may_change,
    )
    return render(request, "administration/people.html", {"page": page, "section": "people"})
