"""Disputes of signed calls: the list, and the page on which one is filed."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from oipsce_site.people.models import Site, User
from review.actions.disputing import DisputeWish, UnableToDispute, file_dispute
from review.core.lifecycle import CallState
from review.forms.disputes import DisputeForm
from review.oversight_permissions import (
    Disputing,
    check_can_dispute,
    disputing_at,
)
from review.permissions import NotAllowed
from review.presenters.compliance.disputes import PAGE_SIZE, read_disputes_asked, show_disputes
from review.presenters.signatures import show_signatures
from review.queries import StoredCall, get_call_for
from review.queries.disputes import list_disputes, phases_to_dispute, waiting_dispute
from review.queries.oversight import site_names
from review.views.compliance.overseeing import show


@require_GET
def disputes(request: HttpRequest) -> HttpResponse:
    """Show the disputes of the sites whose calls the person reads."""
    seen = disputing_at(request.user)
    if not seen.sites:
        raise Http404
    sites, at = site_names(seen.sites), timezone.now()
    asked = read_disputes_asked(request.GET.dict(), sites)
    found = list_disputes(request.user, seen.sites, asked.wanted, at=at, limit=PAGE_SIZE)
    context = {"page": show_disputes(found, asked, sites, at), "days": settings.DISPUTE_DAYS}
    return show(request, "disputes", context, tabs=seen.oversees)


@require_http_methods(["GET", "HEAD", "POST"])
def dispute_file(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show what is signed of a call and the form that disputes it; a form that comes in does."""
    person, stored, seen = _find(request, call_id)
    phases = phases_to_dispute(call_id)
    if request.method != "POST":
        form = DisputeForm(phases=phases, phase=request.GET.get("phase", ""))
        return _page(request, stored, seen, form)
    form = DisputeForm(request.POST, phases=phases)
    if not form.is_valid():
        return _page(request, stored, seen, form, status=422)
    phase, result = form.meant()
    try:
        file_dispute(
            dispute_id=form.key(),
            call_id=call_id,
            wish=DisputeWish(form.kind_meant(), phase, result, form.cleaned_data["words"]),
            by=person,
            at=timezone.now(),
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToDispute as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _page(request, stored, seen, form, status=422)
    messages.success(request, "The dispute is filed. Who neither signed nor filed it answers.")
    return redirect("review:dispute", form.key())


def _find(request: HttpRequest, call_id: UUID) -> tuple[User, StoredCall, Disputing]:
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    try:
        check_can_dispute(person, Site(pk=stored.site_id))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return person, stored, disputing_at(person)


def _page(
    request: HttpRequest,
    stored: StoredCall,
    seen: Disputing,
    form: DisputeForm,
    *,
    status: int = 200,
) -> HttpResponse:
    standing = [one for one in stored.signatures if one.void_at is None]
    is_signed = bool(standing) and stored.line.state == CallState.SIGNED.value
    context = {
        "call_id": stored.line.id,
        "line": stored.line,
        "form": form,
        "is_signed": is_signed,
        "signatures": show_signatures(standing),
        "waiting": waiting_dispute(stored.line.id),
        "days": settings.DISPUTE_DAYS,
    }
    return show(request, "dispute_file", context, status=status, tab="disputes", tabs=seen.oversees)
