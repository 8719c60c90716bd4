"""A draft as a form: what is changed here is changed in its text, and nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalogs.actions.drafts import WrittenMeanwhile, store_text
from catalogs.actions.versions import UnableToDraft
from catalogs.core.editing import UnableToEdit
from catalogs.forms.draft_form import changed_text, expression_errors
from catalogs.forms.drafts import ExpectingForm
from catalogs.permissions import can_author
from catalogs.presenters.draft_form import as_typed, show_form
from catalogs.presenters.drafts import show_conflict, show_draft, show_findings, title_of
from catalogs.queries import StoredDraft, check_text, get_text, list_texts
from catalogs.views.studio.answering import (
    CONFLICT,
    UNPROCESSABLE,
    author_of,
    draft_for,
    reader_of,
)
from oipsce_site.people.models import User

_UNREADABLE = (
    "A condition cannot be read, so nothing is stored yet; what is wrong stands beside it."
)


@require_http_methods(["GET", "HEAD", "POST"])
def draft_form(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show the form, or change what was sent in the text that it was filled from."""
    if request.method != "POST":
        reader = reader_of(request)
        return _page(request, reader, draft_for(reader, draft_id))
    by = author_of(request)
    stored = draft_for(by, draft_id)
    sent = {name: str(value) for name, value in request.POST.items()}
    form = ExpectingForm(sent)
    expected = form.cleaned_data["expected"] if form.is_valid() else 0
    source = get_text(draft_id, expected)
    if source is None:
        raise Http404
    # What is refused is shown over the text that it was filled from: places are of that text.
    stored = replace(stored, source=source, line=replace(stored.line, current=expected))
    if check_text(source, timezone.localdate(), stored.started_from).is_overlay:
        refused = "An overlay is written as text; the form writes whole catalogs."
        return _page(request, by, stored, {"refusal": refused}, UNPROCESSABLE)
    errors = expression_errors(sent)
    if errors:
        said = {"refusal": _UNREADABLE, "sent": sent}
        return _page(request, by, stored, said, UNPROCESSABLE, typed=(sent, errors))
    try:
        changed = changed_text(source.decode("utf-8"), sent).encode("utf-8")
    except UnableToEdit as refusal:
        said = {"refusal": str(refusal), "sent": sent}
        return _page(request, by, stored, said, UNPROCESSABLE, typed=(sent, {}))
    except UnicodeDecodeError:
        refused = "The text is no UTF-8 text, so no form can change it; take a file in its place."
        return _page(request, by, stored, {"refusal": refused}, UNPROCESSABLE)
    return _stored(request, by, stored, changed, expected)


def _stored(
    request: HttpRequest, by: User, stored: StoredDraft, source: bytes, expected: int
) -> HttpResponse:
    draft_id, today = stored.line.id, timezone.localdate()
    checked = check_text(source, today, stored.started_from)
    try:
        store_text(
            draft_id=draft_id,
            source=source,
            title=title_of(checked, stored.line.title),
            expected=expected,
            by=by,
            at=timezone.now(),
        )
    except WrittenMeanwhile as conflict:
        now = draft_for(by, draft_id)
        shown = show_conflict(now, conflict.aside, source, list_texts(draft_id))
        return _page(request, by, now, {"conflict": shown}, CONFLICT)
    except UnableToDraft as refusal:
        return _page(request, by, stored, {"refusal": refusal}, UNPROCESSABLE)
    messages.success(request, "Changed in the text; everything else of it stands as it was.")
    place = request.POST.get("phase", "")
    anchor = f"#form-{place}" if place.isidentifier() else ""
    return redirect(reverse("catalogs:draft-form", args=[draft_id]) + anchor)


def _page(
    request: HttpRequest,
    reader: User,
    stored: StoredDraft,
    extra: Mapping[str, object] | None = None,
    status: int = 200,
    *,
    typed: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
) -> HttpResponse:
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    whole = None if checked.is_overlay else checked.document
    form = show_form(whole, checked.findings) if whole else None
    if form is not None and typed is not None:
        form = as_typed(form, *typed)
    context = {
        "draft": show_draft(stored.line),
        "form": form,
        "is_overlay": checked.is_overlay,
        "findings": show_findings(checked, stored.line.current),
        "may_write": can_author(reader),
        "section": "catalogs",
        "tab": "form",
    }
    return render(request, "catalogs/draft_form.html", {**context, **(extra or {})}, status=status)
