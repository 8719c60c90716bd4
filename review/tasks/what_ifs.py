"""What-ifs: take portion after portion, beside other workers, and hand the place back in time."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from celery import shared_task

from review.actions.what_if_work import (
    ClaimedPortion,
    LostPortion,
    claim_portion,
    compare_portion,
    fail_portion,
    give_up_what_ifs,
    store_compared,
)
from review.tasks.beats import beat
from review.tasks.bells import ring_for_what_ifs
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "what_if"
# A what-if shares its worker with pre-fills: after a while it rings again and lets them go first.
SLICE = timedelta(seconds=5)


@shared_task(name="review.what_if_waiting", base=Job, acks_late=True)
def what_if_waiting(**_: object) -> int:
    """Work at the portions that wait, for some seconds; ring again for the rest.

    Returns how many attempts were made. What fails is tried again, three times at most.
    """
    give_up_what_ifs(by=WORKER, at=_now())
    until = _now() + SLICE
    attempts = 0
    while (claimed := claim_portion(at=_now())) is not None:
        attempts += 1
        _attempt(claimed)
        beat(_now())
        if _now() > until:
            ring_for_what_ifs()
            break
    return attempts


def _attempt(claimed: ClaimedPortion) -> None:
    what_if = claimed.what_if_id
    try:
        compared = compare_portion(claimed)
        store_compared(claimed=claimed, compared=compared, by=WORKER, at=_now())
    except LostPortion:
        logger.info("what-if %s: another worker has the portion", what_if)
        return
    except Exception as error:
        # Its message may carry words of a call; only its class is kept.
        failure = type(error).__name__
        logger.error("what-if %s, attempt %d: %s", what_if, claimed.attempt, failure)
    else:
        return
    # Outside the handler: what is raised here must not carry the first error as its context.
    fail_portion(claimed=claimed, failure=failure, by=WORKER, at=_now())


def _now() -> datetime:
    return datetime.now(UTC)
