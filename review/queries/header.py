"""What the header of every page asks: a person's roles with their sites, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from oipsce_site.composed import Composed
from oipsce_site.people.models import Membership, User
from oipsce_site.people.queries import memberships_of
from review.queries.holds import Notice, notice_from, unseen_notices


@dataclass(frozen=True, slots=True)
class HeldRoles:
    """The roles that count now, each with its site (None: in the organisation), the sites' names
    in their order, and the notices that wait.
    """

    roles: tuple[tuple[str, UUID | None], ...]
    sites: tuple[str, ...]
    notices: tuple[Notice, ...]


def held_roles(user: User) -> HeldRoles:
    """Return what the header shows of a person, in one query."""
    held = _HELD.rows(user.pk)
    return HeldRoles(
        tuple((one["role"], one["site_id"]) for one in held),
        tuple(dict.fromkeys(one["site__name"] for one in held if one["site_id"] is not None)),
        tuple(map(notice_from, held[0]["notices"] if held else ())),
    )


def _held(user_id: UUID) -> QuerySet[Membership, Any]:
    user = User(pk=user_id)
    beside = memberships_of(user).annotate(notices=unseen_notices(user)).order_by("site__slug")
    return beside.values("role", "site_id", "site__name", "notices")


_HELD = Composed(_held, 1, lambda: None)
