"""A round is opened: the calls of one site by one version, and who rates them."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import Site
from review.actions.calibration import RoundWish, UnableToCalibrate, open_round
from review.forms.calibration import BeginRoundForm, OpenRoundForm
from review.permissions import NotAllowed, calibrating_at
from review.queries.calibration import (
    VersionOption,
    list_call_options,
    list_open_versions,
    list_round_sites,
)
from review.queries.holds import assignees_of
from review.views.calibration.opened import calibrating


@require_http_methods(["GET", "HEAD", "POST"])
def calibration_open(request: HttpRequest) -> HttpResponse:
    """Ask for the calls and the raters of a round; its site and version come in the address."""
    person = calibrating(request)
    at = calibrating_at(person)
    if at.holds is not None and not at.holds:
        raise PermissionDenied(say_who(Act.HOLD_ROUNDS))
    begin = BeginRoundForm(
        request.GET or None, sites=list_round_sites(at.holds), versions=list_open_versions()
    )
    if not begin.is_valid():
        status = 422 if request.method == "POST" else 200
        return _render(request, begin, None, None, status=status)
    site, version = begin.cleaned_data["site"], begin.cleaned_data["version"]
    calls = list_call_options(site.pk, version.catalog_id) if site.pk in at.reads else []
    form = OpenRoundForm(
        request.POST if request.method == "POST" else None,
        calls=calls,
        raters=assignees_of(site.pk),
        previous=_uuid(request.GET.get("after", "")),
    )
    if request.method != "POST":
        return _render(request, begin, form, (site, version))
    if not form.is_valid():
        return _render(request, begin, form, (site, version), status=422)
    round_id = uuid4()
    wish = RoundWish(
        site,
        version.id,
        form.chosen_calls,
        [UUID(one) for one in form.cleaned_data["raters"]],
        form.drawn,
        form.cleaned_data["previous"],
    )
    try:
        open_round(round_id=round_id, wish=wish, by=person, at=timezone.now())
    except (UnableToCalibrate, NotAllowed) as refusal:
        form.refuse(getattr(refusal, "field", ""), str(refusal))
        return _render(request, begin, form, (site, version), status=422)
    return redirect("review:calibration", round_id)


def _render(
    request: HttpRequest,
    begin: BeginRoundForm,
    form: OpenRoundForm | None,
    chosen: tuple[Site, VersionOption] | None,
    status: int = 200,
) -> HttpResponse:
    context = {"begin": begin, "form": form, "chosen": chosen, "section": "calibration"}
    return render(request, "review/calibration_open.html", context, status=status)


def _uuid(written: str) -> UUID | None:
    try:
        return UUID(written)
    except ValueError:
        return None
