"""The button that has a call read again whose pre-fill gave up."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from oipsce_site.people.models import User
from review.actions import requeue
from review.actions.refusals import UnableToMap
from review.permissions import NotAllowed
from review.queries import get_call_for
from review.tasks import ring_for_prefills


@require_POST
def read_again(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Queue the failed run again; the call's page says what became of it."""
    person = request.user
    if get_call_for(person, call_id) is None or not isinstance(person, User):
        raise Http404
    try:
        requeue.read_again(call_id=call_id, by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToMap as refusal:
        messages.warning(request, str(refusal))
        return redirect("review:call", call_id)
    ring_for_prefills()
    messages.success(request, "The call is read again; its rows come with the pre-fill.")
    return redirect("review:call", call_id)
