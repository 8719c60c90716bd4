"""The rehearsal of a draft on its page: examples at once, tests and wrong changes by a worker."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.actions.drafts import WrittenMeanwhile, store_text
from catalogs.actions.versions import UnableToDraft
from catalogs.core.editing import UnableToEdit, add_item
from catalogs.forms.drafts import ExpectingForm
from catalogs.permissions import can_author
from catalogs.presenters.drafts import show_draft
from catalogs.presenters.rehearsal import show_rehearsal
from catalogs.queries import StoredDraft, check_text, last_order, latest_rehearsal
from catalogs.views.studio.answering import (
    CONFLICT,
    UNPROCESSABLE,
    author_of,
    draft_for,
    reader_of,
)
from oipsce_site.people.models import User
from review.actions.draft_rehearsals import UnableToRehearse, order_rehearsal
from review.core.parsers import parse_calls
from review.core.rehearsal.recorded import NothingToExpect, recorded_test, standing_test
from review.forms.past_calls import PastCallForm
from review.presenters.draft_rehearsal import show_examples, show_progress
from review.presenters.past_calls import show_past_calls
from review.queries import worker_life
from review.queries.past_calls import list_past_calls, rows_of_past_call
from review.shipped import SHIPPED_CASES, shipped_case
from review.tasks import ring_for_draft_rehearsals

_MOST_CALLS = 50
_NO_PAST_CALL = (
    "No past call of this id can be a test: choose one of the list, or type the id of a call that "
    "was judged and waits for no blind reading. The text must be readable, too."
)
_WRITTEN_MEANWHILE = (
    "Somebody has stored another text since you opened the page, so nothing was added. This page "
    "is of the new text: send it again if the test still fits."
)


@require_GET
def draft_rehearsal(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show how the examples come out, and the last rehearsal of the text that stands."""
    return _page(request, draft_for(reader_of(request), draft_id))


@require_GET
def draft_rehearsal_progress(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far the rehearsal is."""
    context = _progress(draft_for(reader_of(request), draft_id))
    return render(request, "review/draft_rehearsal.html#progress", context)


@require_POST
def draft_rehearsal_begin(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Ask a worker for a rehearsal of the text that stands."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    try:
        order_rehearsal(order_id=uuid4(), draft_id=draft_id, by=by, at=timezone.now())
    except UnableToRehearse as refusal:
        return _page(request, stored, str(refusal))
    ring_for_draft_rehearsals()
    return redirect("review:draft_rehearsal", draft_id)


@require_POST
def draft_test(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Write what comes out of a shipped case into the draft's tests."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    name = request.POST.get("case", "")
    data = shipped_case(name)
    document = check_text(stored.source, timezone.localdate(), stored.started_from).runnable
    if data is None or document is None:
        return _page(request, stored, "Choose a case, and mend the text if it cannot be read.")
    tests = [recorded_test(document, call, name) for call in parse_calls(data, name=name).calls]
    return _with_tests(
        request,
        stored,
        tests,
        f"What comes out of {name} now is a test of the draft. Read it in the text: it records "
        "what came out, not what is right.",
    )


@require_POST
def draft_call_test(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Write the rows of a past call, as they stand, into the draft's tests."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    document = check_text(stored.source, timezone.localdate(), stored.started_from).runnable
    form = PastCallForm(request.POST)
    past = rows_of_past_call(by, form.cleaned_data["call"]) if form.is_valid() else None
    if document is None or past is None:
        return _page(request, stored, _NO_PAST_CALL)
    call_id = str(form.cleaned_data["call"])
    try:
        test = standing_test(document, call_id, past.rows, past.required)
    except NothingToExpect as refusal:
        return _page(request, stored, str(refusal))
    said = "as signed" if past.is_signed else "as they stand, not signed yet"
    return _with_tests(
        request,
        stored,
        [test],
        f"The rows of call {call_id}, {said}, are a test of the draft; no word of the call is in "
        "it. Rehearse the text to see which rows its rules miss.",
    )


def _with_tests(
    request: HttpRequest, stored: StoredDraft, tests: Sequence[dict[str, object]], done: str
) -> HttpResponse:
    """Store the draft with these tests behind its others, over the text that the page was of."""
    by = author_of(request)
    form = ExpectingForm(request.POST)
    expected = form.cleaned_data["expected"] if form.is_valid() else 0
    if expected != stored.line.current:
        return _page(request, stored, _WRITTEN_MEANWHILE, CONFLICT)
    try:
        text = stored.source.decode("utf-8")
        for test in tests:
            text = add_item(text, ("tests",), test)
        store_text(
            draft_id=stored.line.id,
            source=text.encode("utf-8"),
            title=stored.line.title,
            expected=expected,
            by=by,
            at=timezone.now(),
        )
    except WrittenMeanwhile:
        now = draft_for(by, stored.line.id)
        return _page(request, now, _WRITTEN_MEANWHILE, CONFLICT)
    except (UnableToEdit, UnableToDraft, UnicodeDecodeError) as refusal:
        return _page(request, stored, str(refusal))
    messages.success(request, done)
    return redirect("review:draft_rehearsal", stored.line.id)


def _progress(stored: StoredDraft) -> dict[str, object]:
    life = worker_life(timezone.now())
    silent = "" if life.is_alive else "No worker answers at this moment"
    return {
        "draft": show_draft(stored.line),
        "progress": show_progress(last_order(stored.line.id), silent),
    }


def _page(
    request: HttpRequest, stored: StoredDraft, refusal: str = "", status: int = UNPROCESSABLE
) -> HttpResponse:
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    document = checked.runnable
    author = isinstance(request.user, User) and can_author(request.user)
    past = (
        list_past_calls(request.user, document.slug, most=_MOST_CALLS)
        if author and document
        else []
    )
    latest = None if document is None else latest_rehearsal(document.digest)
    context = {
        **_progress(stored),
        "shown": show_examples(document) if document else (),
        "is_readable": document is not None,
        "hindrance": checked.hindrance,
        "rehearsal": show_rehearsal(latest) if latest else None,
        "cases": [path.name for path in SHIPPED_CASES],
        "past": show_past_calls(past),
        "call": request.POST.get("call", request.GET.get("call", "")),
        "may_write": author,
        "refusal": refusal,
        "section": "catalogs",
        "tab": "rehearsal",
    }
    return render(
        request, "review/draft_rehearsal.html", context, status=status if refusal else 200
    )
