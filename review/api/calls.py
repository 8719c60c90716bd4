"""Whole calls: handed in by one request, asked for by another."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router

from oipsce_site.people.models import Scope
from review.actions.answering_once import Answered
from review.actions.attaching import NoStoredCall, attach_events_to_call
from review.actions.intake import ImportOutcome, Offer, Refused, UnableToImport
from review.actions.receipts import HandedIn, hand_in_calls
from review.api.asking import answer_json, read_body, read_text, serve_once
from review.api.door import ClientKey, client_of
from review.api.problems import Problem, not_there
from review.api.schemas import EVENTS, CallOut, HandedInOut, ProblemOut, StandingOut, takes
from review.core.parsers import FORMATS, ParseResult, findings_by_call, parse_calls
from review.core.transcript import MAX_BYTES
from review.presenters.api_answers import show_findings, show_standing
from review.queries.api_calls import get_standing
from review.tasks.bells import ring_for_prefills

router = Router(tags=["calls"])

REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429, 500, 503), ProblemOut)
#: A body may hold many calls, but is served while its client waits.
MOST_CALLS = 500
MOST_PART = 2_000_000


@router.post(
    "",
    auth=ClientKey(Scope.WRITE_CALLS),
    response={200: HandedInOut, 201: HandedInOut, **REFUSALS},
    url_name="calls",
    operation_id="create_calls",
    summary="Hand calls in",
    openapi_extra=takes({}, "application/json", "text/plain"),
)
def create_calls(
    request: HttpRequest,
    format: Annotated[str, Query(description="overrules what the content says")] = "",
    name: Annotated[
        str, Query(max_length=200, description="the file's name, where the format has no id")
    ] = "",
) -> HttpResponse:
    """Take whole calls in, of any format that is read here (docs/call-format.md), 20 MB at most.

    Sent again, the same bytes change nothing; other bytes under a known id are refused (409).
    """
    data = read_body(request, MAX_BYTES)
    if format and format not in FORMATS:
        known = ", ".join(FORMATS)
        raise Problem(422, "unknown_format", f"The format is none of {known}.")
    result = parse_calls(data, name=name or _name_of(data), format=format or None)
    if len(result.calls) > MOST_CALLS:
        sentence = f"The body holds more than {MOST_CALLS} calls. Send fewer at a time."
        raise Problem(413, "too_many_calls", sentence)

    def serve() -> Answered:
        return _hand_in(request, result)

    return serve_once(request, data, serve)


@router.post(
    "/{uuid:call_id}/events",
    auth=ClientKey(Scope.WRITE_CALLS),
    response={200: CallOut, **REFUSALS},
    url_name="call_events",
    operation_id="attach_call_events",
    summary="Attach events to a stored call",
    openapi_extra=takes(EVENTS),
)
def attach_call_events(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Attach tool or screen events to a call that was handed in and that nobody has read yet.

    Sent again, the same events change nothing; a call that is being filled, was read or is signed
    takes none (409).
    """
    part = read_text(request, MOST_PART)

    def serve() -> Answered:
        try:
            attached = attach_events_to_call(
                call_id=call_id,
                run_id=uuid4(),
                part=part,
                by=client_of(request),
                at=timezone.now(),
            )
        except NoStoredCall:
            raise not_there() from None
        except UnableToImport as refusal:
            raise Problem(409, "conflict", str(refusal)) from None
        ring_for_prefills()
        return Answered(200, _line(HandedIn(attached.external_id, attached.imported)))

    return serve_once(request, part.encode(), serve)


@router.get(
    "/{uuid:call_id}",
    auth=ClientKey(Scope.READ_VERDICTS),
    response={200: StandingOut, **REFUSALS},
    url_name="call",
    operation_id="get_call",
    summary="Ask for rows and verdict",
)
def get_call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Return where a call stands, with its rows and verdict: numbers, codes and sentences."""
    standing = get_standing(client_of(request).site_id, call_id)
    if standing is None:
        raise not_there()
    return answer_json(200, show_standing(standing))


def _name_of(data: bytes) -> str:
    """Name a body that has no name: a format without ids takes it as the call's."""
    return f"body-{hashlib.sha256(data).hexdigest()[:32]}"


def _hand_in(request: HttpRequest, result: ParseResult) -> Answered:
    findings = findings_by_call(result)
    offers = [
        Offer(uuid4(), uuid4(), call, tuple(findings.get(call.id, ()))) for call in result.calls
    ]
    became = hand_in_calls(offers=offers, by=client_of(request), at=timezone.now())
    lines = [_line(one) for one in became]
    lines += [_unread(place, finding.text) for place, finding in result.refused]
    if all(one["outcome"] == "refused" for one in lines):
        raise _refused(became, lines, result)
    is_new = any(one["outcome"] == ImportOutcome.CREATED.value for one in lines)
    kept = [one for found in findings.values() for one in found]
    if is_new:
        ring_for_prefills()
    body = {"format": result.format, "calls": lines, "findings": show_findings(kept)}
    return Answered(201 if is_new else 200, body)


def _line(one: HandedIn) -> dict[str, Any]:
    became = one.became
    line: dict[str, Any] = {"id": None, "external_id": one.external_id, "state": None}
    if isinstance(became, Refused):
        return {**line, "outcome": "refused", "sentence": became.sentence}
    return {
        **line,
        "id": str(became.call_id),
        "outcome": became.outcome.value,
        "state": became.state.lower(),
        "sentence": became.sentence,
    }


def _unread(place: str, sentence: str) -> dict[str, Any]:
    return {
        "id": None,
        "external_id": place,
        "outcome": "refused",
        "state": None,
        "sentence": sentence,
    }


def _refused(
    became: tuple[HandedIn, ...], lines: list[dict[str, Any]], result: ParseResult
) -> Problem:
    """Return the refusal of a body of which no call was taken."""
    refused = [finding for _, finding in result.refused]
    more = {"calls": lines, "findings": show_findings(refused)}
    if not lines:
        return Problem(422, "no_calls", "The body holds no call that can be read.", more=more)
    is_known = any(isinstance(one.became, Refused) and one.became.is_other_bytes for one in became)
    code = "other_bytes" if is_known else refused[0].code if refused else "refused"
    return Problem(409 if is_known else 422, code, lines[0]["sentence"], more=more)
