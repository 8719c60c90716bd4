"""Where raters differ, item by item: what is decided is written down, then the round is closed."""

from __future__ import annotations

import secrets
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from review.actions.calibration import UnableToCalibrate
from review.actions.differing import Decided, close_round, decide_difference
from review.forms.calibration import DecideDifferenceForm
from review.presenters.calibration import ShownDifference, show_differences
from review.queries.calibration import StoredRound
from review.queries.ratings import differences_of_round, round_document
from review.views.calibration.opened import held_round, round_of


@require_GET
def differing(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Show the differences once all have rated; before, nobody sees what another said."""
    _, stored = round_of(request, round_id)
    if stored.state not in ("DIFFERING", "CLOSED"):
        return redirect("review:calibration", round_id)
    return _page(request, stored, None, "")


@require_POST
def calibration_decide(
    request: HttpRequest, round_id: UUID, position: int, phase: str
) -> HttpResponse:
    """Write down what was decided on one difference."""
    person, stored = held_round(request, round_id)
    if phase not in stored.phases:
        raise Http404
    place = f"{position}-{phase}"
    form = DecideDifferenceForm(request.POST, raters=stored.raters, place=place)
    if stored.state not in ("DIFFERING", "CLOSED"):
        messages.warning(request, "Not all raters are done yet.")
        return redirect("review:calibration", round_id)
    if not form.is_valid():
        return _page(request, stored, form, place, status=422)
    said = form.cleaned_data
    decided = Decided(position, phase, form.right, said["why"], said["change"])
    try:
        decide_difference(
            round_id=round_id,
            decided=decided,
            key=said["form_key"],
            by=person,
            at=timezone.now(),
        )
    except UnableToCalibrate as refusal:
        if refusal.status == 404:
            raise Http404 from refusal
        form.refuse(refusal.field, str(refusal))
        return _page(request, stored, form, place, status=refusal.status)
    messages.success(request, f"{phase}: the decision is kept.")
    return redirect(f"{reverse('review:differing', args=[round_id])}#difference-{place}")


@require_POST
def calibration_close(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Close the round: its figures are computed and stand beside the version's text."""
    person, _ = held_round(request, round_id)
    try:
        close_round(
            round_id=round_id,
            report_id=uuid4(),
            seed=secrets.token_hex(16),
            by=person,
            at=timezone.now(),
        )
    except UnableToCalibrate as refusal:
        messages.warning(request, str(refusal))
        return redirect("review:differing", round_id)
    messages.success(request, "The round is closed; its figures stand beside the version.")
    return redirect("review:calibration", round_id)


def _page(
    request: HttpRequest,
    stored: StoredRound,
    typed: DecideDifferenceForm | None,
    place: str,
    status: int = 200,
) -> HttpResponse:
    document = round_document(stored.id) if stored.version_id else None
    shown = show_differences(stored, document, differences_of_round(stored.id))
    decides = stored.holds and stored.state == "DIFFERING"
    context = {
        "round": stored,
        "rows": [(one, _form(one, stored, typed, place) if decides else None) for one in shown],
        "left": sum(not one.decision for one in shown),
        "decides": decides,
        "section": "calibration",
    }
    return render(request, "review/differing.html", context, status=status)


def _form(
    one: ShownDifference, stored: StoredRound, typed: DecideDifferenceForm | None, place: str
) -> DecideDifferenceForm | None:
    if typed is not None and one.place == place:
        return typed
    if one.decision is not None:
        return None
    return DecideDifferenceForm(raters=stored.raters, place=one.place)
