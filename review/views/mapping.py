"""The mapping page: how a call is to be read. It shows words of the call, so each view of it leaves
an entry in the log.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from oipsce_site.people.models import User
from review.actions.mapping import Reading, confirm_mapping, send_to_mapping, withdraw_call
from review.actions.opening import Reason, UnableToOpen, open_for_mapping
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.revising import swap_speakers
from review.core.transcript import Call
from review.forms.mapping import ReasonForm
from review.forms.mapping_desk import Desk, expecting, lay_out, reason_form
from review.permissions import NotAllowed, check_can_map
from review.presenters.mapping import Difference, compare, show_mapping
from review.queries.mapping import MappingCall, get_mapping_for
from review.tasks import ring_for_prefills


@require_http_methods(["GET", "HEAD", "POST"])
def mapping(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show how a call would be read; by POST preview it with other answers, or confirm them."""
    stored = _stored(request, call_id)
    call, reasons = _open(request, stored)
    if request.method != "POST":
        return _render(request, lay_out(call, stored), reasons)
    only_shown = "preview" in request.POST
    desk = lay_out(call, stored, typed=request.POST, only_shown=only_shown)
    if only_shown:
        return _render(request, desk, reasons)
    if desk.settings.errors or desk.roles.errors:
        return _render(request, desk, reasons, status=422)
    return _confirm(request, desk, reasons)


@require_POST
def swap(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Exchange two speakers over a range of turns: the next transcript revision."""
    stored = _stored(request, call_id)
    call, reasons = _open(request, stored)
    desk = lay_out(call, stored, swap=request.POST)
    if not desk.swap.is_valid():
        return _render(request, desk, reasons, status=422)
    try:
        number = swap_speakers(
            call_id=call_id,
            swap=desk.swap.swap(),
            expected=desk.swap.cleaned_data["expected"],
            by=_person(request),
            at=timezone.now(),
        )
    except UnableToMap as refusal:
        desk.refuse(refusal.field, str(refusal))
        return _render(request, desk, reasons, status=422)
    except MovedOn as moved:
        stored = _stored(request, call_id)
        call, reasons = _open(request, stored)
        desk = lay_out(call, stored, swap=expecting(request.POST, stored))
        desk.refusal = str(moved)
        return _render(request, desk, reasons, status=409)
    messages.success(request, f"The speakers are swapped: transcript revision {number}.")
    return redirect("review:mapping", call_id)


@require_POST
def withdraw(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Withdraw a call that cannot be mapped."""
    form = reason_form("withdraw", request.POST)
    answer = _with_reason(request, call_id, form, withdraw_call)
    if isinstance(answer, HttpResponse):
        messages.success(request, "The call is withdrawn.")
        return answer
    desk, reasons, status = answer
    desk.withdrawal = form
    return _render(request, desk, reasons, status=status)


@require_POST
def send_back(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Send a call back to mapping."""
    form = reason_form("back", request.POST)
    answer = _with_reason(request, call_id, form, send_to_mapping)
    if isinstance(answer, HttpResponse):
        messages.success(request, "The call waits to be mapped again.")
        return answer
    desk, reasons, status = answer
    desk.return_form = form
    return _render(request, desk, reasons, status=status)


def _confirm(request: HttpRequest, desk: Desk, reasons: tuple[Reason, ...]) -> HttpResponse:
    call_id = desk.stored.id
    reading = Reading(
        settings=desk.settings.settings(),
        roles=desk.roles.roles(),
        accepted=desk.roles.accepted(),
        version_id=desk.settings.version_id(),
        remember=desk.roles.cleaned_data["remember"],
        expected=desk.settings.cleaned_data["expected"],
    )
    by, now = _person(request), timezone.now()
    try:
        confirm_mapping(call_id=call_id, reading=reading, run_id=uuid4(), by=by, at=now)
    except UnableToMap as refusal:
        desk.refuse(refusal.field, str(refusal))
        return _render(request, desk, reasons, status=422)
    except MovedOn as moved:
        stored = _stored(request, call_id)
        call, reasons = _open(request, stored)
        desk = lay_out(call, stored, typed=expecting(request.POST, stored))
        desk.refusal = str(moved)
        both = compare(call, desk.voices, reading.settings, reading.roles)
        return _render(request, desk, reasons, status=409, differences=both)
    ring_for_prefills()
    messages.success(request, "The mapping is confirmed; the rows come with the pre-fill.")
    return redirect("review:call", call_id)


def _with_reason(
    request: HttpRequest, call_id: UUID, form: ReasonForm, act: Callable[..., None]
) -> HttpResponse | tuple[Desk, tuple[Reason, ...], int]:
    """Do an act with its reason; where it is refused, return what to show and the status."""
    stored = _stored(request, call_id)
    form.is_valid()
    reason = form.cleaned_data.get("reason", "")
    refusal, status = "", 409
    try:
        act(call_id=call_id, reason=reason, by=_person(request), at=timezone.now())
    except UnableToMap as refused:
        if refused.field == "reason":
            form.add_error("reason", str(refused))
            status = 422
        else:
            refusal = str(refused)
    except MovedOn as moved:
        refusal = str(moved)
        stored = _stored(request, call_id)
    else:
        return redirect("review:mapping", call_id)
    call, reasons = _open(request, stored)
    desk = lay_out(call, stored)
    desk.refusal = refusal
    return desk, reasons, status


def _stored(request: HttpRequest, call_id: UUID) -> MappingCall:
    """Return the call; one that is not theirs is not there, one they may not map is refused."""
    stored = get_mapping_for(request.user, call_id)
    if stored is None:
        raise Http404
    try:
        check_can_map(_person(request), stored.site)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return stored


def _open(request: HttpRequest, stored: MappingCall) -> tuple[Call, tuple[Reason, ...]]:
    """Return the words, once the log has it that the person opened them."""
    try:
        return open_for_mapping(call_id=stored.id, by=_person(request), at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal


def _render(
    request: HttpRequest,
    desk: Desk,
    reasons: tuple[Reason, ...],
    *,
    status: int = 200,
    differences: tuple[Difference, ...] = (),
) -> HttpResponse:
    context = {
        "page": show_mapping(desk.call, desk.stored, desk.roles.roles()),
        "desk": desk,
        "reasons": reasons,
        "differences": differences,
        "call_id": desk.stored.id,
        "section": "calls",
    }
    return render(request, "review/mapping.html", context, status=status)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
