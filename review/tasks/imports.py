"""Imports: claim a waiting batch, read its files part by part, store portion after portion."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from celery import shared_task

from review.actions.batches import (
    StartedBatch,
    UnableToBatch,
    claim_batch,
    fail_batch,
    finish_batch,
    open_files,
    release_batch,
    store_portion,
)
from review.core.batches import read_portions
from review.tasks.beats import beat
from review.tasks.bells import ring_for_imports, ring_for_prefills
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "import"
# An import shares its worker with pre-fills: after a while it hands the place back and rings again.
SLICE = timedelta(seconds=60)


@shared_task(name="review.import_waiting", base=Job, acks_late=True)
def import_waiting(**_: object) -> bool:
    """Go on with the oldest batch that waits, for a minute at most; ring again for the rest.

    Returns whether one waited.
    """
    started = claim_batch(at=_now())
    if started is None:
        return False
    try:
        _go_on(started)
    except UnableToBatch as refusal:
        logger.info("import %s: %s", started.batch_id, refusal)
        return True
    except Exception as error:
        # Its message may carry words of a file; only its class is kept.
        failure = type(error).__name__
        logger.error("import %s, attempt %d: %s", started.batch_id, started.attempt, failure)
    else:
        ring_for_imports()
        return True
    # Outside the handler: what is raised here must not carry the first error as its context.
    fail_batch(started=started, failure=failure, by=WORKER, at=_now())
    ring_for_imports()
    return True


def _go_on(started: StartedBatch) -> None:
    files = [(upload.name, upload.data) for upload in open_files(started=started)]
    portions = read_portions(
        files, form=started.form, parts_done=started.parts_done, in_part=started.in_part
    )
    until: datetime | None = None
    for portion in portions:
        if until is not None and _now() > until:
            release_batch(started=started, at=_now())
            return
        # From here: each turn of this worker stores a portion, however long the reading takes.
        until = until or _now() + SLICE
        if not store_portion(started=started, portion=portion, at=_now()):
            return
        ring_for_prefills()
        beat(_now())
    finish_batch(started=started, by=WORKER, at=_now())


def _now() -> datetime:
    return datetime.now(UTC)
