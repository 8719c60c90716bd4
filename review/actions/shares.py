"""How much of a site is read blind: said by its compliance officers, kept in the log."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from review.core.readings import Shares
from review.models import SiteShares
from review.permissions import check_can_set_shares


def set_reading_shares(*, site_id: UUID, shares: Shares, by: User, at: datetime) -> None:
    """Say how many of a hundred calls, safety-critical rows and signed calls are read blind.

    What was drawn before stays drawn. Raises NotAllowed, or ValueError for a share beyond 100.
    """
    if not all(0 <= share <= 100 for share in shares):
        raise ValueError(f"{shares}: a share is 0 to 100 of a hundred")
    with transaction.atomic():
        site = Site.objects.select_for_update().get(pk=site_id)
        role = check_can_set_shares(by, site)
        SiteShares.objects.update_or_create(site=site, defaults=shares._asdict())
        record(
            chain_id=site.pk,
            about=About.SITE,
            kind="reading.shares",
            by=person(by, role),
            at=at,
            facts=dict(shares._asdict()),
        )
