"""Which versions a person may read: published and retired ones with any role, the others with some.

Catalogs belong to the organisation, not to a site. What is not published yet is read by those who
write, comment, approve or audit it (audit_security 2d).
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from catalogs.models import VersionState
from oipsce_site.people.matrix import Act, acting_role
from oipsce_site.people.models import User
from oipsce_site.people.permitted import held_by

_OPEN = frozenset({VersionState.PUBLISHED.value, VersionState.RETIRED.value})


def readable_states(user: User | AnonymousUser) -> frozenset[str]:
    """Return the states whose versions `user` may read, in one query; none without a role."""
    held = held_by(user)
    states: frozenset[str] = frozenset()
    if acting_role(Act.READ_CATALOGS, held):
        states |= _OPEN
    if acting_role(Act.READ_DRAFTS, held):
        states |= frozenset(VersionState.values) - _OPEN
    return states
