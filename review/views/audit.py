"""One signed audit: its progress, what is in it, and the file."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from oipsce_site.people.models import User
from review.actions.export_orders import UnableToExport
from review.actions.exports import fetch_export
from review.permissions import exports_seen
from review.presenters.audits import Audit, show_audit
from review.queries import worker_life
from review.queries.exports import get_export_for


@require_GET
def audit(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Show an audit and how it stands."""
    context = {"audit": _audit(request, export_id), "section": "audits"}
    return render(request, "review/audit.html", context)


@require_GET
def audit_progress(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far an audit is."""
    return render(request, "review/audit.html#progress", {"audit": _audit(request, export_id)})


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


def _audit(request: HttpRequest, export_id: UUID) -> Audit:
    found = get_export_for(exports_seen(request.user), export_id)
    if found is None:
        raise Http404
    return show_audit(found, worker_life(timezone.now()))
