"""The rows of trials as all actions store them, and what a version that decides ends."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID, uuid5

from catalogs.actions.gates import deciding_beside
from catalogs.actions.version_rows import record_step, store_fields
from catalogs.core.document.trials import Trial
from catalogs.models import CatalogVersion, VersionTrial
from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import User


def begin_trial(version: CatalogVersion, trial: Trial, approver: User, at: datetime) -> None:
    """Store that a locked version is on trial from now on. The caller has checked that it may."""
    number = version.trials.count() + 1
    VersionTrial.objects.create(
        id=uuid5(version.pk, f"trial:{number}"),
        catalog_id=version.catalog_id,
        version=version,
        mode=trial.mode.value,
        share=trial.share,
        first_day=trial.first_day,
        begun_by=approver,
        begun_at=at,
    )


def record_begin(version: CatalogVersion, trial: Trial, actor: Actor, at: datetime) -> None:
    """Record that a trial began."""
    facts = {
        "digest": version.digest,
        "mode": trial.mode.value,
        "share": trial.share,
        "first_day": trial.first_day.isoformat(),
    }
    record_step(version, "trial.begin", actor, at, facts)


def end_predecessor(version: CatalogVersion) -> UUID | None:
    """Set the last day of the open version that decides before this one; returns its id."""
    ended: UUID | None = None
    for other in deciding_beside(version).select_for_update():
        if other.effective_to is None and other.effective_from < version.effective_from:
            other.effective_to = version.effective_from - timedelta(days=1)
            store_fields(other, "effective_to")
            ended = other.id
    return ended
