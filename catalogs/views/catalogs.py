"""The list of catalogs and their versions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalogs.presenters.catalogs_list import read_state, show_catalogs
from catalogs.queries import list_versions, readable_states, reads_drafts


@require_GET
def catalogs(request: HttpRequest) -> HttpResponse:
    """Show the versions that the person may read; the filter is in the address."""
    states = readable_states(request.user)
    found = list_versions(states, timezone.localdate())
    page = show_catalogs(found, read_state(request.GET.get("state", "")), states)
    context = {"page": page, "reads_drafts": reads_drafts(states), "section": "catalogs"}
    return render(request, "catalogs/catalogs.html", context)
