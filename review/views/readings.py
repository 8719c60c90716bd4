"""Blind readings of one's sites: how much is read blind, how many wait, and those that are done."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from review.actions.shares import set_reading_shares
from review.core.readings import Shares
from review.forms.readings import SharesForm
from review.permissions import NotAllowed, sets_shares_at
from review.queries.reading_lists import SiteReadings, done_readings, site_readings

_MOST_SHOWN = 50


@require_GET
def readings(request: HttpRequest) -> HttpResponse:
    """Show the blind readings of every site whose calls the person reads."""
    return _render(request, {})


@require_POST
def set_shares(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Say how much of a site is read blind."""
    person = request.user
    site = next((one for one in site_readings(person) if one.id == site_id), None)
    if site is None or not isinstance(person, User):
        raise Http404
    form = _form(site, request.POST.dict())
    if site_id not in sets_shares_at(person):
        raise PermissionDenied(say_who(Act.SET_SHARES))
    if not form.is_valid():
        return _render(request, {site_id: form}, status=422)
    shares = Shares(**form.cleaned_data)
    try:
        set_reading_shares(site_id=site_id, shares=shares, by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    messages.success(request, f"{site.name}: stored. What was drawn before stays drawn.")
    return redirect("review:readings")


def _render(
    request: HttpRequest, typed: dict[UUID, SharesForm], *, status: int = 200
) -> HttpResponse:
    own = sets_shares_at(request.user)
    context = {
        "sites": [
            (site, (typed.get(site.id) or _form(site, None)) if site.id in own else None)
            for site in site_readings(request.user)
        ],
        "done": done_readings(request.user, _MOST_SHOWN),
        "section": "queue",
    }
    return render(request, "review/readings.html", context, status=status)


def _form(site: SiteReadings, typed: dict[str, str] | None) -> SharesForm:
    return SharesForm(typed, initial=site.shares._asdict(), auto_id=f"{site.slug}-%s")
