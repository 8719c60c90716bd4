"""The adjudicator's task: after the pre-fill and beside it, one call after the other.

A call's questions are put one by one; whatever goes wrong with one, its row stays open and flagged
and the others go on.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import sleep
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

from celery import shared_task
from django.conf import settings

from oipsce_site.people.adjudicators import allowed_endpoints
from review.actions.askings import (
    StartedAsking,
    Suggested,
    add_suggestion,
    claim_asking,
    end_asking,
    give_up_askings,
)
from review.actions.model_requests import (
    Endpoint,
    Sending,
    StillAsked,
    Wanted,
    end_request,
    endpoint_of,
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
from review.queries.adjudication import suggested_phases
from review.tasks.bells import ring_for_adjudications
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "adjudicator"
# An adjudicator shares its worker with pre-fills: after a while it rings again and lets them go.
SLICE = timedelta(seconds=5)


@shared_task(name="review.adjudicate_waiting", base=Job, acks_late=True)
def adjudicate_waiting(**_: object) -> int:
    """Ask about the open rows of calls that wait, for some seconds; ring again for the rest.

    Returns how many calls were looked at. Nothing happens, and nothing is connected to, unless a
    site has turned it on.
    """
    give_up_askings(at=_now())
    until = _now() + SLICE
    looked = 0
    while (started := claim_asking(at=_now())) is not None:
        looked += 1
        _attempt(started)
        if _now() > until:
            ring_for_adjudications()
            break
    return looked


def _attempt(started: StartedAsking) -> None:
    try:
        is_done = _ask_about(started)
    except Exception as error:
        # Its message may carry words of the call; only its class is kept.
        name = type(error).__name__
        logger.error("adjudicator, call %s, attempt %d: %s", started.call_id, started.attempt, name)
        is_done = False
    if is_done or started.is_last:
        end_asking(started=started, at=_now())


def _ask_about(started: StartedAsking) -> bool:
    """Ask what is to be asked about a call; return whether nothing is left."""
    endpoint = endpoint_of(started.site_id)
    if endpoint is None:
        return True
    is_done = True
    suggested = suggested_phases(started.run_id)
    for question in _questions(started, endpoint):
        if question.phase.id not in suggested:
            is_done = _settle(started, endpoint, question) and is_done
    return is_done


def _questions(started: StartedAsking, endpoint: Endpoint) -> tuple[Question, ...]:
    work = work_on(call_id=started.call_id)
    cascade = cascade_of(started.catalog_digest)
    filled = judge_call(work.call, cascade, findings=work.findings).filled
    flagged = {phase for phase, flags in filled.flags.items() if flags}
    masked = masker_of(work.call).call(work.call)
    return questions_of(masked, cascade.document, filled.rows, flagged, endpoint.phases)


def _settle(started: StartedAsking, endpoint: Endpoint, question: Question) -> bool:
    try:
        found = _found(started, endpoint, question)
    except StillAsked:
        if not started.is_last:
            return False
        found = Suggested(question.phase.id, Answer(Reason.LOST), endpoint.models[0])
    add_suggestion(started=started, found=found, by=WORKER, at=_now())
    return True


def _found(started: StartedAsking, endpoint: Endpoint, question: Question) -> Suggested:
    """Ask one model, or two that must agree about a row at a critical edge."""
    phase = question.phase.id
    if is_suspect(question):
        return Suggested(phase, Answer(Reason.INJECTION), endpoint.models[0])
    models = endpoint.models if question.is_critical else endpoint.models[:1]
    if question.is_critical and len(models) < 2:
        return Suggested(phase, Answer(Reason.ONE_MODEL), models[0])
    asked = [_ask(started, endpoint, question, model) for model in models]
    answer = asked[0][0] if len(asked) == 1 else agree(asked[0][0], asked[1][0])
    return Suggested(
        phase,
        answer,
        ",".join(models),
        [request for _, request, _ in asked if request is not None],
        all(kept for *_, kept in asked),
    )


def _ask(
    started: StartedAsking, endpoint: Endpoint, question: Question, model: str
) -> tuple[Answer, UUID | None, bool]:
    """Return what a model answers, in which request, and whether it had answered before."""
    asked = write_request(question, model=model, nonce=secrets.token_hex(8))
    wanted = Wanted(
        started.site_id, started.call_id, started.catalog_digest, question, asked, model
    )
    reserved = reserve_request(request_id=uuid4(), wanted=wanted, by=WORKER, at=_now())
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
        sending=reserved, answer=answer, body=heard.body, retries=retries, by=WORKER, at=_now()
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
