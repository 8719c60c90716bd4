"""One signed audit: a second person's answer, its progress, the file, and who fetched it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.export_orders import UnableToExport
from review.actions.exports import approve_export, decline_export, fetch_export
from review.permissions import (
    NotAllowed,
    exports_from,
    exports_seen,
)
from review.presenters.audits import Audit, show_audit
from review.queries import worker_life
from review.queries.exports import get_export_for, list_fetches
from review.tasks import ring_for_exports


@require_GET
def audit(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Show an audit and how it stands."""
    return _page(request, export_id)


@require_GET
def audit_progress(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far an audit is."""
    return render(request, "review/audit.html#progress", {"audit": _audit(request, export_id)})


@require_POST
def audit_approve(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Take a second person's approval, and have the audit built."""
    return _answer(request, export_id, approve_export)


@require_POST
def audit_decline(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Take a refusal; no file is made."""
    return _answer(request, export_id, decline_export)


@require_GET
def audit_file(request: HttpRequest, export_id: UUID) -> StreamingHttpResponse:
    """Send the file, once the decision log has it who fetches it."""
    person = request.user
    found = get_export_for(exports_seen(person), export_id)
    if found is None or not isinstance(person, User):
        raise Http404
    try:
        pieces = fetch_export(export_id=export_id, by=person, at=timezone.now())
    except UnableToExport as refusal:
        raise Http404 from refusal
    answer = StreamingHttpResponse(pieces, content_type="application/zip")
    answer["Content-Length"] = str(found.size)
    answer["Content-Disposition"] = f'attachment; filename="audit-{export_id}.oipaudit.zip"'
    return answer


def _answer(request: HttpRequest, export_id: UUID, answer: Callable[..., None]) -> HttpResponse:
    person = request.user
    if not isinstance(person, User) or get_export_for(exports_seen(person), export_id) is None:
        raise Http404
    try:
        answer(export_id=export_id, by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToExport as refusal:
        return _page(request, export_id, refused=str(refusal), status=409)
    ring_for_exports()
    return redirect("review:audit", export_id)


def _page(
    request: HttpRequest, export_id: UUID, *, refused: str = "", status: int = 200
) -> HttpResponse:
    shown = _audit(request, export_id)
    may_answer = shown.is_asked and shown.site_id in exports_from(request.user)
    context = {
        "audit": shown,
        "fetches": list_fetches(export_id) if shown.is_done else [],
        "may_answer": may_answer,
        "is_own": shown.asked_by == request.user.pk,
        "refused": refused,
        "section": "audits",
    }
    return render(request, "review/audit.html", context, status=status)


def _audit(request: HttpRequest, export_id: UUID) -> Audit:
    found = get_export_for(exports_seen(request.user), export_id)
    if found is None:
        raise Http404
    return show_audit(found, worker_life(timezone.now()))
