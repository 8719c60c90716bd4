"""Retention: rules, what is due, legal holds, and erasures that wait for a second person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.erasing import UnableToErase, approve_erasure, ask_erasure, refuse_erasure
from review.actions.erasure_list import remember_erasures
from review.actions.legal_holds import UnableToHoldLegally, lift_legal_hold, place_legal_hold
from review.actions.retaining import UnableToRetain, decide_rule, propose_rule
from review.forms.retention import (
    CallNamedForm,
    ErasureForm,
    LegalHoldForm,
    LiftForm,
    RuleForm,
    key_of,
)
from review.oversight_permissions import erases_at, retention_seen
from review.permissions import NotAllowed
from review.queries.exports import list_export_sites
from review.queries.retention import (
    find_call_by_name,
    list_legal_holds,
    list_rules,
    list_wishes,
)

_REFUSALS = (UnableToErase, UnableToHoldLegally, UnableToRetain)


@dataclass
class _Page:
    """What this request sees and sends; `own` are the sites where the person asks for things."""

    person: User
    seen: frozenset[UUID] | None
    own: frozenset[UUID]
    erasure: ErasureForm
    hold: LegalHoldForm
    rule: RuleForm
    refusal: str = ""


@require_GET
def retention(request: HttpRequest) -> HttpResponse:
    """Show rules, holds and wishes of one's sites; administrators see those of all, unnamed."""
    return _render(request, _find(request))


@require_POST
def erasure_ask(request: HttpRequest) -> HttpResponse:
    """Ask to have a call erased."""
    page = _find(request)
    form = page.erasure = ErasureForm(request.POST, prefix="erasure")
    said = "An administrator is asked to erase the call."
    return _about_call(
        request,
        page,
        form,
        said,
        lambda call: ask_erasure(
            erasure_id=key_of(form),
            call_id=call,
            ground=form.meant(),
            by=page.person,
            at=timezone.now(),
        ),
    )


@require_POST
def erasure_decide(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Erase a call that somebody else asked to have erased, or leave it."""
    page = _find(request)
    if request.POST.get("answer") == "approve":
        said, act = "The call is erased for ever.", approve_erasure
    else:
        said, act = "The call is left as it is.", refuse_erasure
    return _do(
        request, page, said, lambda: act(erasure_id=erasure_id, by=page.person, at=timezone.now())
    )


@require_POST
def legal_hold_place(request: HttpRequest) -> HttpResponse:
    """Put a call under a legal hold."""
    page = _find(request)
    form = page.hold = LegalHoldForm(request.POST, prefix="hold")
    return _about_call(
        request,
        page,
        form,
        "The call is under a legal hold: nothing erases it.",
        lambda call: place_legal_hold(
            hold_id=key_of(form),
            call_id=call,
            reason=form.cleaned_data["reason"],
            by=page.person,
            at=timezone.now(),
        ),
    )


@require_POST
def legal_hold_lift(request: HttpRequest, hold_id: UUID) -> HttpResponse:
    """Lift a legal hold."""
    page = _find(request)
    if hold_id not in {one.id for one in list_legal_holds(page.own)}:
        _check_asks(page)
        raise Http404
    form = LiftForm(request.POST)
    if not form.is_valid():
        page.refusal = str(form.errors["reason"][0])
        return _render(request, page, status=422)
    reason = form.cleaned_data["reason"]
    return _do(
        request,
        page,
        "The legal hold is lifted.",
        lambda: lift_legal_hold(hold_id=hold_id, reason=reason, by=page.person, at=timezone.now()),
    )


@require_POST
def retention_propose(request: HttpRequest) -> HttpResponse:
    """Propose a rule of retention."""
    page = _find(request)
    _check_asks(page)
    form = page.rule = RuleForm(request.POST, sites=list_export_sites(page.own))
    if not form.is_valid():
        return _render(request, page, status=422)
    given = form.cleaned_data
    return _do(
        request,
        page,
        "An administrator is asked to approve the rule.",
        lambda: propose_rule(
            rule_id=key_of(form),
            site=form.chosen(),
            days=given["days"],
            most=given["most"],
            by=page.person,
            at=timezone.now(),
        ),
    )


@require_POST
def retention_decide(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    """Approve a rule that somebody else proposed, or refuse it."""
    page = _find(request)
    approve = request.POST.get("answer") == "approve"
    said = "The rule holds from now on." if approve else "The rule is refused."
    return _do(
        request,
        page,
        said,
        lambda: decide_rule(rule_id=rule_id, approve=approve, by=page.person, at=timezone.now()),
    )


def _find(request: HttpRequest) -> _Page:
    person = request.user
    seen = retention_seen(person)
    if not isinstance(person, User) or (seen is not None and not seen):
        raise Http404
    own = erases_at(person)
    return _Page(
        person,
        seen,
        own,
        ErasureForm(prefix="erasure"),
        LegalHoldForm(prefix="hold"),
        RuleForm(sites=list_export_sites(own)),
    )


def _check_asks(page: _Page) -> None:
    if not page.own:
        raise PermissionDenied("Only compliance officers ask for erasures, holds and rules.")


def _about_call(
    request: HttpRequest,
    page: _Page,
    form: CallNamedForm,
    said: str,
    act: Callable[[UUID], None],
) -> HttpResponse:
    """Do what a form asks of the one call that it names."""
    _check_asks(page)
    if not form.is_valid():
        return _render(request, page, status=422)
    found = find_call_by_name(page.own, form.cleaned_data["call"].strip())
    if len(found) != 1:
        words = "No call of your sites has this id." if not found else "More than one call has it."
        form.add_error("call", words)
        return _render(request, page, status=422)
    try:
        act(found[0])
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except _REFUSALS as refusal:
        form.add_error("call", str(refusal))
        return _render(request, page, status=422)
    messages.success(request, said)
    return redirect("review:retention")


def _do(request: HttpRequest, page: _Page, said: str, act: Callable[[], Any]) -> HttpResponse:
    try:
        act()
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except _REFUSALS as refusal:
        page.refusal = str(refusal)
        return _render(request, page, status=409)
    remember_erasures()
    messages.success(request, said)
    return redirect("review:retention")


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    decides = page.seen is None
    context = {
        "section": "retention",
        "page": page,
        "decides": decides,
        "asks": bool(page.own),
        "rules": list_rules(page.seen, page.person, timezone.now()),
        "wishes": list_wishes(page.seen, page.person),
        "holds": () if page.seen is None else list_legal_holds(page.seen),
        "lift": LiftForm(),
    }
    return render(request, "review/retention.html", context, status=status)
