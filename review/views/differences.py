"""Both readings of a call, once they are done: the rows that differ, and how each is settled."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.decisions import Conflict, UnableToDecide
from review.actions.opening import UnableToOpen, open_for_review
from review.actions.settling import Settling, settle_difference
from review.forms.readings import SettleForm
from review.permissions import rights_at
from review.presenters.differences import show_differences
from review.queries import StoredCall, get_call_for
from review.queries.readings import TwoReadings, blind_call_for, two_readings


@require_GET
def differences(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show both readings. Until they are done there is nothing to show."""
    person = _person(request)
    stored = get_call_for(person, call_id)
    if stored is None:
        if blind_call_for(person, call_id) is None:
            raise Http404
        return redirect("review:reading", call_id)
    return _render(request, stored, person, {})


@require_POST
def settle(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Let one of the two readings stand on a row, with a reason."""
    person = _person(request)
    stored = get_call_for(person, call_id)
    if stored is None:
        raise Http404
    if not rights_at(person, Site(pk=stored.site_id)).decide:
        raise PermissionDenied(
            "Only reviewers and senior reviewers of the site settle differences."
        )
    form = SettleForm(request.POST, phase=phase)
    if not form.is_valid():
        form.add_error(None, "The form came incomplete. Say why, and press one of the two.")
        return _render(request, stored, person, {phase: form}, status=422)
    given = form.cleaned_data
    try:
        settle_difference(
            call_id=call_id,
            settling=Settling(phase, given["side"], given["reason"], given["revision"]),
            key=given["form_key"],
            by=person,
            at=timezone.now(),
        )
    except UnableToDecide as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return _render(request, stored, person, {phase: form}, status=refusal.status)
    except Conflict as conflict:
        form.add_error(None, f"{conflict} What you typed is kept; look at the row again.")
        return _render(request, stored, person, {phase: form}, status=409)
    messages.success(request, _say_settled(two_readings(call_id), phase))
    return redirect("review:differences", call_id)


def _say_settled(both: TwoReadings | None, phase: str) -> str:
    if both is None:
        return f"{phase}: saved."
    left = [one.pair.phase for one in both.differences if not one.settled]
    if phase in left:
        return (
            f"{phase}: saved. It is settled once the other reader agrees, or a senior reviewer who "
            "is neither of the two decides it."
        )
    return f"{phase}: settled. {len(left)} left." if left else f"{phase}: settled, as is all else."


def _render(
    request: HttpRequest,
    stored: StoredCall,
    person: User,
    typed: dict[str, SettleForm],
    *,
    status: int = 200,
) -> HttpResponse:
    call_id = stored.line.id
    both = two_readings(call_id)
    if both is None:
        return redirect("review:call", call_id)
    try:
        opened = open_for_review(call_id=call_id, by=person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    people = (both.first, both.second)
    document = both.folded.document
    page = show_differences(
        opened.call, document, both.kind, both.compared, both.differences, people
    )
    settles = both.settles and rights_at(person, Site(pk=stored.site_id)).decide
    context: dict[str, Any] = {
        "page": page,
        "rows": [(row, _form(both, row.phase, typed) if settles else None) for row in page.rows],
        "call_id": call_id,
        "settles": settles,
        "signed": not both.settles,
        "section": "calls",
    }
    return render(request, "review/differences.html", context, status=status)


def _form(both: TwoReadings, phase: str, typed: dict[str, SettleForm]) -> SettleForm:
    if phase in typed:
        return typed[phase]
    return SettleForm(phase=phase, revision=both.folded.revision(phase))


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
