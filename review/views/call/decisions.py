"""Decisions on the call page: each is taken by form alone, which leads back to the page, and by its
fragment's address, which answers with what has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.matrix import Act, say_who
from review.actions.confirming import confirm_rows
from review.actions.decisions import Conflict, Taken, UnableToDecide, decide, open_taken
from review.actions.undoing import redo_last, undo_last
from review.forms.decisions import AttentionForm, ConfirmRowsForm
from review.permissions import NotAllowed
from review.presenters.answers import (
    say_saved,
    show_anew,
    show_answer,
    show_changes,
    show_refusal,
)
from review.presenters.conflicts import ShownConflict, show_conflict
from review.views.call.opened import Desk, OpenCall, find_call

_INCOMPLETE = "The form came incomplete, so nothing is stored. Send it again."


@dataclass
class _Outcome:
    """What became of a form: `taken`, or the form with what was typed and why it was not stored.

    `call` is as it was before; `count` decisions were taken.
    """

    call: OpenCall
    taken: Taken | None = None
    count: int = 1
    desk: Desk = None
    status: int = 200
    sentence: str = ""
    conflict: ShownConflict | None = None


@require_POST
def decide_row(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Take a decision on a row, and lead back to it."""
    return _page(request, _decide(request, call_id, phase=phase), row=phase)


@require_POST
def decide_fact(request: HttpRequest, call_id: UUID, fact: str) -> HttpResponse:
    """Take a decision on a fact, and lead back to it."""
    return _page(request, _decide(request, call_id, fact=fact), fact=fact)


@require_POST
def confirm_rest(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Confirm the rows that neither flag nor doubt holds up, and lead back to the call."""
    return _page(request, _confirm_rest(request, call_id))


@require_POST
def row_decided(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Take a decision on a row; answer with what has changed."""
    return _fragment(request, _decide(request, call_id, phase=phase))


@require_POST
def fact_decided(request: HttpRequest, call_id: UUID, fact: str) -> HttpResponse:
    """Take a decision on a fact; answer with what has changed."""
    return _fragment(request, _decide(request, call_id, fact=fact))


@require_POST
def rest_confirmed(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Confirm the rows without flag or doubt; answer with what has changed."""
    return _fragment(request, _confirm_rest(request, call_id))


@require_POST
def decision_undone(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Take the person's last decision back; answer with what has changed."""
    return _fragment(request, _take_back(request, call_id, redo=False))


@require_POST
def decision_redone(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Take the person's last undo back; answer with what has changed."""
    return _fragment(request, _take_back(request, call_id, redo=True))


@require_GET
def row_desk(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Show the forms of one row. They hold no word of the call, so nothing is opened."""
    call = find_call(request, call_id)
    desk = call.lay_out(phase, "") if call.may_decide else None
    if desk is None:
        raise Http404
    return render(request, "review/decide.html", {"call_id": call_id, "desk": desk})


def _decide(request: HttpRequest, call_id: UUID, *, phase: str = "", fact: str = "") -> _Outcome:
    call = _find_to_decide(request, call_id)
    desk = call.lay_out(phase, fact, request.POST)
    if desk is None:
        raise Http404
    form = desk.sent
    if form is None or not form.is_valid():
        lost = form is None or form.lost
        return _Outcome(call, desk=desk, status=422, sentence=_INCOMPLETE if lost else "")
    attention = AttentionForm(request.POST).attention()
    asked = form.ask(phase=phase or None, fact=fact or None, attention=attention)
    try:
        taken = decide(
            call_id=call_id,
            decision=asked,
            expected_revision=form.cleaned_data["revision"],
            key=form.key_for(call_id),
            by=call.person,
            at=timezone.now(),
        )
    except UnableToDecide as refusal:
        form.refuse(refusal.field, str(refusal))
        return _Outcome(call, desk=desk, status=refusal.status)
    except Conflict as conflict:
        call = find_call(request, call_id)
        desk = call.lay_out(phase, fact, {**request.POST.dict(), "revision": conflict.revision})
        shown = show_conflict(conflict.folded, conflict.since, asked)
        return _Outcome(call, desk=desk, status=409, sentence=str(conflict), conflict=shown)
    return _Outcome(call, taken)


def _confirm_rest(request: HttpRequest, call_id: UUID) -> _Outcome:
    call, form = _find_to_decide(request, call_id), ConfirmRowsForm(request.POST)
    if not form.is_valid():
        return _Outcome(call, status=422, sentence=_INCOMPLETE)
    rows, key = form.cleaned_data["rows"], form.cleaned_data["form_key"]
    outcome = _act(
        call,
        lambda: confirm_rows(
            call_id=call_id, revisions=rows, key=key, by=call.person, at=timezone.now()
        ),
    )
    outcome.count = len(rows)
    return outcome


def _take_back(request: HttpRequest, call_id: UUID, *, redo: bool) -> _Outcome:
    call = _find_to_decide(request, call_id)
    try:
        key = UUID(request.POST.get("form_key", ""))
    except ValueError:
        return _Outcome(call, status=422, sentence=_INCOMPLETE)
    take_back = redo_last if redo else undo_last
    return _act(
        call, lambda: take_back(call_id=call_id, key=key, by=call.person, at=timezone.now())
    )


def _find_to_decide(request: HttpRequest, call_id: UUID) -> OpenCall:
    call = find_call(request, call_id)
    if not call.rights.decide:
        raise PermissionDenied(say_who(Act.DECIDE_ROWS))
    return call


def _act(call: OpenCall, act: Callable[[], Taken]) -> _Outcome:
    """Do what has no form to show again: a refusal is a sentence."""
    try:
        return _Outcome(call, act())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToDecide as refusal:
        return _Outcome(call, status=refusal.status, sentence=str(refusal))
    except Conflict as conflict:
        sentence = f"{conflict} Load the page again to see it."
        return _Outcome(call, status=409, sentence=sentence)


def _page(
    request: HttpRequest, outcome: _Outcome, *, row: str = "", fact: str = ""
) -> HttpResponse:
    if outcome.taken is not None:
        messages.success(request, f"{row or fact or 'Rows'}: saved.")
        asked = f"?row={row}#row-{row}" if row else f"?fact={fact}#facts" if fact else "#rows"
        return redirect(f"{reverse('review:call', args=[outcome.call.call_id])}{asked}")
    if outcome.sentence and outcome.conflict is None:
        messages.error(request, outcome.sentence)
    context = outcome.call.context(outcome.desk, selected=row, conflict=outcome.conflict)
    return render(request, "review/call.html", context, status=outcome.status)


def _fragment(request: HttpRequest, outcome: _Outcome) -> HttpResponse:
    """Answer with the turns, cards and counts that changed, each to take its own place."""
    taken = outcome.taken
    if taken is None:
        return _refusal(request, outcome)
    phase, fact = taken.phase or "", taken.fact or ""
    reader, now = outcome.call.person, timezone.now()
    after = outcome.call.reloaded(open_taken(taken, reader=reader, now=now))
    desk = after.lay_out(phase, fact) if "desk" in request.POST else None
    context = after.context(desk, selected=phase)
    page = context["page"]
    said = say_saved(page, phase or fact, taken.number)
    if taken.changes or outcome.count > 1:
        was = outcome.call.as_before(after.open(), taken.number - outcome.count)
        before = was.show(phase)
        answer = show_changes(before, page, phase, said)
    else:
        answer = show_answer(page, phase, said)
    return render(request, "review/call.html#answer", {**context, "answer": answer, "oob": True})


def _refusal(request: HttpRequest, outcome: _Outcome) -> HttpResponse:
    phase = getattr(outcome.desk, "phase", "")
    context = outcome.call.context(outcome.desk, selected=phase, conflict=outcome.conflict)
    said = outcome.sentence or "Not stored: the form says what to correct."
    show = show_refusal if outcome.conflict is None else show_anew
    answer = show(context["page"], phase, said)
    whole = {**context, "answer": answer, "oob": True}
    return render(request, "review/call.html#answer", whole, status=outcome.status)
