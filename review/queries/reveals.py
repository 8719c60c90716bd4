"""Reveals of masked identifiers: which hold, and what a signer has had shown."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, QuerySet

from oipsce_site.people.models import User
from review.models import Reveal


def live_reveals(call_id: UUID | OuterRef, person: User, at: datetime) -> QuerySet[Reveal]:
    """Return the reveals of a call that hold for a person at a time."""
    return Reveal.objects.filter(
        call=call_id, by=person, at__lte=at, until__gt=at, hidden_at__isnull=True
    )


def revealed_until(call_id: UUID, person: User, at: datetime) -> datetime | None:
    """Return until when a person has the identifiers of a call shown; None where they are masked.

    One query, by an index.
    """
    live = live_reveals(call_id, person, at).order_by("-until")
    return live.values_list("until", flat=True).first()


def last_reveal(call_id: UUID, person: User) -> datetime | None:
    """Return when a person last had the identifiers of a call shown; None for never."""
    made = Reveal.objects.filter(call=call_id, by=person).order_by("-at")
    return made.values_list("at", flat=True).first()
