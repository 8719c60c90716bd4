"""What a person may do by the matrix, asked of the database in one query each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Q, QuerySet

from oipsce_site.composed import Composed
from oipsce_site.people.matrix import Act, Held, Reach, acting_role, roles_with, sites_reached
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import Role


def held_by(user: User | AnonymousUser) -> Held:
    """Return the roles that count now, each with its site."""
    if isinstance(user, AnonymousUser):
        return frozenset()
    return held_in((one["role"], one["site_id"]) for one in _HELD.rows(user.pk))


def _held(user_id: UUID) -> QuerySet[Membership, Any]:
    return memberships_of(User(pk=user_id)).values("role", "site_id")


# Every request asks for it, most of them more than once.
_HELD = Composed(_held, 1, lambda: None)


def held_in(memberships: Iterable[tuple[str, UUID | None]]) -> Held:
    """Return the same of memberships that were read already."""
    return {(Role(role), site) for role, site in memberships}


def role_for(user: User | AnonymousUser, act: Act, site: Site | None = None) -> Role | None:
    """Return the role in which `user` does this at a site (None: in the organisation), or None."""
    return acting_role(act, held_by(user), None if site is None else site.pk)


def sites_for(user: User | AnonymousUser, act: Act) -> frozenset[UUID]:
    """Return the ids of the sites where `user` may do this."""
    return sites_in(held_by(user), act)


def sites_in(held: Held, act: Act) -> frozenset[UUID]:
    """Return the same for who holds these roles; asks the database only where it is every site."""
    reached = sites_reached(act, held)
    return frozenset(Site.objects.values_list("pk", flat=True)) if reached is None else reached


def sites_where(user: User | AnonymousUser, act: Act) -> QuerySet[Any, Any]:
    """Return the same sites' ids as a part of another query."""
    held = memberships_of(user).exclude(
        Exists(memberships_of(user).filter(role__in=roles_with(act, Reach.NEVER)))
    )
    own: QuerySet[Membership, Any] = held.filter(role__in=roles_with(act, Reach.SITE)).values(
        "site"
    )
    everywhere = roles_with(act, Reach.EVERYWHERE)
    if not everywhere:
        return own
    anywhere = Exists(held.filter(role__in=everywhere))
    return Site.objects.filter(Q(pk__in=own) | anywhere).values("pk")
