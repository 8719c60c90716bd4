"""The rehearsal of a draft on its page: examples at once, tests and wrong changes by a worker."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.actions.drafts import WrittenMeanwhile, store_text
from catalogs.actions.versions import UnableToDraft
from catalogs.core.editing import UnableToEdit, add_item
from catalogs.forms.draft_form import changed_text
from catalogs.permissions import NotAllowed, can_author, check_can_author
from catalogs.presenters.drafts import show_draft
from catalogs.presenters.rehearsal import show_rehearsal
from catalogs.queries import (
    StoredDraft,
    check_text,
    get_draft_for,
    last_order,
    latest_rehearsal,
    readable_states,
)
from oipsce_site.people.models import User
from review.actions.draft_rehearsals import UnableToRehearse, order_rehearsal
from review.core.parsers import parse_calls
from review.core.rehearsal.recorded import recorded_test
from review.presenters.draft_rehearsal import show_examples, show_progress
from review.queries import worker_life
from review.shipped import SHIPPED_CASES, shipped_case
from review.tasks import ring_for_draft_rehearsals


@require_GET
def draft_rehearsal(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show how the examples come out, and the last rehearsal of the text that stands."""
    return _page(request, _draft(request, draft_id))


@require_GET
def draft_rehearsal_progress(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far the rehearsal is."""
    context = _progress(_draft(request, draft_id))
    return render(request, "review/draft_rehearsal.html#progress", context)


@require_POST
def draft_rehearsal_begin(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Ask a worker for a rehearsal of the text that stands."""
    by, stored = _author(request, draft_id)
    try:
        order_rehearsal(order_id=uuid4(), draft_id=draft_id, by=by, at=timezone.now())
    except UnableToRehearse as refusal:
        return _page(request, stored, str(refusal))
    ring_for_draft_rehearsals()
    return redirect("review:draft_rehearsal", draft_id)


@require_POST
def draft_test(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Write what comes out of a shipped case into the draft's tests."""
    by, stored = _author(request, draft_id)
    name = request.POST.get("case", "")
    data = shipped_case(name)
    document = check_text(stored.source, timezone.localdate(), stored.started_from).runnable
    if data is None or document is None:
        return _page(request, stored, "Choose a case, and mend the text if it cannot be read.")
    calls = parse_calls(data, name=name).calls
    try:
        text = stored.source.decode("utf-8")
        for call in calls:
            text = add_item(text, ("tests",), recorded_test(document, call, name))
        store_text(
            draft_id=draft_id,
            source=text.encode("utf-8"),
            title=stored.line.title,
            expected=stored.line.current,
            by=by,
            at=timezone.now(),
        )
    except (UnableToEdit, UnableToDraft, WrittenMeanwhile) as refusal:
        return _page(request, stored, str(refusal))
    messages.success(
        request,
        f"What comes out of {name} now is a test of the draft. Read it in the text: it records "
        "what came out, not what is right.",
    )
    return redirect("review:draft_rehearsal", draft_id)


@require_POST
def draft_examples(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Return how the examples of one phase come out with what is typed; it stores nothing."""
    _, stored = _author(request, draft_id)
    sent = {name: str(value) for name, value in request.POST.items()}
    phase = sent.get("phase", "")
    context: dict[str, object] = {"shown": (), "trouble": ""}
    try:
        text = changed_text(stored.source.decode("utf-8"), {**sent, "act": "change"})
    except (UnableToEdit, UnicodeDecodeError) as refusal:
        context["trouble"] = str(refusal)
    else:
        checked = check_text(text.encode("utf-8"), timezone.localdate(), stored.started_from)
        if checked.runnable is None:
            context["trouble"] = checked.hindrance
        else:
            context["shown"] = show_examples(checked.runnable, phase)
    return render(request, "review/draft_rehearsal.html#examples", context)


def _author(request: HttpRequest, draft_id: UUID) -> tuple[User, StoredDraft]:
    """Return the author who asks, and the draft. "Not yours" and "not there" are the same 404."""
    stored = _draft(request, draft_id)
    user = request.user
    try:
        if not isinstance(user, User):
            raise Http404
        check_can_author(user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return user, stored


def _draft(request: HttpRequest, draft_id: UUID) -> StoredDraft:
    found = get_draft_for(readable_states(request.user), draft_id)
    if found is None:
        raise Http404
    return found


def _progress(stored: StoredDraft) -> dict[str, object]:
    life = worker_life(timezone.now())
    silent = "" if life.is_alive else "No worker answers at this moment"
    return {
        "draft": show_draft(stored.line),
        "progress": show_progress(last_order(stored.line.id), silent),
    }


def _page(request: HttpRequest, stored: StoredDraft, refusal: str = "") -> HttpResponse:
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    document = checked.runnable
    latest = None if document is None else latest_rehearsal(document.digest)
    context = {
        **_progress(stored),
        "shown": show_examples(document) if document else (),
        "is_readable": document is not None,
        "hindrance": checked.hindrance,
        "rehearsal": show_rehearsal(latest) if latest else None,
        "cases": [path.name for path in SHIPPED_CASES],
        "may_write": isinstance(request.user, User) and can_author(request.user),
        "refusal": refusal,
        "section": "catalogs",
        "tab": "rehearsal",
    }
    status = 422 if refusal else 200
    return render(request, "review/draft_rehearsal.html", context, status=status)
