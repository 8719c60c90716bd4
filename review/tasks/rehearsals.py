"""Rehearsals of catalog versions."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

from celery import shared_task
from celery.contrib.django.task import DjangoTask

from catalogs.queries import document_of_version, list_unrehearsed
from review.actions.rehearsal import store_rehearsal
from review.core.rehearsal import rehearse
from review.shipped import shipped_case

REHEARSER = "rehearsal"


@shared_task(name="review.rehearse_version", base=DjangoTask, acks_late=True)
def rehearse_version(*, version_id: str, only_if_missing: bool = False, **_: object) -> None:
    """Rehearse a stored version on the shipped case calls and store what came out.

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
        rehearsal=rehearse(document, calls=shipped_case),
        by=REHEARSER,
        at=datetime.now(UTC),
    )
