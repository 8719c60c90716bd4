"""Attestations: the counts of a site and period, the form that attests them, and those made."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from oipsce_site.people.models import User
from review.actions.attesting import (
    AttestWish,
    StaleCounts,
    UnableToAttest,
    attest_period,
    read_universe,
)
from review.actions.proving import Proofs
from review.actions.refused_signing import UnableToSign
from review.core.compliance.attestation import STATEMENT
from review.forms.attesting import AttestingForm
from review.oversight_permissions import Overseeing
from review.permissions import NotAllowed
from review.presenters.compliance.attestations import (
    PeriodAsked,
    offer_periods,
    offer_sites,
    read_period,
    show_attestations,
    show_universe,
)
from review.queries.attestations import get_attestation, list_attestations
from review.queries.exports import list_export_sites
from review.queries.oversight import site_names, sites_by_slug
from review.queries.passkeys import has_app
from review.views.compliance.overseeing import overseer, show

_SHOWN = 100


@dataclass
class _Page:
    """One request: who, where, which period, and a form that came in."""

    person: User
    seen: Overseeing
    asked: PeriodAsked
    site_id: UUID
    now: datetime
    form: AttestingForm | None = None

    @property
    def may_attest(self) -> bool:
        """Whether the person attests for the site."""
        return self.site_id in self.seen.acting


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def attestations(request: HttpRequest) -> HttpResponse:
    """Show the counts of a site and period, and attest them when the form comes in."""
    person, seen = overseer(request)
    now = timezone.now()
    asked = read_period(request.GET.dict(), site_names(seen.sites), now.date())
    page = _Page(person, seen, asked, sites_by_slug(seen.sites)[asked.site], now)
    if request.method != "POST":
        return _render(request, page)
    if not page.may_attest:
        raise PermissionDenied("Only compliance officers of the site attest; auditors read.")
    form = page.form = AttestingForm(request.POST)
    if not form.is_valid():
        form.complain_of_hidden()
        return _render(request, page, status=422)
    return _attest(request, page, form)


@require_GET
def attestation(request: HttpRequest, attestation_id: UUID) -> HttpResponse:
    """Show one attestation as it was made."""
    _, seen = overseer(request)
    lines = [one for one in list_attestations(seen.sites, limit=None) if one.id == attestation_id]
    if not lines:
        raise Http404
    [shown] = show_attestations(lines)
    return show(request, "attestation", {"one": shown}, tab="attestations")


@require_GET
def attestation_record(request: HttpRequest, attestation_id: UUID) -> HttpResponse:
    """Return the exact bytes that the digest is of."""
    _, seen = overseer(request)
    found = get_attestation(seen.sites, attestation_id)
    if found is None:
        raise Http404
    answer = HttpResponse(found, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="attestation-{attestation_id}.json"'
    return answer


def _attest(request: HttpRequest, page: _Page, form: AttestingForm) -> HttpResponse:
    said = form.cleaned_data
    session = hashlib.sha256((request.session.session_key or "").encode()).hexdigest()
    [site] = list_export_sites(frozenset([page.site_id]))
    period = page.asked.period
    try:
        attest_period(
            attestation_id=form.key(),
            wish=AttestWish(site, period.first, period.last, said["seen"]),
            proofs=Proofs(session, password=said["password"], code=said["code"]),
            by=page.person,
            at=page.now,
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToSign as refusal:
        form.refuse(refusal.field, str(refusal))
        return _render(request, page, status=422)
    except StaleCounts as stale:
        page.form = None
        messages.warning(request, str(stale))
        return _render(request, page, status=409)
    except UnableToAttest as refusal:
        form.refuse("", str(refusal))
        return _render(request, page, status=422)
    messages.success(request, "The period is attested.")
    return redirect("review:attestation", form.key())


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    [site] = list_export_sites(frozenset([page.site_id]))
    period, today = page.asked.period, page.now.date()
    universe, digest = read_universe(site, period.first, period.last, page.now)
    app = has_app(page.person)
    if page.may_attest and app and page.form is None:
        page.form = AttestingForm(seen=digest)
    context = {
        "site_name": site.name,
        "period": period,
        "query": page.asked.query,
        "periods": offer_periods(page.asked, today),
        "sites": offer_sites(page.asked, site_names(page.seen.sites)),
        "counts": show_universe(universe),
        "statement": STATEMENT,
        "form": page.form if page.may_attest else None,
        "needs_app": page.may_attest and not app,
        "made": show_attestations(list_attestations(page.seen.sites, limit=_SHOWN)),
    }
    return show(request, "attestations", context, status=status)
