"""One dispute of a signed call: its words, its answer, and what a person may do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.disputing import UnableToDispute, answer_dispute, withdraw_dispute
from review.actions.opening import Reason, UnableToOpen, open_for_mapping
from review.core.compliance.disputes import Standing
from review.core.lifecycle import CallState
from review.forms.disputes import AnswerDisputeForm
from review.forms.signing import ReopeningForm
from review.oversight_permissions import (
    Disputing,
    check_can_answer_dispute,
    check_can_dispute,
    disputing_at,
)
from review.permissions import NotAllowed, signing_rights_at
from review.presenters.compliance.disputes import show_dispute
from review.queries import StoredCall, get_call_for
from review.queries.disputes import DisputeLine, get_dispute
from review.queries.signing import notes_on_reopening
from review.views.compliance.overseeing import show


@dataclass
class _Page:
    """One dispute as this request sees it, and why what came in was refused."""

    person: User
    seen: Disputing
    line: DisputeLine
    call: StoredCall
    form: AnswerDisputeForm
    refusal: str = ""

    @property
    def site(self) -> Site:
        """The site of the call."""
        return Site(pk=self.line.site_id)


@require_GET
def dispute(request: HttpRequest, dispute_id: UUID) -> HttpResponse:
    """Show a dispute with its words, once the log has who reads them."""
    return _render(request, _find(request, dispute_id))


@require_POST
def dispute_answer(request: HttpRequest, dispute_id: UUID) -> HttpResponse:
    """Uphold what somebody else disputes, or overturn it."""
    page = _find(request, dispute_id)
    try:
        check_can_answer_dispute(page.person, page.site)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    form = page.form = AnswerDisputeForm(request.POST)
    if not form.is_valid():
        return _render(request, page, status=422)
    try:
        answer_dispute(
            dispute_id=dispute_id,
            end=form.meant(),
            words=form.cleaned_data["words"],
            by=page.person,
            at=timezone.now(),
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToDispute as refusal:
        if refusal.field:
            form.add_error(refusal.field, str(refusal))
            return _render(request, page, status=422)
        return _refused(request, dispute_id, str(refusal))
    messages.success(request, "The dispute is answered.")
    return redirect("review:dispute", dispute_id)


@require_POST
def dispute_withdraw(request: HttpRequest, dispute_id: UUID) -> HttpResponse:
    """Take back a dispute that one filed oneself."""
    page = _find(request, dispute_id)
    try:
        check_can_dispute(page.person, page.site)
        withdraw_dispute(dispute_id=dispute_id, by=page.person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToDispute as refusal:
        return _refused(request, dispute_id, str(refusal))
    messages.success(request, "The dispute is withdrawn.")
    return redirect("review:dispute", dispute_id)


def _find(request: HttpRequest, dispute_id: UUID) -> _Page:
    person, seen = request.user, disputing_at(request.user)
    line = get_dispute(person, seen.sites, dispute_id, timezone.now())
    call = None if line is None else get_call_for(person, line.call_id)
    if line is None or call is None or not isinstance(person, User):
        raise Http404
    return _Page(person, seen, line, call, AnswerDisputeForm())


def _refused(request: HttpRequest, dispute_id: UUID, refusal: str) -> HttpResponse:
    """Return the dispute as it is now: somebody was faster."""
    page = _find(request, dispute_id)
    page.refusal = refusal
    return _render(request, page, status=409)


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    try:
        _, reasons = open_for_mapping(call_id=page.line.call_id, by=page.person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    said = {one.number: one for one in reasons}
    line = page.line
    context = {
        "dispute": show_dispute(line, timezone.now()),
        "words": said.get(line.note),
        "answer": _answer(line, said),
        "form": page.form,
        "refusal": page.refusal,
        **_may(page),
        **_reopening(page),
    }
    return show(request, "dispute", context, status=status, tab="disputes", tabs=page.seen.oversees)


def _answer(line: DisputeLine, said: dict[int, Reason]) -> Reason | None:
    return None if line.answer_note is None else said.get(line.answer_note)


def _may(page: _Page) -> dict[str, Any]:
    """Return what the person may do about a dispute that waits, and what keeps them from it."""
    line, own = page.line, page.line.by == page.person.pk
    signed = line.signed_by == page.person.pk
    answers = line.standing.waits and line.site_id in page.seen.answering
    return {
        "may_answer": answers and not own and not signed,
        "own": own,
        "signed": signed,
        "may_withdraw": own and line.standing.waits and line.site_id in page.seen.filing,
    }


def _reopening(page: _Page) -> dict[str, Any]:
    """Return how what was overturned is gone on with: by asking to have the call reopened."""
    line = page.line
    is_signed = line.stands and page.call.line.state == CallState.SIGNED.value
    if line.standing is not Standing.OVERTURNED or not is_signed:
        return {"is_signed": is_signed}
    rights = signing_rights_at(page.person, page.site)
    return {
        "is_signed": True,
        "asked": notes_on_reopening(line.call_id).open is not None,
        "reopening": ReopeningForm() if rights.ask_to_reopen else None,
    }
