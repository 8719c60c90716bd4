"""Pre-fills: claim up to fifty waiting runs, and store them some at a time (docs/adr/0014)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from celery import shared_task

from catalogs.queries.documents import Shadow, shadows_now
from review.actions.claims import StartedRun, claim_prefills, renew_claims
from review.actions.opening import work_on, work_on_all
from review.actions.prefill import (
    Filled,
    UnableToPrefill,
    fail_prefill,
    store_prefill,
    store_prefills,
)
from review.core.evaluation import judge_call
from review.queries import cascade_of
from review.tasks.beats import beat
from review.tasks.bells import ring_for_prefills, ring_for_shadows, ring_for_webhooks
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "prefill"
AT_ONCE = 50
# One transaction each: what it costs to wait for the disk is shared, and few calls are locked.
TOGETHER = 25
_RENEW_AFTER = timedelta(seconds=15)


@shared_task(name="review.prefill_waiting", base=Job, acks_late=True)
def prefill_waiting(**_: object) -> int:
    """Pre-fill the calls that wait, fifty at most, and ring again if there were any.

    Returns how many attempts were made. What fails is tried again, three times at most.
    """
    claimed = claim_prefills(most=AT_ONCE, at=_now())
    shadows = shadows_now() if claimed else {}
    renewed_at = _now()
    for first in range(0, len(claimed), TOGETHER):
        _attempt_all(claimed[first : first + TOGETHER], shadows)
        if _now() - renewed_at > _RENEW_AFTER:
            renewed_at = _now()
            renew_claims(started=claimed[first + TOGETHER :], at=renewed_at)
    beat(_now())
    if claimed:
        ring_for_prefills()
    if shadows:
        ring_for_shadows()
    return len(claimed)


def _attempt_all(started: Sequence[StartedRun], shadows: Mapping[str, Shadow]) -> None:
    """Fill some calls and store them at once; where one of them fails, fill each alone."""
    if len(started) > 1 and _are_stored_together(started, shadows):
        return
    for one in started:
        _attempt(one, shadows)


def _are_stored_together(started: Sequence[StartedRun], shadows: Mapping[str, Shadow]) -> bool:
    try:
        if store_prefills(filled=_judge(started), by=WORKER, at=_now(), shadows=shadows):
            ring_for_webhooks()
    except Exception as error:
        # Which call it was, and what is to be done, comes out when each is tried alone.
        logger.info("%d pre-fills together: %s", len(started), type(error).__name__)
        return False
    return True


def _judge(started: Sequence[StartedRun]) -> list[Filled]:
    works = work_on_all(call_ids=[one.call_id for one in started])
    filled = []
    for one in started:
        work = works[one.call_id]
        cascade = cascade_of(one.catalog_digest)
        filled.append(Filled(one, uuid4(), judge_call(work.call, cascade, findings=work.findings)))
    return filled


def _attempt(started: StartedRun, shadows: Mapping[str, Shadow]) -> None:
    call_id = started.call_id
    try:
        work = work_on(call_id=call_id)
        cascade = cascade_of(started.catalog_digest)
        judged = judge_call(work.call, cascade, findings=work.findings)
        store_prefill(
            started=started,
            evaluation_id=uuid4(),
            judged=judged,
            by=WORKER,
            at=_now(),
            shadows=shadows,
        )
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
