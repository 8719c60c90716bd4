"""Shadows: read the calls that the pre-fill left to versions in shadow, beside everything else."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from celery import shared_task

from review.actions.shadows import (
    ClaimedShadow,
    claim_shadows,
    compare_shadows,
    fail_shadow,
    store_shadows,
)
from review.tasks.beats import beat
from review.tasks.bells import ring_for_shadows
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

AT_ONCE = 25
# A shadow shares its worker with pre-fills: after a while it rings again and lets them go first.
SLICE = timedelta(seconds=5)


@shared_task(name="review.shadow_waiting", base=Job, acks_late=True)
def shadow_waiting(**_: object) -> int:
    """Read the calls that wait for a shadow, for some seconds; ring again for the rest.

    Returns how many attempts were made. What fails is tried again, three times at most.
    """
    until = _now() + SLICE
    attempts = 0
    while claimed := claim_shadows(most=AT_ONCE, at=_now()):
        attempts += len(claimed)
        if len(claimed) == 1 or _failure_of(claimed):
            for one in claimed:
                _attempt(one)
        beat(_now())
        if _now() > until:
            ring_for_shadows()
            break
    return attempts


def _attempt(claimed: ClaimedShadow) -> None:
    failure = _failure_of([claimed])
    if failure:
        logger.error("shadow of call %s, attempt %d: %s", claimed.call_id, claimed.attempt, failure)
        fail_shadow(claimed=claimed, failure=failure)


def _failure_of(claimed: Sequence[ClaimedShadow]) -> str:
    """Read some calls and store what came out; return the class of what went wrong, if anything.

    The message of an error may carry words of a call; only its class is kept.
    """
    try:
        store_shadows(compared=compare_shadows(claimed), at=_now())
    except Exception as error:
        return type(error).__name__
    return ""


def _now() -> datetime:
    return datetime.now(UTC)
