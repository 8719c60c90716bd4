"""What a site's models may show to reviewers: figures by phase and language, checks, promotions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.model_checks import (
    CheckWish,
    UnableToCheck,
    call_off_model_check,
    order_model_check,
)
from review.actions.promotions import (
    PromotionWish,
    UnableToPromote,
    ask_promotion,
    end_promotion,
    prove,
    put_promotion_in_force,
)
from review.forms.model_figures import MeasurableForm, ModelCheckForm
from review.permissions import NotAllowed, check_can_promote, model_figures_seen
from review.presenters.model_figures import (
    PhaseFigures,
    show_checks,
    show_history,
    show_phase,
)
from review.queries.promotions import (
    Measured,
    checks_of,
    current_digests,
    find_check_site,
    find_promotion_site,
    latest_answering,
    measured_at,
    model_sites,
    open_promotions,
    promotions_of,
    signed_versions_of,
)


@require_GET
def model_sites_list(request: HttpRequest) -> HttpResponse:
    """List the sites of whose models the person sees figures."""
    seen = model_figures_seen(request.user)
    if not seen:
        raise Http404
    context = {"sites": model_sites(seen), "section": "catalogs"}
    return render(request, "review/model_sites.html", context)


@require_GET
def model_figures(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Show what is measured of a site's models, and what was promoted."""
    return _render(request, _find(request, site_id))


@require_POST
def model_check_order(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Have the models of a site checked on signed calls."""
    site, person = _find(request, site_id), _person(request)
    _check_may(person, site)
    form = ModelCheckForm(request.POST, versions=signed_versions_of(site_id))
    if not form.is_valid():
        return _render(request, site, form=form, status=422)
    given = form.cleaned_data
    wish = CheckWish(site, given["version"], given["calls"])
    try:
        calls = order_model_check(check_id=uuid4(), wish=wish, by=person, at=timezone.now())
    except UnableToCheck as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return _render(request, site, form=form, status=409)
    messages.success(request, f"The models are being checked on {calls:,} calls.")
    return redirect("review:model_figures", site_id)


@require_POST
def model_check_cancel(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """Call a check off."""
    site = _find(request, find_check_site(check_id))
    return _act(
        request,
        site,
        lambda person: call_off_model_check(check_id=check_id, by=person, at=timezone.now()),
        "It is called off; what was found so far counts.",
    )


@require_POST
def promotion_ask(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Ask for a promotion."""
    site = _find(request, site_id)
    _check_may(_person(request), site)
    form = MeasurableForm(request.POST)
    if not form.is_valid():
        words = "The form came incomplete, so nothing is stored. Load the page and send it again."
        return _render(request, site, refusal=words, status=422)
    wish = PromotionWish(site, form.meant())
    return _act(
        request,
        site,
        lambda person: ask_promotion(promotion_id=uuid4(), wish=wish, by=person, at=timezone.now()),
        "It is asked for; another person puts it in force.",
    )


@require_POST
def promotion_stand(request: HttpRequest, promotion_id: UUID) -> HttpResponse:
    """Put a promotion in force that another person asked for."""
    site = _find(request, find_promotion_site(promotion_id))
    return _act(
        request,
        site,
        lambda person: put_promotion_in_force(
            promotion_id=promotion_id, by=person, at=timezone.now()
        ),
        "It is in force, for rows that are asked about from now on.",
    )


@require_POST
def promotion_end(request: HttpRequest, promotion_id: UUID) -> HttpResponse:
    """Decline or withdraw a promotion."""
    site = _find(request, find_promotion_site(promotion_id))
    return _act(
        request,
        site,
        lambda person: end_promotion(promotion_id=promotion_id, by=person, at=timezone.now()),
        "It has ended: proposals are shown only when a row was decided.",
    )


def _act(
    request: HttpRequest, site: Site, act: Callable[[User], object], said: str
) -> HttpResponse:
    try:
        act(_person(request))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except (UnableToCheck, UnableToPromote) as refusal:
        return _render(request, site, refusal=str(refusal), status=409)
    messages.success(request, said)
    return redirect("review:model_figures", site.pk)


def _find(request: HttpRequest, site_id: UUID | None) -> Site:
    seen = model_figures_seen(request.user)
    found = model_sites(seen & {site_id}) if site_id else []
    if not found:
        raise Http404
    return found[0]


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def _check_may(person: User, site: Site) -> None:
    try:
        check_can_promote(person, site)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal


def _may(person: User, site: Site) -> bool:
    try:
        check_can_promote(person, site)
    except NotAllowed:
        return False
    return True


def _render(
    request: HttpRequest,
    site: Site,
    *,
    form: ModelCheckForm | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    person = _person(request)
    measured, current = measured_at(site.pk), current_digests(site.pk)
    phases = _phases(site, person, measured, current)
    context: dict[str, Any] = {
        "site": site,
        "phases": phases,
        "drawn": {one.promotion for one in phases},
        "unmeasured": sorted(set(current) - {of.phase for of in measured.rows}),
        "earlier": sum(of.digest not in current.get(of.phase, ()) for of in measured.rows),
        "checks": show_checks(checks_of(site.pk)),
        "history": show_history(promotions_of(site.pk)),
        "is_set": bool(current),
        "form": form or ModelCheckForm(versions=signed_versions_of(site.pk)),
        "may_promote": _may(person, site),
        "refusal": refusal,
        "section": "catalogs",
    }
    return render(request, "review/model_figures.html", context, status=status)


def _phases(
    site: Site, person: User, measured: Measured, current: dict[str, frozenset[str]]
) -> list[PhaseFigures]:
    """Draw what is measured of what is asked today; of the models that answered last."""
    standing = open_promotions(site.pk)
    return [
        show_phase(of, prove(measured, of, of.digest), standing.get(of), person.pk)
        for of in sorted(measured.rows)
        if of.digest in current.get(of.phase, ())
        and latest_answering(site.pk, of.phase, of.digest) == of.answered
    ]
