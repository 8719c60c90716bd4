"""Running calls: opened, told part by part with the live state back, ended."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from oipsce_site.people.models import Scope
from review.actions.answering_once import Answered
from review.actions.running import (
    Told,
    append_to_running_call,
    look_at_running_call,
    open_running_call,
)
from review.actions.running_ends import end_running_call
from review.actions.running_rows import NoRunningCall, read_object
from review.api.asking import answer_json, read_text, serve_once
from review.api.calls import REFUSALS
from review.api.door import ClientKey, client_of
from review.api.problems import not_there
from review.api.schemas import END, EVENTS, HEAD, PART, CallOut, RunningOut, takes
from review.presenters.api_answers import show_running
from review.tasks.bells import ring_for_prefills, ring_for_webhooks

router = Router(tags=["running calls"])

MOST_BYTES = 2_000_000
_WRITES = ClientKey(Scope.WRITE_CALLS)


@router.post(
    "",
    auth=_WRITES,
    response={200: RunningOut, 201: RunningOut, **REFUSALS},
    url_name="running_calls",
    operation_id="open_running_call",
    summary="Open a call that is about to run",
    openapi_extra=takes(HEAD),
)
def open_call(request: HttpRequest) -> HttpResponse:
    """Open a call: what its file would say of it, with or without first turns."""
    head = read_text(request, MOST_BYTES)

    def serve() -> Answered:
        told = open_running_call(
            call_id=uuid4(), head=head, by=client_of(request), at=timezone.now()
        )
        return _answered(told, 201 if told.is_new else 200)

    return serve_once(request, head.encode(), serve)


@router.post(
    "/{uuid:call_id}/turns",
    auth=_WRITES,
    response={200: RunningOut, **REFUSALS},
    url_name="running_turns",
    operation_id="append_turns",
    summary="Tell more turns",
    openapi_extra=takes(PART),
)
def append_turns(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Tell turns that were just said, with events where there were any; the live state comes back.

    With `after`, a part that does not follow the last turn is refused (409) and nothing is taken.
    """
    return _append(request, call_id)


@router.post(
    "/{uuid:call_id}/events",
    auth=_WRITES,
    response={200: RunningOut, **REFUSALS},
    url_name="running_events",
    operation_id="attach_events",
    summary="Attach events",
    openapi_extra=takes(EVENTS),
)
def attach_events(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Attach tool or screen events, at a turn of the call or at a time; the state comes back."""
    return _append(request, call_id)


@router.post(
    "/{uuid:call_id}/end",
    auth=_WRITES,
    response={200: CallOut, **REFUSALS},
    url_name="running_end",
    operation_id="end_running_call",
    summary="End a call",
    openapi_extra=takes(END),
)
def end_call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """End a call: it is taken in under the same id, read once more as a whole, and reviewed."""
    text = read_text(request, MOST_BYTES)

    def serve() -> Answered:
        is_cut = read_object(text).get("ended", True) is None
        found = end_running_call(
            call_id=call_id,
            run_id=uuid4(),
            ended=None if is_cut else True,
            by=client_of(request),
            at=timezone.now(),
        )
        ring_for_prefills()
        body = {
            "id": str(found.imported.call_id),
            "external_id": found.external_id,
            "outcome": found.imported.outcome.value,
            "state": found.imported.state.lower(),
            "sentence": found.imported.sentence,
        }
        return Answered(200, body)

    return serve_once(request, text.encode(), serve)


@router.get(
    "/{uuid:call_id}",
    auth=ClientKey(Scope.WRITE_CALLS, Scope.READ_VERDICTS),
    response={200: RunningOut, **REFUSALS},
    url_name="running_call",
    operation_id="get_running_call",
    summary="Ask for the live state",
)
def get_running_call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Return a running call as it stands; one that has ended says so, and is a call by its id."""
    try:
        told = look_at_running_call(call_id=call_id, client=client_of(request))
    except NoRunningCall:
        raise not_there() from None
    return answer_json(200, _shown(told))


def _append(request: HttpRequest, call_id: UUID) -> HttpResponse:
    part = read_text(request, MOST_BYTES)

    def serve() -> Answered:
        told = append_to_running_call(
            call_id=call_id, part=part, by=client_of(request), at=timezone.now()
        )
        return _answered(told, 200)

    return serve_once(request, part.encode(), serve)


def _answered(told: Told, status: int) -> Answered:
    if told.alerts:
        ring_for_webhooks()
    return Answered(status, _shown(told))


def _shown(told: Told) -> dict[str, Any]:
    return show_running(told.standing, told.findings)
