"""A blind reading: the door, the desk where rows are answered from nothing, and its end.

What is rendered here comes from the catalog, the transcript and the reader's own answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.queries import document_of
from oipsce_site.people.models import Site, User
from review.actions.opening import UnableToOpen, open_blind
from review.actions.readings import (
    UnableToRead,
    answer_reading,
    call_reading_off,
    finish_reading,
    give_reading_back,
    take_reading,
)
from review.core.readings import Answer, ReadingKind
from review.core.transcript import Call
from review.forms.holds import WhyForm
from review.forms.readings import BlindRowForm
from review.permissions import (
    NotAllowed,
    check_can_decide,
    rights_at,
)
from review.presenters.blind import BlindPage, next_open, show_blind
from review.presenters.differences import WHY_READ
from review.queries import get_call_for
from review.queries.readings import (
    BlindCall,
    OwnReading,
    blind_call_for,
    last_done,
    live_reading,
    own_reading,
)


@dataclass
class _Desk:
    """A reading as this request shows it."""

    call_id: UUID
    own: OwnReading
    call: Call
    page: BlindPage
    form: BlindRowForm


@require_GET
def reading(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show the reader their desk, and who may become the reader the door; `?row=` chooses a row.

    Anybody else is led to the call, or to both readings once they are done.
    """
    person = _person(request)
    blind = blind_call_for(person, call_id)
    if blind is None:
        if get_call_for(person, call_id) is None:
            raise Http404
        done = last_done(call_id) is not None
        return redirect("review:differences" if done else "review:call", call_id)
    own = own_reading(call_id, person)
    if own is None:
        return _door(request, blind, person, WhyForm(prefix="off"))
    return _render(request, _open(own, call_id, person, request.GET.get("row", ""), None))


@require_POST
def reading_take(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Take the reading, and lead to its desk."""
    person = _reader(request, call_id)
    try:
        take_reading(call_id=call_id, by=person, at=timezone.now())
    except UnableToRead as refusal:
        messages.warning(request, str(refusal))
    return redirect("review:reading", call_id)


@require_POST
def reading_answer(request: HttpRequest, call_id: UUID, phase: str) -> HttpResponse:
    """Keep what the reader says of one row, and lead to the next."""
    person = _reader(request, call_id)
    own = own_reading(call_id, person)
    if own is None:
        messages.warning(request, "Your reading of this call is over, so nothing was kept.")
        return redirect("review:reading", call_id)
    if phase not in own.phases:
        raise Http404
    desk = _open(own, call_id, person, phase, request.POST.dict())
    if not desk.form.is_valid():
        return _render(request, desk, status=422)
    try:
        answer_reading(
            call_id=call_id,
            phase=phase,
            answer=desk.form.answer(),
            key=desk.form.cleaned_data["form_key"],
            by=person,
            at=timezone.now(),
        )
    except UnableToRead as refusal:
        desk.form.refuse(refusal.field, str(refusal))
        return _render(request, desk, status=refusal.status)
    following = next_open(own.phases, {*own.said, phase}, phase)
    messages.success(request, f"{phase}: kept.")
    return redirect(f"{reverse('review:reading', args=[call_id])}?row={quote(following)}#answer")


@require_POST
def reading_done(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Close the reading, and lead to both of them."""
    person = _reader(request, call_id)
    try:
        finish_reading(call_id=call_id, by=person, at=timezone.now())
    except UnableToRead as refusal:
        messages.warning(request, str(refusal))
        return redirect("review:reading", call_id)
    messages.success(request, "Both readings are done.")
    return redirect("review:differences", call_id)


@require_POST
def reading_give_back(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Give the reading back, and lead to the queue."""
    person = _reader(request, call_id)
    try:
        give_reading_back(call_id=call_id, by=person, at=timezone.now())
    except UnableToRead as refusal:
        messages.warning(request, str(refusal))
        return redirect("review:reading", call_id)
    messages.success(request, "Given back: somebody else reads the call from the beginning.")
    return redirect("review:queue")


@require_POST
def reading_call_off(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Call the second reading off, with a reason."""
    person = _reader(request, call_id)
    form = WhyForm(request.POST, prefix="off")
    reason = str(form.cleaned_data["reason"]) if form.is_valid() else ""
    try:
        call_reading_off(call_id=call_id, reason=reason, by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToRead as refusal:
        blind = blind_call_for(person, call_id)
        if blind is None or own_reading(call_id, person) is not None:
            messages.warning(request, str(refusal))
            return redirect("review:reading", call_id)
        form.add_error(refusal.field or None, str(refusal))
        return _door(request, blind, person, form, status=refusal.status)
    messages.success(request, "The call is signed on its first reading alone.")
    return redirect("review:call", call_id)


def _door(
    request: HttpRequest, blind: BlindCall, person: User, form: WhyForm, *, status: int = 200
) -> HttpResponse:
    waiting = live_reading(blind.id)
    kind = ReadingKind.SAMPLE if waiting is None else ReadingKind(waiting.kind)
    reader = None if waiting is None else waiting.reader
    now = timezone.now()
    held = None if waiting is None else waiting.held_until
    rights = rights_at(person, Site(pk=blind.site_id))
    context = {
        "blind": blind,
        "why": WHY_READ[kind],
        "reader": reader.printed_name if reader is not None and held and held > now else "",
        "until": held,
        "off": form if rights.assign and waiting is not None and blind.is_second else None,
        "section": "queue",
    }
    return render(request, "review/reading_door.html", context, status=status)


def _open(
    own: OwnReading, call_id: UUID, person: User, asked: str, typed: dict[str, Any] | None
) -> _Desk:
    """Open the words of the call, once the log has it for which reading."""
    try:
        call = open_blind(call_id=call_id, reading_id=own.id, by=person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    document = document_of(own.catalog_digest)
    page = show_blind(call, document, own.phases, own.said, asked)
    said: Answer | None = own.said.get(page.chosen)
    return _Desk(
        call_id, own, call, page, BlindRowForm(typed, items=page.items, call=call, said=said)
    )


def _render(request: HttpRequest, desk: _Desk, *, status: int = 200) -> HttpResponse:
    context = {
        "page": desk.page,
        "form": desk.form,
        "call_id": desk.call_id,
        "until": desk.own.held_until,
        "section": "queue",
    }
    return render(request, "review/reading.html", context, status=status)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def _reader(request: HttpRequest, call_id: UUID) -> User:
    """Return who decides at the call's site. What is not theirs is not there."""
    person = _person(request)
    blind = blind_call_for(person, call_id)
    if blind is not None:
        return person
    stored = get_call_for(person, call_id)
    if stored is None:
        raise Http404
    try:
        check_can_decide(person, Site(pk=stored.site_id))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return person
