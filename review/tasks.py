"""Work for Celery: ids only, load, compute, one action call each. A task run twice is harmless."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from celery import shared_task
from celery.contrib.django.task import DjangoTask

from catalogs.queries import document_of_version
from review.actions.opening import read_for_worker
from review.actions.prefill import (
    StartedRun,
    UnableToPrefill,
    fail_prefill,
    start_prefill,
    store_prefill,
)
from review.actions.rehearsal import store_rehearsal
from review.core.evaluation import judge_call
from review.core.rehearsal import rehearse
from review.queries import cascade_of, lease_of
from review.queries.findings import findings_of
from review.shipped import shipped_case

logger = logging.getLogger(__name__)

WORKER = "prefill"
REHEARSER = "rehearsal"
_AFTER_LEASE = timedelta(seconds=1)


@shared_task(name="review.prefill_call", base=DjangoTask, acks_late=True)
def prefill_call(*, call_id: str, **_: object) -> None:
    """Pre-fill one call, if its run waits; after an error try again, three times at most.

    A run in the hands of another worker is looked at again when its lease ends: the broker hands a
    lost worker's message to the next one at once, while the lost one still holds the lease.
    """
    call = UUID(call_id)
    while (started := start_prefill(call_id=call, by=WORKER, at=_now())) is not None:
        if _attempt(call, started):
            return
    until = lease_of(call)
    if until is not None:
        prefill_call.apply_async(kwargs={"call_id": call_id}, eta=until + _AFTER_LEASE)


@shared_task(name="review.rehearse_version", base=DjangoTask, acks_late=True)
def rehearse_version(*, version_id: str, **_: object) -> None:
    """Rehearse a stored version on the shipped case calls and store what came out.

    A run again adds another report; the latest counts.
    """
    version = UUID(version_id)
    document = document_of_version(version)
    store_rehearsal(
        version_id=version,
        report_id=uuid4(),
        rehearsal=rehearse(document, calls=shipped_case),
        by=REHEARSER,
        at=_now(),
    )


def _attempt(call_id: UUID, started: StartedRun) -> bool:
    """Run one attempt; True when no further one is for this worker."""
    try:
        call = read_for_worker(call_id=call_id)
        findings = findings_of(call_id)
        judged = judge_call(call, cascade_of(started.catalog_digest), findings=findings)
        store_prefill(
            started=started,
            evaluation_id=uuid4(),
            judged=judged,
            by=WORKER,
            at=_now(),
        )
    except UnableToPrefill as refusal:
        logger.info("pre-fill of call %s: %s", call_id, refusal)
        return True
    except Exception as error:
        # Its message may carry the words of the call; only its class is kept.
        failure = type(error).__name__
        logger.error("pre-fill of call %s, attempt %d: %s", call_id, started.attempt, failure)
    else:
        return True
    # Outside the handler: what is raised here must not carry the first error as its context.
    try:
        return not fail_prefill(started=started, failure=failure, by=WORKER, at=_now())
    except UnableToPrefill as refusal:
        logger.info("pre-fill of call %s: %s", call_id, refusal)
        return True


def _now() -> datetime:
    return datetime.now(UTC)
