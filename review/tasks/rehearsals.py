"""Rehearsals of catalog versions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from celery import shared_task
from django.utils import timezone

from catalogs.queries import document_of_version, list_unrehearsed
from catalogs.queries.overlays import load_text
from review.actions.draft_rehearsals import (
    ClaimedOrder,
    claim_order,
    finish_rehearsal,
    note_progress,
)
from review.actions.past_calls import past_call
from review.actions.rehearsal import store_rehearsal
from review.core.rehearsal import rehearse
from review.shipped import shipped_case
from review.tasks.jobs import Job

REHEARSER = "rehearsal"
# A note a second is as often as anybody looks.
_NOTES_APART = timedelta(seconds=1)


@shared_task(name="review.rehearse_version", base=Job, acks_late=True)
def rehearse_version(*, version_id: str, only_if_missing: bool = False, **_: object) -> None:
    """Rehearse a stored version on the calls of its tests and store what came out.

    A run again adds another report; the latest counts. `only_if_missing` is the sweep's, which may
    ring more than once before the first of its bells is heard.
    """
    version = UUID(version_id)
    if only_if_missing and version not in list_unrehearsed():
        return
    document = document_of_version(version)
    store_rehearsal(
        version_id=version,
        report_id=uuid4(),
        rehearsal=rehearse(document, calls=shipped_case, stored=past_call),
        by=REHEARSER,
        at=datetime.now(UTC),
    )


@shared_task(name="review.rehearse_drafts", base=Job, acks_late=True)
def rehearse_drafts(**_: object) -> None:
    """Rehearse the drafts that somebody asked for, one after another, until none waits."""
    while (claimed := claim_order(at=datetime.now(UTC))) is not None:
        _rehearse(claimed)


def _rehearse(claimed: ClaimedOrder) -> None:
    noted = datetime.now(UTC)

    def tell(done: int, total: int) -> None:
        nonlocal noted
        now = datetime.now(UTC)
        if now - noted >= _NOTES_APART or done == total:
            noted = now
            note_progress(claimed=claimed, done=done, total=total, at=now)

    loaded, _ = load_text(claimed.source, timezone.localdate(noted))
    document = loaded.document
    if document is None:
        # It could be read when it was asked for: this release reads otherwise.
        raise ValueError("the text of a rehearsal cannot be read as a catalog")
    finish_rehearsal(
        claimed=claimed,
        report_id=uuid4(),
        rehearsal=rehearse(document, calls=shipped_case, stored=past_call, tell=tell),
        by=REHEARSER,
        at=datetime.now(UTC),
    )
