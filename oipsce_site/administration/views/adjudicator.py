"""The page of a site's adjudicator: what is asked of whom, and the switch."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.adjudicators import (
    set_adjudicator,
    turn_adjudicator_off,
    turn_adjudicator_on,
)
from oipsce_site.administration.forms import AdjudicatorForm, AdjudicatorSwitchForm
from oipsce_site.administration.presenters.adjudicator import show_adjudicator
from oipsce_site.administration.queries import adjudicator_of, sites_in_reach
from oipsce_site.administration.views.answering import (
    CONFLICT,
    administrator_of,
    answer,
    with_revision,
)
from oipsce_site.people.models import Adjudicator

_CAPS = (
    *("tokens_per_call", "tokens_per_day", "tokens_per_catalog"),
    *("cents_per_million", "cents_per_day"),
)
_FIELDS = ("url", "model", "second_model", "phases", "agreement", *_CAPS)


@require_http_methods(["GET", "HEAD", "POST"])
def adjudicator(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Show what is set for a site, or store something else."""
    by = administrator_of(request)
    if request.method != "POST":
        return _page(request, site_id)
    form = AdjudicatorForm(request.POST)

    def act() -> HttpResponse:
        wish = dict(form.cleaned_data)
        set_adjudicator(
            adjudicator_id=uuid4(),
            site_id=site_id,
            expected_revision=wish.pop("expected_revision"),
            wish=wish,
            by=by,
            at=timezone.now(),
        )
        messages.success(request, "It is stored and off; another administrator turns it on.")
        return redirect("administration:adjudicator", site_id)

    return answer(form, act, lambda status: _page(request, site_id, {"setting": form}, status))


@require_http_methods(["GET", "HEAD", "POST"])
def adjudicator_switch(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Turn the adjudicator of a site on, or off at once."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:adjudicator", site_id)
    form = AdjudicatorSwitchForm(request.POST)

    def act() -> HttpResponse:
        now = timezone.now()
        if form.cleaned_data["on"] == "yes":
            expected = form.cleaned_data["expected_revision"]
            turn_adjudicator_on(site_id=site_id, expected_revision=expected, by=by, at=now)
            messages.success(request, "It is on, for calls that are filled from now on.")
        else:
            turn_adjudicator_off(site_id=site_id, by=by, at=now)
            messages.success(request, "It is off: nothing more is sent.")
        return redirect("administration:adjudicator", site_id)

    return answer(form, act, lambda status: _page(request, site_id, {"switch": form}, status))


def _page(
    request: HttpRequest, site_id: UUID, sent: dict[str, Form] | None = None, status: int = 200
) -> HttpResponse:
    by = administrator_of(request)
    site = sites_in_reach(by).filter(pk=site_id).first()
    if site is None:
        raise Http404
    setting = adjudicator_of(site_id)
    page = show_adjudicator(site, setting, reader=by, hosts=list(settings.ADJUDICATOR_HOSTS))
    forms = {
        "setting": AdjudicatorForm(initial=_initial(setting)),
        "switch": AdjudicatorSwitchForm(
            initial={"expected_revision": page.revision, "on": "no" if page.is_on else "yes"}
        ),
        **{name: with_revision(form, page.revision) for name, form in (sent or {}).items()},
    }
    context = {
        "page": page,
        "forms": forms,
        "changed": status == CONFLICT,
        "section": "sites",
    }
    return render(request, "administration/adjudicator.html", context, status=status)


def _initial(setting: Adjudicator | None) -> dict[str, Any]:
    if setting is None:
        return {"expected_revision": 0}
    stored = {name: getattr(setting, name) for name in _FIELDS}
    phases = " ".join(setting.phases)
    return {**stored, "phases": phases, "expected_revision": setting.revision}
