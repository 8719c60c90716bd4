"""The task that erases what has been kept for long enough: once a day, by any worker."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from celery import shared_task

from review.actions.erasure_list import remember_erasures
from review.actions.retaining import WORKER, UnableToRetain, run_retention
from review.queries.retention import sites_with_rules
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)


@shared_task(name="review.run_retention", base=Job, acks_late=True)
def retain(**_: object) -> int:
    """Run retention at every site with a rule; returns how many calls were erased.

    A refusal is an error line of the log, with ids and numbers and no words of a call.
    """
    erased = 0
    for site in sites_with_rules():
        try:
            done = run_retention(site=site, by=WORKER, at=datetime.now(UTC))
        except UnableToRetain as refusal:
            logger.error("retention was refused: %s", refusal)
            continue
        erased += len(done.erased)
        for sentence in done.refusals:
            logger.error("a call that is due was not erased: %s", sentence)
    remember_erasures()
    return erased
