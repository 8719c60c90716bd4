"""The page of one call. It shows words of the call, so opening it leaves an entry in the log."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from oipsce_site.people.models import Site, User
from review.actions.opening import UnableToOpen, open_transcript
from review.core.lifecycle import CallState
from review.permissions import can_map
from review.presenters.call_page import show_call
from review.presenters.standing import show_mapping_door, show_standing
from review.queries import StoredCall, WorkerLife, get_call_for, worker_life


@require_GET
def call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show a call of the person's sites; what is not theirs is not there."""
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    try:
        opened = open_transcript(call_id=call_id, by=person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    page = show_call(
        opened,
        show_standing(stored, _awaited_worker(stored)),
        report=stored.report,
        document=stored.document,
        findings=stored.findings,
    )
    mapping = show_mapping_door(stored) if can_map(person, Site(pk=stored.site_id)) else None
    context = {"page": page, "section": "calls", "call_id": call_id, "mapping": mapping}
    return render(request, "review/call.html", context)


def _awaited_worker(stored: StoredCall) -> WorkerLife | None:
    is_awaited = stored.line.state == CallState.PREFILLING.value
    return worker_life(timezone.now()) if is_awaited else None
