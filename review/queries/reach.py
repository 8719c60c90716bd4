"""Whose calls a person may see: those of the sites where they hold a role, and no others."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.models import User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import SITE_ROLES, Role


def readable_sites(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the ids of the sites whose calls `user` may read, in one query.

    An administrator reads no call, whatever else they are (design 4.7).
    """
    held = memberships_of(user).values_list("role", "site_id")
    roles: dict[str, list[UUID]] = {}
    for role, site_id in held:
        roles.setdefault(role, []).append(site_id)
    if Role.ADMINISTRATOR in roles:
        return frozenset()
    return frozenset(site_id for role in SITE_ROLES for site_id in roles.get(role, ()))
