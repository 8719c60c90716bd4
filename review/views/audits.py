"""Signed audits: those that were asked for, and the form that asks for one."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from review.actions.export_orders import UnableToExport
from review.actions.exports import Wish, request_export
from review.forms.audits import AuditForm, profile_of
from review.permissions import (
    NotAllowed,
    exports_from,
    exports_seen,
)
from review.presenters.audits import show_audit
from review.queries import worker_life
from review.queries.exports import list_export_sites, list_exports, list_judging_catalogs
from review.tasks import ring_for_exports


@require_http_methods(["GET", "HEAD", "POST"])
def audits(request: HttpRequest) -> HttpResponse:
    """Show the audits; a form that comes in is a new one, or comes back with its faults."""
    person = request.user
    seen = exports_seen(person)
    if not isinstance(person, User) or not seen:
        raise Http404
    sites = list_export_sites(exports_from(person))
    if request.method != "POST":
        return _page(request, AuditForm(sites=sites, catalogs=list_judging_catalogs(seen)), seen)
    if not sites:
        raise PermissionDenied(say_who(Act.EXPORT_AUDITS))
    form = AuditForm(request.POST, sites=sites, catalogs=list_judging_catalogs(seen))
    if not form.is_valid():
        return _page(request, form, seen, status=422)
    said = form.cleaned_data
    export_id = uuid4()
    try:
        request_export(
            export_id=export_id,
            site=said["site"],
            wish=Wish(
                profile=profile_of(said["profile"]),
                **{name: said[name] for name in said if name not in ("site", "profile")},
            ),
            by=person,
            at=timezone.now(),
        )
    except (UnableToExport, NotAllowed) as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, seen, status=422)
    ring_for_exports()
    return redirect("review:audit", export_id)


def _page(
    request: HttpRequest, form: AuditForm, sites: frozenset[UUID], status: int = 200
) -> HttpResponse:
    worker = worker_life(timezone.now())
    shown = [show_audit(one, worker) for one in list_exports(sites)]
    context = {"audits": shown, "form": form, "section": "audits"}
    return render(request, "review/audits.html", context, status=status)
