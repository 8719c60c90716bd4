"""Which calls a person may be able to sign in one act: decided, unflagged, opened by them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from oipsce_site.people.models import User
from review.core.queue import QueueClass
from review.models import Call, State

#: How many calls are looked at for a page; what is signed is checked call by call.
MOST_LOOKED_AT = 60


def find_ready_calls(user: User, sites: frozenset[UUID], at: datetime) -> list[UUID]:
    """Return calls of these sites without any flag whose rows are decided, the oldest first.

    Those at which somebody else is are left out.
    """
    found = Call.objects.filter(
        site__in=sites,
        state__in=(State.IN_REVIEW, State.AWAITING_SECOND_READER),
        queue_class=QueueClass.READY,
        flagged=0,
        critical=0,
    )
    free = Q(held_until__isnull=True) | Q(held_until__lte=at) | Q(held_by=user)
    ordered = found.filter(free).order_by("received_at", "id")
    return list(ordered.values_list("pk", flat=True)[:MOST_LOOKED_AT])
