"""Pre-fills: claim up to fifty waiting runs, each with its own fence and its own transaction."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from celery import shared_task
from celery.contrib.django.task import DjangoTask

from review.actions.claims import StartedRun, claim_prefills, renew_claims
from review.actions.opening import work_on
from review.actions.prefill import UnableToPrefill, fail_prefill, store_prefill
from review.core.evaluation import judge_call
from review.queries import cascade_of
from review.tasks.beats import beat
from review.tasks.bells import ring_for_prefills

logger = logging.getLogger(__name__)

WORKER = "prefill"
AT_ONCE = 50
_RENEW_AFTER = timedelta(seconds=15)


@shared_task(name="review.prefill_waiting", base=DjangoTask, acks_late=True)
def prefill_waiting(**_: object) -> int:
    """Pre-fill the calls that wait, fifty at most, and ring again if there were any.

    Returns how many attempts were made. What fails is tried again, three times at most.
    """
    claimed = claim_prefills(most=AT_ONCE, at=_now())
    renewed_at = _now()
    for position, started in enumerate(claimed):
        _attempt(started)
        if _now() - renewed_at > _RENEW_AFTER:
            renewed_at = _now()
            renew_claims(started=claimed[position + 1 :], at=renewed_at)
    beat(_now())
    if claimed:
        ring_for_prefills()
    return len(claimed)


def _attempt(started: StartedRun) -> None:
    call_id = started.call_id
    try:
        work = work_on(call_id=call_id)
        cascade = cascade_of(started.catalog_digest)
        judged = judge_call(work.call, cascade, findings=work.findings)
        store_prefill(started=started, evaluation_id=uuid4(), judged=judged, by=WORKER, at=_now())
    except UnableToPrefill as refusal:
        logger.info("pre-fill of call %s: %s", call_id, refusal)
        return
    except Exception as error:
        # Its message may carry the words of the call; only its class is kept.
        failure = type(error).__name__
        logger.error("pre-fill of call %s, attempt %d: %s", call_id, started.attempt, failure)
    else:
        return
    # Outside the handler: what is raised here must not carry the first error as its context.
    try:
        fail_prefill(started=started, failure=failure, by=WORKER, at=_now())
    except UnableToPrefill as refusal:
        logger.info("pre-fill of call %s: %s", call_id, refusal)


def _now() -> datetime:
    return datetime.now(UTC)
