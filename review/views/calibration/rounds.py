"""All calibration rounds that a person may see, and one of them."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.version_rows import UnableToMove
from oipsce_site.people.models import User
from review.actions.calibration import UnableToCalibrate, call_off_round
from review.forms.calibration import BeginRoundForm, WaiveForm
from review.permissions import calibrating_at
from review.presenters.calibration import show_figures, show_round_line, state_words
from review.queries.calibration import list_open_versions, list_round_sites, list_rounds
from review.views.calibration.opened import calibrating, held_round, round_of


@require_GET
def calibrations(request: HttpRequest) -> HttpResponse:
    """Show the rounds, who may open one the first form, and who approves that of a waiver."""
    return _list(request, calibrating(request), None)


@require_POST
def calibration_waive(request: HttpRequest) -> HttpResponse:
    """Record in words why a version may be published without a round."""
    person = calibrating(request)
    if not calibrating_at(person).waives:
        raise PermissionDenied("Only a catalog approver waives calibration.")
    form = WaiveForm(request.POST, versions=list_open_versions())
    if not form.is_valid():
        return _list(request, person, form, status=422)
    version = form.cleaned_data["version"]
    try:
        waive_calibration(
            version_id=version.id,
            report_id=uuid4(),
            reason=form.cleaned_data["reason"],
            by=person,
            at=timezone.now(),
        )
    except UnableToMove as refusal:
        form.add_error("reason", str(refusal))
        return _list(request, person, form, status=422)
    messages.success(request, f"Calibration of {version.name} is waived, with your reason.")
    return redirect("review:calibrations")


@require_GET
def calibration(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Show where a round stands; once it is closed, its figures."""
    _, stored = round_of(request, round_id)
    word, tone = state_words(stored.state)
    context = {
        "round": stored,
        "state": word,
        "tone": tone,
        "rows": len(stored.phases),
        "all_rows": len(stored.phases) * len(stored.calls),
        "figures": None if stored.figures is None else show_figures(stored.figures),
        "is_open": stored.state in ("RATING", "DIFFERING"),
        "shows_differences": stored.state in ("DIFFERING", "CLOSED"),
        "rates": stored.is_rater and not stored.is_done and stored.state == "RATING",
        "section": "calibration",
    }
    return render(request, "review/calibration.html", context)


@require_POST
def calibration_off(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Call a round off."""
    person, _ = held_round(request, round_id)
    try:
        call_off_round(round_id=round_id, by=person, at=timezone.now())
    except UnableToCalibrate as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, "The round is called off; what was said in it is kept.")
    return redirect("review:calibration", round_id)


def _list(
    request: HttpRequest, person: User, waive: WaiveForm | None, status: int = 200
) -> HttpResponse:
    at = calibrating_at(person)
    holds = at.holds is None or bool(at.holds)
    versions = list_open_versions() if holds or at.waives else []
    begin = BeginRoundForm(sites=list_round_sites(at.holds), versions=versions) if holds else None
    context = {
        "rounds": [show_round_line(one) for one in list_rounds(person, at)],
        "begin": begin,
        "waive": (waive or WaiveForm(versions=versions)) if at.waives else None,
        "section": "calibration",
    }
    return render(request, "review/calibrations.html", context, status=status)
