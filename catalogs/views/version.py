"""The page of one catalog version."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalogs.core.document.origin import origin_of
from catalogs.permissions import can_author
from catalogs.presenters.overlays import Merged, show_merged
from catalogs.presenters.version_page import show_version
from catalogs.queries import StoredVersion, get_version_for, readable_states, reads_drafts
from catalogs.queries.overlays import overlay_of_version
from oipsce_site.people.models import User


@require_GET
def version(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show a version that the person may read; what is not for them is not there."""
    states = readable_states(request.user)
    stored = get_version_for(states, slug, version, timezone.localdate())
    if stored is None:
        raise Http404
    page = show_version(stored)
    context = {
        "page": page,
        "merged": _merged(stored),
        "reads_drafts": reads_drafts(states),
        "may_write": isinstance(request.user, User) and can_author(request.user),
        "section": "catalogs",
    }
    return render(request, "catalogs/version.html", context)


def _merged(stored: StoredVersion) -> Merged | None:
    """Draw where a version merged from an overlay comes from; None for any other."""
    if stored.document is None or origin_of(stored.document) is None:
        return None
    line = overlay_of_version(stored.line.id, timezone.localdate())
    return None if line is None else show_merged(stored.document, line.base_document, line)
