"""The earlier texts of a draft: looked at, taken as a file, brought back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.actions.drafts import NoSuchDraft, WrittenMeanwhile, bring_back_text
from catalogs.forms.drafts import ExpectingForm
from catalogs.permissions import can_author
from catalogs.presenters.drafts import compare, numbered, show_draft, show_texts
from catalogs.queries import get_text, list_texts
from catalogs.views.studio.answering import as_file, author_of, draft_for, reader_of


@require_GET
def draft_texts(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """List every text that the draft ever had."""
    stored = draft_for(reader_of(request), draft_id)
    context = {
        "draft": show_draft(stored.line),
        "texts": show_texts(list_texts(draft_id), stored.line.current),
        "section": "catalogs",
        "tab": "texts",
    }
    return render(request, "catalogs/draft_texts.html", context)


@require_GET
def draft_text(request: HttpRequest, draft_id: UUID, number: int) -> HttpResponse:
    """Show one text with numbered lines, and what the text that stands changes of it."""
    reader = reader_of(request)
    stored = draft_for(reader, draft_id)
    source = get_text(draft_id, number)
    if source is None:
        raise Http404
    is_current = number == stored.line.current
    context = {
        "draft": show_draft(stored.line),
        "number": number,
        "is_current": is_current,
        "lines": numbered(source),
        "changes": () if is_current else compare(source, stored.source),
        "form": ExpectingForm(initial={"expected": stored.line.current}),
        "may_write": can_author(reader),
        "section": "catalogs",
        "tab": "texts",
    }
    return render(request, "catalogs/draft_text.html", context)


@require_GET
def draft_text_document(request: HttpRequest, draft_id: UUID, number: int) -> HttpResponse:
    """Hand out the exact bytes of one text."""
    draft_for(reader_of(request), draft_id)
    source = get_text(draft_id, number)
    if source is None:
        raise Http404
    return as_file(source, f"draft-{number}.yaml")


@require_POST
def draft_text_back(request: HttpRequest, draft_id: UUID, number: int) -> HttpResponse:
    """Bring an earlier text back as the next one."""
    by = author_of(request)
    draft_for(by, draft_id)
    form = ExpectingForm(request.POST)
    expected = form.cleaned_data["expected"] if form.is_valid() else 0
    try:
        bring_back_text(
            draft_id=draft_id, number=number, expected=expected, by=by, at=timezone.now()
        )
    except NoSuchDraft as gone:
        raise Http404 from gone
    except WrittenMeanwhile:
        messages.error(
            request, "Somebody has stored another text meanwhile, so nothing was brought back."
        )
        return redirect("catalogs:draft-text", draft_id, number)
    messages.success(request, f"Text {number} is back; the one before it is among the texts.")
    return redirect("catalogs:draft", draft_id)
