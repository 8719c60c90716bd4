"""Who is at a call: claimed, renewed, given back, passed over, taken over, put aside for somebody.

The page shows no word of the call.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.holds import (
    HeldByAnother,
    UnableToHold,
    claim_call,
    dismiss_notice,
    leave_call,
    release_call,
    renew_hold,
    take_over,
)
from review.actions.queueing import assign_call, skip_call
from review.forms.holds import AssignForm, WhyForm
from review.permissions import (
    NotAllowed,
    Rights,
    check_can_assign,
    check_can_decide,
    rights_at,
)
from review.presenters.holds import show_hold
from review.queries import StoredCall, get_call_for
from review.queries.holds import assignees_of


@dataclass
class _Page:
    """One call as this request shows its hold."""

    stored: StoredCall
    person: User
    rights: Rights
    skip: WhyForm
    take: WhyForm
    assign: AssignForm


@require_GET
def hold(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show who is at a call, and the forms of what may be done about it."""
    return _render(request, _open(request, call_id))


@require_POST
def hold_claim(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Claim a call, or go on with one's own."""
    page = _open(request, call_id)
    _check_decides(page)
    try:
        claim_call(call_id=call_id, by=page.person, at=timezone.now())
    except UnableToHold as refusal:
        messages.warning(request, str(refusal))
        return _render(request, page, status=409)
    return redirect("review:call", call_id)


@require_POST
def hold_renew(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Renew a hold while its page is in view: 204, or a fragment that says who is at it now."""
    page = _open(request, call_id)
    _check_decides(page)
    try:
        renew_hold(call_id=call_id, number=_number(request), by=page.person, at=timezone.now())
    except UnableToHold as refusal:
        lost = {"sentence": str(refusal), "call_id": call_id}
        return render(request, "review/hold.html#lost", lost, status=409)
    return HttpResponse(status=204)


@require_POST
def hold_leave(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Let a hold end soon, as its page is left: 204, whoever holds the call."""
    page = _open(request, call_id)
    _check_decides(page)
    now = timezone.now()
    leave_call(call_id=call_id, number=_number(request), by=page.person, at=now)
    return HttpResponse(status=204)


@require_POST
def hold_release(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Give a call back to the queue; another's hold by a senior reviewer, with a reason."""
    page = _open(request, call_id)
    _check_decides(page)
    page.take = WhyForm(request.POST, prefix="take")
    reason = _typed(page.take)
    try:
        release_call(call_id=call_id, reason=reason, by=page.person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToHold as refusal:
        return _refuse(request, page, page.take, refusal)
    messages.success(request, "The call is back in the queue.")
    return redirect("review:queue")


@require_POST
def hold_skip(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Pass over a call: it goes to the end of the person's own queue."""
    page = _open(request, call_id)
    _check_decides(page)
    page.skip = WhyForm(request.POST, prefix="skip")
    reason = _typed(page.skip)
    try:
        skip_call(call_id=call_id, reason=reason, by=page.person, at=timezone.now())
    except UnableToHold as refusal:
        return _refuse(request, page, page.skip, refusal)
    messages.success(request, "Passed over: the call is at the end of your queue.")
    return redirect("review:queue")


@require_POST
def hold_take_over(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Take a call from somebody who is at it, with a reason."""
    page = _open(request, call_id)
    _check_assigns(page)
    page.take = WhyForm(request.POST, prefix="take")
    reason = _typed(page.take)
    try:
        take_over(call_id=call_id, reason=reason, by=page.person, at=timezone.now())
    except UnableToHold as refusal:
        return _refuse(request, page, page.take, refusal)
    messages.success(request, "You hold the call now; who held it is told.")
    return redirect("review:call", call_id)


@require_POST
def hold_assign(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Put a call aside for somebody."""
    page = _open(request, call_id)
    _check_assigns(page)
    page.assign = AssignForm(request.POST, people=assignees_of(page.stored.site_id))
    if not page.assign.is_valid():
        return _render(request, page, status=422)
    try:
        assign_call(call_id=call_id, to=page.assign.person(), by=page.person, at=timezone.now())
    except UnableToHold as refusal:
        return _refuse(request, page, page.assign, refusal)
    messages.success(request, "Stored: “Next” hands the call out accordingly.")
    return redirect("review:hold", call_id)


@require_POST
def notice_dismiss(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Put a notice away and lead back to the page that it stood on."""
    if not isinstance(request.user, User):
        raise Http404
    dismiss_notice(notice_id=notice_id, by=request.user, at=timezone.now())
    # No page repeats its own address for this: beside words of a call that would be a leak
    # (docs/adr/0007).
    back = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()})
    return redirect(back if is_ours else "review:queue")


def _open(request: HttpRequest, call_id: UUID) -> _Page:
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    rights = rights_at(person, Site(pk=stored.site_id))
    people = assignees_of(stored.site_id) if rights.assign else ()
    chosen = str(stored.hold.assigned_to or "")
    return _Page(
        stored=stored,
        person=person,
        rights=rights,
        skip=WhyForm(prefix="skip"),
        take=WhyForm(prefix="take"),
        assign=AssignForm(people=people, chosen=chosen),
    )


def _check_decides(page: _Page) -> None:
    try:
        check_can_decide(page.person, Site(pk=page.stored.site_id))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal


def _check_assigns(page: _Page) -> None:
    try:
        check_can_assign(page.person, Site(pk=page.stored.site_id))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal


def _typed(form: WhyForm) -> str:
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


def _refuse(
    request: HttpRequest, page: _Page, form: WhyForm | AssignForm, refusal: UnableToHold
) -> HttpResponse:
    """Show the page again with the sentence at its field and what was typed."""
    if isinstance(refusal, HeldByAnother):
        messages.warning(request, str(refusal))
        return _render(request, page, status=409)
    form.add_error(refusal.field or None, str(refusal))
    return _render(request, page, status=422)


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    line = page.stored.line
    context = {
        "hold": show_hold(page.stored, page.person, page.rights, timezone.now()),
        "call_id": line.id,
        "title": line.title or line.external_id,
        "external_id": line.external_id,
        "state": line.state_sentence,
        "skip": page.skip,
        "take": page.take,
        "assign": page.assign,
        "section": "queue",
    }
    return render(request, "review/hold.html", context, status=status)


def _number(request: HttpRequest) -> int:
    """Return the number of the hold that a page shows; 0 is nobody's."""
    number = request.POST.get("number", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
