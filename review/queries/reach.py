"""Whose calls a person may see: those of the sites where they hold a role, and no others."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, QuerySet

from oipsce_site.people.models import Membership, User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import SITE_ROLES, Role


def readable(user: User | AnonymousUser) -> QuerySet[Membership]:
    """Return the memberships by which `user` may read calls of their sites.

    An administrator reads no call, whatever else they are (design 4.7).
    """
    held = memberships_of(user)
    return held.filter(role__in=SITE_ROLES).exclude(Exists(held.filter(role=Role.ADMINISTRATOR)))


def readable_sites(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the ids of the sites whose calls `user` may read, in one query."""
    return frozenset(readable(user).values_list("site_id", flat=True))
