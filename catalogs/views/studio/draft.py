"""One draft: its text, what lint says of it, and the fragment that stores it as it is typed."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogs.actions.drafts import (
    NoSuchDraft,
    WrittenMeanwhile,
    hand_in_draft,
    store_text,
)
from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import UnableToDraft
from catalogs.core.editing import with_line_ends_of
from catalogs.forms.drafts import ExpectingForm, FileForm, TextForm
from catalogs.permissions import can_author
from catalogs.presenters.drafts import (
    show_conflict,
    show_draft,
    show_findings,
    title_of,
    typed_text,
)
from catalogs.presenters.overlays import show_merged
from catalogs.queries import StoredDraft, check_text, list_texts
from catalogs.views.studio.answering import (
    CONFLICT,
    UNPROCESSABLE,
    as_file,
    author_of,
    draft_for,
    reader_of,
)
from oipsce_site.people.models import User


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show a draft, or store the text that was typed and check it."""
    if request.method != "POST":
        reader = reader_of(request)
        return _page(request, reader, draft_for(reader, draft_id))
    by = author_of(request)
    stored = draft_for(by, draft_id)
    typed = _typed(request, stored)
    try:
        _store(request, by, stored, typed)
    except WrittenMeanwhile as conflict:
        return _conflict_page(request, by, draft_id, typed, conflict.aside)
    except UnableToDraft as refusal:
        return _page(request, by, stored, {"refusal": refusal, "text": typed_text(typed)}, 422)
    return redirect("catalogs:draft", draft_id)


@require_POST
def draft_checked(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Store the text as it is typed, and answer what lint says of it; a fragment."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    typed = _typed(request, stored)
    try:
        _store(request, by, stored, typed)
    except WrittenMeanwhile as conflict:
        now = draft_for(by, draft_id)
        shown = show_conflict(now, conflict.aside, typed, list_texts(draft_id))
        context = {**_context(by, now), "conflict": shown}
        return render(request, "catalogs/draft.html#checked", context, status=CONFLICT)
    except UnableToDraft as refusal:
        context = {**_context(by, stored), "refusal": refusal}
        return render(request, "catalogs/draft.html#checked", context, status=UNPROCESSABLE)
    context = {**_context(by, draft_for(by, draft_id)), "is_fragment": True}
    return render(request, "catalogs/draft.html#checked", context)


@require_POST
def draft_file(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Take a file's bytes in the place of the text."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, by, stored, {"file_form": form}, UNPROCESSABLE)
    source = form.cleaned_data["file"].read()
    try:
        _store_bytes(by, stored, source, form.cleaned_data["expected"])
    except WrittenMeanwhile as conflict:
        return _conflict_page(request, by, draft_id, source, conflict.aside)
    except UnableToDraft as refusal:
        form.add_error("file", str(refusal))
        return _page(request, by, stored, {"file_form": form}, UNPROCESSABLE)
    messages.success(request, "The file's text is stored; the one before it is among the texts.")
    return redirect("catalogs:draft", draft_id)


@require_POST
def draft_hand_in(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Hand the draft to the approvers."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    form = ExpectingForm(request.POST)
    expected = form.cleaned_data["expected"] if form.is_valid() else 0
    try:
        hand_in_draft(
            draft_id=draft_id, version_id=uuid4(), expected=expected, by=by, at=timezone.now()
        )
    except WrittenMeanwhile:
        said = "Somebody has stored another text since you opened the page: read it first."
        return _page(request, by, stored, {"refusal": said}, CONFLICT)
    except (UnableToDraft, UnableToMove) as refusal:
        return _page(request, by, stored, {"refusal": refusal}, UNPROCESSABLE)
    now = show_draft(draft_for(by, draft_id).line)
    messages.success(request, f"Version {now.version} is in review. A worker rehearses it now.")
    return redirect("catalogs:review", now.slug, now.version)


@require_GET
def draft_document(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Hand out the exact bytes of the text that stands."""
    stored = draft_for(reader_of(request), draft_id)
    return as_file(stored.source, f"draft-{stored.line.current}.yaml")


def _typed(request: HttpRequest, stored: StoredDraft) -> bytes:
    return with_line_ends_of(request.POST.get("text", ""), stored.source)


def _store(request: HttpRequest, by: User, stored: StoredDraft, typed: bytes) -> None:
    form = TextForm(request.POST)
    form.is_valid()
    _store_bytes(by, stored, typed, form.cleaned_data.get("expected", 0))


def _store_bytes(by: User, stored: StoredDraft, source: bytes, expected: int) -> None:
    checked = check_text(source, timezone.localdate(), stored.started_from)
    try:
        store_text(
            draft_id=stored.line.id,
            source=source,
            title=title_of(checked, stored.line.title),
            expected=expected,
            by=by,
            at=timezone.now(),
        )
    except NoSuchDraft as gone:
        raise Http404 from gone


def _conflict_page(
    request: HttpRequest, by: User, draft_id: UUID, typed: bytes, aside: int
) -> HttpResponse:
    now = draft_for(by, draft_id)
    conflict = show_conflict(now, aside, typed, list_texts(draft_id))
    extra = {"conflict": conflict, "text": typed_text(typed)}
    return _page(request, by, now, extra, CONFLICT)


def _context(reader: User, stored: StoredDraft) -> dict[str, object]:
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    number = stored.line.current
    return {
        "draft": show_draft(stored.line),
        "text": typed_text(stored.source),
        "findings": show_findings(checked, number),
        "merged": show_merged(checked.document, checked.base),
        "started_from": stored.started_from,
        "may_write": can_author(reader),
        "file_form": FileForm(initial={"expected": number}),
        "section": "catalogs",
        "tab": "text",
    }


def _page(
    request: HttpRequest,
    reader: User,
    stored: StoredDraft,
    extra: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {**_context(reader, stored), **(extra or {})}
    return render(request, "catalogs/draft.html", context, status=status)
