"""The page of one catalog version."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalogs.presenters.version_page import show_version
from catalogs.queries import get_version_for, readable_states, reads_drafts


@require_GET
def version(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show a version that the person may read; what is not for them is not there."""
    states = readable_states(request.user)
    stored = get_version_for(states, slug, version, timezone.localdate())
    if stored is None:
        raise Http404
    page = show_version(stored)
    context = {"page": page, "reads_drafts": reads_drafts(states), "section": "catalogs"}
    return render(request, "catalogs/version.html", context)
