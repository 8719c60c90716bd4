"""Sites: opened, renamed, retired, opened again; whether they mask identifiers."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.administration.actions.acting import Acting, UnableToAdminister
from oipsce_site.people.models import Site, User


def open_site(*, site_id: UUID, slug: str, name: str, by: User | str, at: datetime) -> Site:
    """Make a site. `by` is an administrator, or the name of a command of this installation.

    Raises NotAllowed, or UnableToAdminister for a short name that is taken.
    """
    with transaction.atomic():
        acting = Acting.command(by, at) if isinstance(by, str) else Acting.administrator(by, at)
        site = Site(id=site_id, slug=slug, name=name, changed_at=at, changed_by=acting.by)
        Site.objects.bulk_create([site], ignore_conflicts=True)
        stored = Site.objects.get(slug=slug)
        if stored.id != site_id:
            raise UnableToAdminister(
                f"There is a site {slug} already; choose another short name.", field="slug"
            )
        acting.record("site.open", {"site_id": str(site_id), "slug": slug})
    return stored


def rename_site(
    *, site_id: UUID, expected_revision: int, name: str, by: User, at: datetime
) -> None:
    """Give a site another name. Raises NotAllowed, NotThere, ChangedMeanwhile."""
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        site = acting.load_site(site_id, expected_revision)
        site.name = name
        acting.store(site, "name")
        # A name has spaces, which no fact has; its digest tells which name it was.
        digest = hashlib.sha256(name.encode("utf-8")).hexdigest()
        acting.record("site.rename", {"site_id": str(site_id), "name_sha256": digest})


def retire_site(*, site_id: UUID, expected_revision: int, by: User, at: datetime) -> None:
    """Close a site to new calls and new roles; what it has stays.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister when it is retired.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        site = acting.load_site(site_id, expected_revision)
        if site.retired_at is not None:
            raise UnableToAdminister("The site is retired already.")
        site.retired_at = at
        acting.store(site, "retired_at")
        acting.record("site.retire", {"site_id": str(site_id)})


def reopen_site(*, site_id: UUID, expected_revision: int, by: User, at: datetime) -> None:
    """Open a retired site again.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister when it is open.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        site = acting.load_site(site_id, expected_revision)
        if site.retired_at is None:
            raise UnableToAdminister("The site is open already.")
        site.retired_at = None
        acting.store(site, "retired_at")
        acting.record("site.reopen", {"site_id": str(site_id)})


def mask_site(
    *, site_id: UUID, expected_revision: int, masks: bool, by: User, at: datetime
) -> None:
    """Have a site show its transcripts with identifiers masked, or as they are.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister when it does so already.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        site = acting.load_site(site_id, expected_revision)
        if site.masks_identifiers is masks:
            raise UnableToAdminister(
                "The site masks identifiers already." if masks else "The site masks none already."
            )
        site.masks_identifiers = masks
        acting.store(site, "masks_identifiers")
        acting.record("site.mask", {"site_id": str(site_id), "masks": masks})
