"""The list of sites."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from oipsce_site.administration.presenters.sites import show_sites
from oipsce_site.administration.queries import list_sites
from oipsce_site.administration.views.answering import reader_of


@require_GET
def sites(request: HttpRequest) -> HttpResponse:
    """Show the sites in reach."""
    reader, may_change = reader_of(request)
    context = {
        "lines": show_sites(list_sites(reader)),
        "may_change": may_change,
        "section": "sites",
    }
    return render(request, "administration/sites.html", context)
