"""The rater's desk: one call of a round, its rows rated one by one, from nothing."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.calibration import UnableToCalibrate
from review.actions.rating import RatedRow, finish_rating, open_for_rating, rate_row
from review.forms.calibration import RateForm
from review.presenters.blind import next_open
from review.presenters.calibration import show_desk
from review.queries.calibration import StoredRound
from review.queries.ratings import own_ratings, round_document
from review.views.calibration.opened import rated_round


@require_GET
def rating(request: HttpRequest, round_id: UUID, position: int) -> HttpResponse:
    """Show the desk; `?row=` chooses a row. Who is done is led back to the round."""
    person, stored = rated_round(request, round_id)
    if stored.is_done or stored.state != "RATING":
        return redirect("review:calibration", round_id)
    return _desk(request, person, stored, position, request.GET.get("row", ""))


@require_POST
def calibration_rate(
    request: HttpRequest, round_id: UUID, position: int, phase: str
) -> HttpResponse:
    """Keep what the rater says of one row, and lead to the next."""
    person, stored = rated_round(request, round_id)
    if phase not in stored.phases or all(one.position != position for one in stored.calls):
        raise Http404
    spec = round_document(round_id).phase(phase)
    form = RateForm(request.POST, items=[(one.id, one.text) for one in spec.accept])
    if not form.is_valid():
        return _desk(request, person, stored, position, phase, form=form, status=422)
    row = RatedRow(position, phase, form.rating())
    key = form.cleaned_data["form_key"]
    try:
        rate_row(round_id=round_id, row=row, key=key, by=person, at=timezone.now())
    except UnableToCalibrate as refusal:
        form.refuse(refusal.field, str(refusal))
        status = refusal.status
        return _desk(request, person, stored, position, phase, form=form, status=status)
    rated = {*own_ratings(person, round_id, position), phase}
    following = next_open(stored.phases, rated, phase)
    address = reverse("review:rating", args=[round_id, position])
    return redirect(f"{address}?row={quote(following)}#answer")


@require_POST
def calibration_done(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Say that one has rated every row of every call."""
    person, _ = rated_round(request, round_id)
    try:
        is_last = finish_rating(round_id=round_id, by=person, at=timezone.now())
    except UnableToCalibrate as refusal:
        messages.warning(request, str(refusal))
    else:
        words = "All raters are done: the differences can be talked over."
        messages.success(request, words if is_last else "Thank you. The others are still rating.")
    return redirect("review:calibration", round_id)


def _desk(
    request: HttpRequest,
    person: User,
    stored: StoredRound,
    position: int,
    asked: str,
    **given: Any,
) -> HttpResponse:
    try:
        call = open_for_rating(round_id=stored.id, position=position, by=person, at=timezone.now())
    except UnableToCalibrate as refusal:
        if refusal.status == 404:
            raise Http404 from refusal
        messages.warning(request, str(refusal))
        return redirect("review:calibration", stored.id)
    said = own_ratings(person, stored.id, position)
    page = show_desk(call, round_document(stored.id), position, said, asked)
    form = given.get("form") or RateForm(items=page.items, said=said.get(page.chosen))
    beside = [(one, one.position == position) for one in stored.calls]
    context = {
        "page": page,
        "form": form,
        "round": stored,
        "calls": beside,
        "section": "calibration",
    }
    return render(request, "review/rating.html", context, status=given.get("status", 200))
