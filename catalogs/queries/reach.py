"""Which versions a person may read: published and retired ones with any role, the others with some.

Catalogs belong to the organisation, not to a site. What is not published yet is read by those who
write, comment, approve or audit it (audit_security 2d).
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from catalogs.models import VersionState
from oipsce_site.people.models import User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import Role

_OPEN = frozenset({VersionState.PUBLISHED.value, VersionState.RETIRED.value})
_READERS_OF_DRAFTS = frozenset(
    {
        Role.CATALOG_AUTHOR.value,
        Role.CATALOG_APPROVER.value,
        Role.SENIOR_REVIEWER.value,
        Role.AUDITOR.value,
    }
)


def readable_states(user: User | AnonymousUser) -> frozenset[str]:
    """Return the states whose versions `user` may read, in one query; none without a role."""
    roles = frozenset(memberships_of(user).values_list("role", flat=True))
    if not roles:
        return frozenset()
    return frozenset(VersionState.values) if roles & _READERS_OF_DRAFTS else _OPEN
