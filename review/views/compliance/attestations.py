"""Attestations: the counts of a site and period, the form that attests them, and those made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
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
    PasskeyProof,
    StaleCounts,
    UnableToAttest,
    attest_fixed,
    attest_period,
    begin_attesting,
    read_universe,
)
from review.actions.proving import Proofs, own_assertion
from review.actions.refused_signing import UnableToSign
from review.core.compliance.attestation import STATEMENT, seen_in
from review.core.signoff.passkey import Assertion
from review.forms.attesting import (
    AttestingAnswerForm,
    AttestingForm,
    CountsForm,
    NotFixed,
    PasskeyAttestingForm,
    read_fixed,
    seal_fixed,
)
from review.forms.signing import PasskeyAnswer
from review.oversight_permissions import Overseeing
from review.permissions import NotAllowed
from review.presenters.ceremony import Ceremony, show_ceremony
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
from review.queries.passkeys import has_app, passkeys_of
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
    passkey_form: PasskeyAttestingForm | None = None
    ceremony: Ceremony | None = None
    fixed: str = ""

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
    if "fixed" in request.POST:
        return _complete(request, page)
    if "passkey-seen" in request.POST:
        return _begin(request, page)
    return _attest(request, page)


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


def _attest(request: HttpRequest, page: _Page) -> HttpResponse:
    form = page.form = AttestingForm(request.POST)
    if not form.is_valid():
        form.complain_of_hidden()
        return _render(request, page, status=422)
    said = form.cleaned_data
    return _try(
        request,
        page,
        form,
        lambda: attest_period(
            attestation_id=form.key(),
            wish=_wish(page, said["seen"]),
            proofs=Proofs(_session(request), password=said["password"], code=said["code"]),
            by=page.person,
            at=page.now,
        ),
    )


def _begin(request: HttpRequest, page: _Page) -> HttpResponse:
    """Fix the record; the page that comes asks the passkey for it."""
    keys = _keys(page.person)
    form = page.passkey_form = PasskeyAttestingForm(request.POST, keys=keys)
    if not form.is_valid():
        form.complain_of_hidden()
        return _render(request, page, status=422)
    return _try(request, page, form, lambda: _fix(request, page, form))


def _fix(request: HttpRequest, page: _Page, form: PasskeyAttestingForm) -> None:
    said = form.cleaned_data
    fixed = begin_attesting(
        wish=_wish(page, said["seen"]),
        passkey_id=said["passkey"],
        password=said["password"],
        session=_session(request),
        by=page.person,
        at=page.now,
    )
    page.fixed = seal_fixed(fixed.data, page.person.pk)
    host, key = request.get_host(), form.key()
    page.ceremony = show_ceremony(key, fixed.digest, fixed.key, fixed.expires_at, host)


def _complete(request: HttpRequest, page: _Page) -> HttpResponse:
    """Attest with what the passkey answered."""
    form = AttestingAnswerForm(request.POST)
    try:
        data = read_fixed(request.POST.get("fixed", ""), page.person.pk)
    except NotFixed:
        data = b""
    if not data or not form.is_valid():
        messages.error(request, "The form came incomplete, so nothing is attested. Begin again.")
        return _render(request, page, status=422)
    answer: PasskeyAnswer = form.cleaned_data["credential"]
    return _try(
        request,
        page,
        None,
        lambda: attest_fixed(
            attestation_id=form.intent_id(),
            wish=_wish(page, seen_in(data)),
            data=data,
            proof=PasskeyProof(_assertion(request, page.person, answer), _session(request)),
            by=page.person,
            at=page.now,
        ),
        made=form.intent_id(),
    )


def _assertion(request: HttpRequest, person: User, answer: PasskeyAnswer) -> Assertion:
    page = f"{request.scheme}://{request.get_host()}"
    return own_assertion(answer, signer=person, page=page)


def _wish(page: _Page, seen: str) -> AttestWish:
    [site] = list_export_sites(frozenset([page.site_id]))
    return AttestWish(site, page.asked.period.first, page.asked.period.last, seen)


def _session(request: HttpRequest) -> str:
    return hashlib.sha256((request.session.session_key or "").encode()).hexdigest()


def _keys(person: User) -> list[tuple[int, str]]:
    return [(key.id, key.name) for key in passkeys_of(person)]


def _try(
    request: HttpRequest,
    page: _Page,
    form: CountsForm | None,
    act: Callable[[], str | None],
    made: UUID | None = None,
) -> HttpResponse:
    """Do what attests or begins to, and lead to where it ends."""
    try:
        digest = act()
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except StaleCounts as stale:
        page.form = page.passkey_form = None
        messages.warning(request, str(stale))
        return _render(request, page, status=409)
    except (UnableToSign, UnableToAttest) as refusal:
        field = refusal.field if isinstance(refusal, UnableToSign) else ""
        if form is None:
            messages.error(request, str(refusal))
        else:
            form.refuse(field, str(refusal))
        return _render(request, page, status=422)
    if digest is None:
        return _render(request, page)
    messages.success(request, "The period is attested.")
    return redirect("review:attestation", made or (form and form.key()))


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    [site] = list_export_sites(frozenset([page.site_id]))
    period, today = page.asked.period, page.now.date()
    universe, digest = read_universe(site, period.first, period.last, page.now)
    if page.may_attest and page.ceremony is None:
        _lay_out(page, digest)
    context = {
        "site_name": site.name,
        "period": period,
        "query": page.asked.query,
        "periods": offer_periods(page.asked, today),
        "sites": offer_sites(page.asked, site_names(page.seen.sites)),
        "counts": show_universe(universe),
        "statement": STATEMENT,
        "form": page.form,
        "passkey_form": page.passkey_form,
        "ceremony": page.ceremony,
        "fixed": page.fixed,
        "needs_factor": page.may_attest and not (page.form or page.passkey_form or page.ceremony),
        "made": show_attestations(list_attestations(page.seen.sites, limit=_SHOWN)),
    }
    return show(request, "attestations", context, status=status)


def _lay_out(page: _Page, seen: str) -> None:
    """Make the forms that did not come in, for what the person has set up."""
    keys = _keys(page.person)
    if page.passkey_form is None and keys:
        page.passkey_form = PasskeyAttestingForm(keys=keys, seen=seen)
    if page.form is None and has_app(page.person):
        page.form = AttestingForm(seen=seen)
