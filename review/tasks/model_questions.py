"""One question to a site's models, whoever asks it: budgets, kept answers, pause, switch and log
are the same for a row that waits and for a check.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import sleep
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

from django.conf import settings

from oipsce_site.people.adjudicators import allowed_endpoints
from review.actions.model_requests import (
    Endpoint,
    Sending,
    Wanted,
    end_request,
    reserve_request,
)
from review.actions.opening import work_on
from review.adapters.models import Heard, Limits, ask_model
from review.core.cascade.adjudication import (
    Answer,
    Question,
    Reason,
    agree,
    is_suspect,
    questions_of,
    read_reply,
    retry_wait,
    write_request,
)
from review.core.evaluation import judge_call
from review.core.masking import masker_of
from review.queries import cascade_of


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, about which call of which site, and the digest of the catalog that judges it."""

    site_id: UUID
    call_id: UUID
    catalog_digest: str
    worker: str


class Replied(NamedTuple):
    """What came of a question: the answer, who was asked, the names of who answered ("" where one
    did not), the requests, and whether all of it was kept from before.
    """

    answer: Answer
    models: tuple[str, ...]
    answered: str = ""
    requests: tuple[UUID, ...] = ()
    is_kept: bool = False


def open_questions(call_id: UUID, catalog_digest: str, endpoint: Endpoint) -> tuple[Question, ...]:
    """Return what the patterns leave open of a call, masked, on the phases that a site names.

    Raises Call.DoesNotExist, SealBroken or SealingKeyError.
    """
    work = work_on(call_id=call_id)
    cascade = cascade_of(catalog_digest)
    filled = judge_call(work.call, cascade, findings=work.findings).filled
    flagged = {phase for phase, flags in filled.flags.items() if flags}
    masked = masker_of(work.call).call(work.call)
    return questions_of(masked, cascade.document, filled.rows, flagged, endpoint.phases)


def ask_models(
    asker: Asker,
    endpoint: Endpoint,
    question: Question,
    models: Sequence[str],
    *,
    may_be_suspect: bool = False,
) -> Replied:
    """Ask one model, or two that must agree about a row at a critical edge.

    What reads like an instruction is not sent, unless it was put there on purpose. Raises
    StillAsked, or CallErased.
    """
    if is_suspect(question) and not may_be_suspect:
        return Replied(Answer(Reason.INJECTION), tuple(models[:1]))
    if question.is_critical and len(models) < 2:
        return Replied(Answer(Reason.ONE_MODEL), tuple(models))
    asked = [_ask(asker, endpoint, question, model) for model in models]
    answer = asked[0][0] if len(asked) == 1 else agree(asked[0][0], asked[1][0])
    named = [_name(one[0], model) for one, model in zip(asked, models, strict=True)]
    return Replied(
        answer,
        tuple(models),
        ",".join(named) if all(named) else "",
        tuple(request for _, request, _ in asked if request is not None),
        all(kept for *_, kept in asked),
    )


#: What a model itself has said; who says no name goes by the one that was asked for.
_ANSWERED = frozenset(
    {
        *(Reason.PROPOSED, Reason.NO_SPAN, Reason.CANNOT_TELL, Reason.SCHEMA, Reason.COUNT),
        *(Reason.WRONG_TURN, Reason.WRONG_SPEAKER, Reason.QUOTE),
    }
)


def _name(answer: Answer, model: str) -> str:
    return answer.model or (model if answer.reason in _ANSWERED else "")


def _ask(
    asker: Asker, endpoint: Endpoint, question: Question, model: str
) -> tuple[Answer, UUID | None, bool]:
    """Return what a model answers, in which request, and whether it had answered before."""
    asked = write_request(question, model=model, nonce=secrets.token_hex(8))
    wanted = Wanted(asker.site_id, asker.call_id, asker.catalog_digest, question, asked, model)
    reserved = reserve_request(request_id=uuid4(), wanted=wanted, by=asker.worker, at=_now())
    if not isinstance(reserved, Sending):
        answer, earlier = reserved
        return answer, earlier, earlier is not None
    heard, retries = _sent(lambda: _send(endpoint, asked.body, reserved))
    answer = (
        read_reply(heard.body, question, model=model)
        if heard.reason is None
        else Answer(heard.reason)
    )
    end_request(
        sending=reserved,
        answer=answer,
        body=heard.body,
        retries=retries,
        by=asker.worker,
        at=_now(),
    )
    return answer, reserved.request_id, False


def _sent(send: Callable[[], Heard]) -> tuple[Heard, int]:
    """Send once, and again where that was surely not paid for."""
    retries = 0
    while True:
        heard = send()
        jitter = secrets.randbelow(1000) / 1000
        wait = None if heard.reason is None else retry_wait(heard.reason, retries, jitter)
        if wait is None:
            return heard, retries
        sleep(wait)
        retries += 1


def _send(endpoint: Endpoint, body: bytes, sending: Sending) -> Heard:
    return ask_model(
        _completions(endpoint.url),
        body,
        key=settings.ADJUDICATOR_KEY,
        once=sending.key,
        allowed=allowed_endpoints(),
        limits=Limits(*settings.ADJUDICATOR_SECONDS),
    )


def _completions(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions"))


def _now() -> datetime:
    return datetime.now(UTC)
