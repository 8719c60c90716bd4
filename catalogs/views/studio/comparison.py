"""What differs between two versions, and what a draft changes of the version it follows."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalogs.core.document import Document
from catalogs.presenters.comparison import choices, show_comparison
from catalogs.presenters.drafts import show_draft
from catalogs.queries import (
    check_text,
    get_version_by_id,
    list_versions,
    readable_states,
)
from catalogs.views.studio.answering import draft_for, reader_of


@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    """Show two versions of the reader's choice side by side."""
    states = readable_states(request.user)
    if not states:
        raise Http404
    old, new = _chosen(request, "old"), _chosen(request, "new")
    lines = list_versions(states, timezone.localdate())
    documents = [_document(states, one) for one in (old, new) if one is not None]
    both = len(documents) == 2 and all(documents)
    context = {
        "old": choices(lines, old),
        "new": choices(lines, new),
        "comparison": show_comparison(*[one for one in documents if one]) if both else None,
        "unreadable": old is not None and new is not None and not both,
        "section": "catalogs",
    }
    return render(request, "catalogs/compare.html", context)


@require_GET
def draft_changes(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show what a draft changes of the version that it follows."""
    reader = reader_of(request)
    stored = draft_for(reader, draft_id)
    follows, today = stored.started_from, timezone.localdate()
    old = None if follows is None else _document(readable_states(reader), follows)
    checked = check_text(stored.source, today, follows)
    new = checked.document
    old = old or checked.base
    context = {
        "draft": show_draft(stored.line),
        "comparison": show_comparison(old, new) if old is not None and new is not None else None,
        "base": f"{checked.base.slug} {checked.base.version}" if checked.base else "",
        "is_readable": new is not None,
        "section": "catalogs",
        "tab": "changes",
    }
    return render(request, "catalogs/draft_changes.html", context)


def _chosen(request: HttpRequest, name: str) -> UUID | None:
    try:
        return UUID(request.GET.get(name, ""))
    except ValueError:
        return None


def _document(states: frozenset[str], version_id: UUID) -> Document | None:
    found = get_version_by_id(states, version_id)
    if found is None:
        raise Http404
    return check_text(found.source, timezone.localdate(), None).document
