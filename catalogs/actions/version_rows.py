"""A version's row as all actions on it take and store it: locked, checked, recorded."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from uuid import UUID

from catalogs.models import Catalog, CatalogVersion, VersionState
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record


class UnableToMove(Exception):
    """The version cannot be moved on like that; the sentence says why."""


def load_for_update(version_id: UUID) -> CatalogVersion:
    """Return a version, locked with its catalog. Raises UnableToMove where there is none."""
    found = CatalogVersion.objects.filter(pk=version_id).first()
    if found is None:
        raise UnableToMove("There is no such version.")
    # The catalog's row is the lock of all its versions, as for the overlap trigger.
    Catalog.objects.select_for_update().get(pk=found.catalog_id)
    return CatalogVersion.objects.select_for_update().get(pk=version_id)


def lock_base(version: CatalogVersion) -> None:
    """Let overlays of one base be moved on one after another, and not beside the base."""
    if version.base is not None:
        Catalog.objects.select_for_update().get(pk=version.base.catalog_id)


def check_state(version: CatalogVersion, expected: VersionState, verb: str) -> None:
    """Raise UnableToMove for a version in another state than the `verb` needs."""
    if version.state != expected:
        raise UnableToMove(
            f"The version is {VersionState(version.state).label} and only one that is "
            f"{expected.label} can be {verb}."
        )


def store_fields(version: CatalogVersion, *fields: str) -> None:
    """Store these fields of a locked version, as its next revision."""
    version.revision += 1
    version.save(update_fields=[*fields, "revision"])


def record_step(
    version: CatalogVersion, kind: str, actor: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    """Record a step of a version on its catalog's chain."""
    record(
        chain_id=version.catalog_id,
        about=About.CATALOG,
        kind=kind,
        by=actor,
        at=at,
        facts={"version_id": str(version.id), **facts},
    )


def overlap(one: CatalogVersion, two: CatalogVersion) -> bool:
    """Say whether two versions are in force on one day."""
    return one.effective_from <= (two.effective_to or date.max) and two.effective_from <= (
        one.effective_to or date.max
    )
