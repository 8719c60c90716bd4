"""The page of one call and the decisions on it. It shows words of the call, so opening it leaves an
entry in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.decisions import Conflict, UnableToDecide, decide
from review.actions.opening import UnableToOpen, open_for_review
from review.core.lifecycle import CallState, Owner, may_move
from review.core.transcript import Call
from review.forms.decision_desk import FactDesk, RowDesk, lay_out_fact, lay_out_row
from review.permissions import NotAllowed, Rights, check_can_decide, rights_at
from review.presenters.call_page import show_call
from review.presenters.conflicts import ShownConflict, show_conflict
from review.presenters.deciding import people_of, show_decided, show_fact_history
from review.presenters.holds import show_hold
from review.presenters.rows import People
from review.presenters.standing import show_mapping_door, show_standing
from review.queries import StoredCall, WorkerLife, get_call_for, worker_life
from review.queries.reviewing import Review


@dataclass
class _Page:
    """One call as this request shows it: what is stored, its words, and what was decided on it."""

    stored: StoredCall
    person: User
    call: Call
    review: Review
    rights: Rights

    def lay_out(
        self, phase: str, fact: str, typed: Mapping[str, Any] | None = None
    ) -> RowDesk | FactDesk | None:
        """Lay out the forms of a row or a fact; None where the page has no such thing to decide."""
        report, document = self.stored.report, self.stored.document
        if report is None or document is None:
            return None
        try:
            if fact:
                revision = self.review.fact_revision(fact)
                return lay_out_fact(fact, report, document, revision, typed)
            revision = self.review.marks[phase].revision
            return lay_out_row(phase, report, document, self.call, revision, typed)
        except KeyError:
            return None


@require_GET
def call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show a call of the person's sites; what is not theirs is not there.

    `?row=` selects the row, and `?fact=` the fact, whose forms are shown.
    """
    page = _open(request, call_id)
    fact = request.GET.get("fact", "")
    phase = "" if fact else request.GET.get("row", "")
    desk = page.lay_out(phase, fact) if _may_decide(page) else None
    return _render(request, page, desk, selected=phase)


@require_POST
def decide_row(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Take a decision on a row."""
    return _decide(request, call_id, phase=phase)


@require_POST
def decide_fact(request: HttpRequest, call_id: UUID, fact: str) -> HttpResponse:
    """Take a decision on a fact."""
    return _decide(request, call_id, fact=fact)


def _decide(
    request: HttpRequest, call_id: UUID, *, phase: str = "", fact: str = ""
) -> HttpResponse:
    page = _open(request, call_id)
    try:
        check_can_decide(page.person, Site(pk=page.stored.site_id))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    desk = page.lay_out(phase, fact, request.POST)
    if desk is None:
        raise Http404
    form = desk.sent
    if form is None or not form.is_valid():
        if form is None or form.lost:
            messages.error(
                request, "The form came incomplete, so nothing is stored. Send it again."
            )
        return _render(request, page, desk, selected=phase, status=422)
    asked = form.ask(phase=phase or None, fact=fact or None)
    try:
        decide(
            call_id=call_id,
            decision=asked,
            expected_revision=form.cleaned_data["revision"],
            key=form.key_for(call_id),
            by=page.person,
            at=timezone.now(),
        )
    except UnableToDecide as refusal:
        form.refuse(refusal.field, str(refusal))
        return _render(request, page, desk, selected=phase, status=refusal.status)
    except Conflict as conflict:
        shown = show_conflict(conflict.folded, conflict.since, asked)
        page = _open(request, call_id)
        now = {**request.POST.dict(), "revision": conflict.revision}
        desk = page.lay_out(phase, fact, now)
        return _render(request, page, desk, selected=phase, status=409, conflict=shown)
    messages.success(request, f"{phase or fact}: saved.")
    asked_for = f"row={phase}#row-{phase}" if phase else f"fact={fact}#facts"
    return redirect(f"{reverse('review:call', args=[call_id])}?{asked_for}")


def _open(request: HttpRequest, call_id: UUID) -> _Page:
    """Return the call with its words, once the log has it that the person opened them."""
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    try:
        opened, made, words = open_for_review(call_id=call_id, by=person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    review = Review(stored.marks, made, words, stored.done_runs)
    return _Page(stored, person, opened, review, rights_at(person, Site(pk=stored.site_id)))


def _may_decide(page: _Page) -> bool:
    state = CallState(page.stored.line.state)
    is_open = state is CallState.IN_REVIEW or may_move(state, CallState.IN_REVIEW, Owner.REVIEW)
    return is_open and page.rights.decide


def _render(
    request: HttpRequest,
    page: _Page,
    desk: RowDesk | FactDesk | None,
    *,
    selected: str,
    status: int = 200,
    conflict: ShownConflict | None = None,
) -> HttpResponse:
    stored, person = page.stored, str(page.person.pk)
    decided = show_decided(page.review, person)
    context = {
        "page": show_call(
            page.call,
            show_standing(stored, _awaited_worker(stored)),
            report=stored.report,
            document=stored.document,
            findings=stored.findings,
            people=People(decided, people_of(page.review), selected or None),
        ),
        "section": "calls",
        "call_id": stored.line.id,
        "hold": show_hold(stored, page.person, page.rights, timezone.now()),
        "mapping": show_mapping_door(stored) if page.rights.map else None,
        "may_decide": desk is not None or _may_decide(page),
        "desk": desk if isinstance(desk, RowDesk) else None,
        "fact_desk": desk if isinstance(desk, FactDesk) else None,
        "fact_history": show_fact_history(page.review, person),
        "conflict": conflict,
        "shows_decisions": desk is not None or bool(page.review.made),
    }
    return render(request, "review/call.html", context, status=status)


def _awaited_worker(stored: StoredCall) -> WorkerLife | None:
    is_awaited = stored.line.state == CallState.PREFILLING.value
    return worker_life(timezone.now()) if is_awaited else None
