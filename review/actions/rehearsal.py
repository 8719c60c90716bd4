"""Storing what a rehearsal said of a catalog version; publishing asks for one that is green."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.models import CatalogVersion, RehearsalReport
from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from review.core.rehearsal import Rehearsal, rehearsal_to_json


class UnableToStoreRehearsal(Exception):
    """The rehearsal is not of this version's text; the sentence says so."""


def store_rehearsal(
    *, version_id: UUID, report_id: UUID, rehearsal: Rehearsal, by: str, at: datetime
) -> UUID:
    """Keep a rehearsal of exactly a version's text and return its id. `by` is the worker's name.

    Raises UnableToStoreRehearsal for a version that is not there or has another digest.
    """
    with transaction.atomic():
        version = CatalogVersion.objects.select_for_update().filter(pk=version_id).first()
        if version is None:
            raise UnableToStoreRehearsal("There is no such version.")
        if version.digest != rehearsal.digest:
            raise UnableToStoreRehearsal("The rehearsal is of another text than this version's.")
        RehearsalReport.objects.create(
            id=report_id,
            document_digest=version.digest,
            engine=rehearsal.engine,
            result=rehearsal_to_json(rehearsal),
            is_green=rehearsal.green,
            made_at=at,
        )
        record(
            chain_id=version.catalog_id,
            about=About.CATALOG,
            kind="rehearsal.store",
            by=worker(by),
            at=at,
            facts={
                "version_id": str(version.id),
                "digest": version.digest,
                "report_id": str(report_id),
                "green": rehearsal.green,
                "engine": rehearsal.engine,
                **rehearsal.counts,
            },
        )
    return report_id
