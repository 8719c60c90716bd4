"""Whose calls a person may see: those of the sites where the matrix lets them read."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from oipsce_site.people.matrix import Act
from oipsce_site.people.models import User
from oipsce_site.people.permitted import sites_where


def readable(user: User | AnonymousUser) -> QuerySet[Any, Any]:
    """Return the ids of the sites whose calls `user` may read, as a part of another query."""
    return sites_where(user, Act.READ_CALLS)


def readable_sites(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the ids of the sites whose calls `user` may read, in one query."""
    return frozenset(next(iter(row.values())) for row in readable(user))
