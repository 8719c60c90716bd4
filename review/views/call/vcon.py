"""A stored call as a file that other programs read: an unsigned vCon (docs/call-format.md)."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.actions.opening import UnableToOpen, open_for_export
from review.core.transcript.neutral import call_to_vcon
from review.core.transcript.storing import json_text
from review.permissions import NotAllowed
from review.views.call.opened import find_call


@require_GET
def call_vcon(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Hand a call out as a vCon, masked as its page masks it. Its name is our id, and no other."""
    found, now = find_call(request, call_id), timezone.now()
    try:
        call = open_for_export(call_id=call_id, by=found.person, at=now)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToOpen:
        raise Http404 from None
    written = json_text(call_to_vcon(call, created_at=now.isoformat(timespec="seconds")))
    answer = HttpResponse(written + "\n", content_type="application/vcon+json")
    answer["Content-Disposition"] = f'attachment; filename="call-{call_id}.vcon"'
    answer["Cache-Control"] = "no-store"
    return answer
