"""One question to one model: reserved and told to the log before a word leaves, ended once.

Between the two nothing is locked. A request that a lost worker left behind may have been paid for;
it ends as lost and is not sent again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Adjudicator
from review.actions.sealed import sealer_of
from review.core.cascade.adjudication import (
    PROMPT_VERSION,
    Answer,
    Asked,
    Caps,
    Question,
    Reason,
    estimate_tokens,
    may_be_paid,
    over_cap,
    paused_by,
    request_key,
)
from review.models import Call, ModelRequest
from review.queries.adjudication import latest_requests, places_from, spent_on

# No request lasts this long: one that is older was lost with its worker.
_LOST_AFTER = timedelta(minutes=2)


class CallErased(Exception):
    """The call was erased since its words were read for the question: nothing of it is sent."""


class StillAsked(Exception):
    """Another worker asks the same at this moment; its answer will be there later."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a site's models are asked, and which."""

    url: str
    host: str
    models: tuple[str, ...]
    phases: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sending:
    """A request that may be sent now: it is reserved, and the log has it."""

    request_id: UUID
    key: str


def endpoint_of(site_id: UUID) -> Endpoint | None:
    """Return the endpoint of a site; None where it is off."""
    found = Adjudicator.objects.filter(site_id=site_id, on_at__isnull=False).first()
    if found is None:
        return None
    models = tuple(filter(None, (found.model, found.second_model)))
    return Endpoint(found.url, found.host, models, frozenset(found.phases))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question that is to be sent: about which call, by which catalog, to whom."""

    site_id: UUID
    call_id: UUID
    catalog_digest: str
    question: Question
    asked: Asked
    model: str


def reserve_request(
    *, request_id: UUID, wanted: Wanted, by: str, at: datetime
) -> Sending | tuple[Answer, UUID | None]:
    """Reserve a question's budget, tell the log, and return that it may be sent; or, where it may
    not be or was answered before, what comes of it and the earlier request.

    The site's settings are locked: budgets count each request once, and what is switched off sends
    nothing more. Raises StillAsked, or CallErased.
    """
    with transaction.atomic():
        setting = Adjudicator.objects.select_for_update().filter(site_id=wanted.site_id).first()
        if setting is None or setting.on_at is None:
            return Answer(Reason.OFF), None
        if not Call.objects.filter(pk=wanted.call_id, erased_at=None).exists():
            raise CallErased
        key = request_key(
            wanted.question,
            site=str(wanted.site_id),
            host=setting.host,
            model=wanted.model,
            catalog=wanted.catalog_digest,
        )
        earlier = ModelRequest.objects.filter(
            site_id=wanted.site_id, key=key, may_be_paid=True
        ).first()
        if earlier is not None:
            return _kept(earlier, by, at), earlier.pk
        tokens = estimate_tokens(wanted.asked)
        refusal = _refusal(setting, wanted, tokens, at)
        if refusal is not None:
            return Answer(refusal), None
        request = ModelRequest(
            id=request_id,
            site_id=wanted.site_id,
            call_id=wanted.call_id,
            phase=wanted.question.phase.id,
            key=key,
            catalog_digest=wanted.catalog_digest,
            host=setting.host,
            model=wanted.model,
            request_digest=wanted.asked.body_digest,
            system_digest=wanted.asked.system_digest,
            prompt_version=PROMPT_VERSION,
            tokens=tokens,
            sent_at=at,
        )
        request.save(force_insert=True)
        _record(request, "adjudicator.ask", by, at, {"tokens": tokens, "turns": _turns(wanted)})
    return Sending(request_id, key)


def end_request(
    *, sending: Sending, answer: Answer, body: bytes, retries: int, by: str, at: datetime
) -> None:
    """Keep what was answered, sealed under the call's key, and what came of it; once."""
    with transaction.atomic():
        request = ModelRequest.objects.select_for_update().get(pk=sending.request_id)
        if request.ended_at is None:
            _end(request, answer, body, retries, by, at)


def _refusal(setting: Adjudicator, wanted: Wanted, tokens: int, at: datetime) -> Reason | None:
    if paused_by(latest_requests(wanted.site_id, setting.host), at) is not None:
        return Reason.PAUSED
    caps = Caps(
        setting.tokens_per_call,
        setting.tokens_per_day,
        setting.tokens_per_catalog,
        setting.cents_per_day,
        setting.cents_per_million,
    )
    spent = spent_on(wanted.site_id, wanted.call_id, wanted.catalog_digest, at)
    return Reason.BUDGET if over_cap(caps, spent, tokens) else None


def _kept(earlier: ModelRequest, by: str, at: datetime) -> Answer:
    """Return what an earlier request of the same key came to."""
    if earlier.ended_at is None:
        if at - earlier.sent_at < _LOST_AFTER:
            raise StillAsked
        _end(earlier, Answer(Reason.LOST), b"", 0, by, at)
    return Answer(Reason(earlier.reason), places_from(earlier.places), earlier.answered_model)


def _end(
    request: ModelRequest, answer: Answer, body: bytes, retries: int, by: str, at: datetime
) -> None:
    request.ended_at = at
    request.reason = answer.reason.value
    request.may_be_paid = may_be_paid(answer.reason)
    request.retries = retries
    request.answered_model = answer.model
    request.places = [list(place) for place in answer.proposals]
    if answer.tokens is not None:
        request.tokens = answer.tokens
    if body:
        request.answer_digest = hashlib.sha256(body).hexdigest()
        call = Call.objects.only("site_id", "wrapped_key", "erased_at").get(pk=request.call_id)
        # Of a call that was erased meanwhile nothing is kept.
        if call.erased_at is None:
            request.sealed_answer = sealer_of(call).seal_bytes(f"answer:{request.pk}", body)
    request.save()
    facts: dict[str, Value] = {
        "reason": request.reason,
        "answer_sha256": request.answer_digest,
        "tokens": request.tokens,
        "retries": retries,
    }
    _record(request, "adjudicator.answer", by, at, facts)


def _record(
    request: ModelRequest, kind: str, by: str, at: datetime, more: dict[str, Value]
) -> None:
    """Leave an entry with digests and names, and no word of the call or the answer."""
    facts: dict[str, Value] = {
        "request_id": str(request.pk),
        "phase": request.phase,
        "host": request.host,
        "model": request.model,
        "prompt": request.prompt_version,
        "system_sha256": request.system_digest,
        "request_sha256": request.request_digest,
        "key": request.key,
    }
    record(
        chain_id=request.call_id,
        about=About.CALL,
        kind=kind,
        by=worker(by),
        at=at,
        facts={**facts, **more},
    )


def _turns(wanted: Wanted) -> list[Value]:
    return [turn.number for turn in wanted.question.turns]
