"""Who may do what with people and sites: check_ raises with its sentence, can_ derives from it.

Administrators manage both; auditors see both, for their sites (audit_security 2d).
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.models import User
from oipsce_site.people.queries import memberships_of, roles_of
from oipsce_site.people.roles import Role


class NotAllowed(Exception):
    """The person holds none of the roles that may do this; the sentence says which do."""


def check_can_administer(user: User) -> Role:
    """Return the administrator's role. Raises NotAllowed for anybody else."""
    if Role.ADMINISTRATOR not in roles_of(user):
        raise NotAllowed("Only an administrator makes or changes accounts, roles and sites.")
    return Role.ADMINISTRATOR


def can_administer(user: User) -> bool:
    """Say whether `check_can_administer` would pass."""
    try:
        check_can_administer(user)
    except NotAllowed:
        return False
    return True


def check_can_see_people(user: User) -> Role:
    """Return the role in which the person sees accounts and sites. Raises NotAllowed."""
    held = set(memberships_of(user).values_list("role", flat=True))
    for role in (Role.ADMINISTRATOR, Role.AUDITOR):
        if role in held:
            return role
    raise NotAllowed(
        "Only an administrator sees accounts and sites, and an auditor those of their own sites."
    )


def can_see_people(user: User | AnonymousUser) -> bool:
    """Say whether `check_can_see_people` would pass."""
    if isinstance(user, AnonymousUser):
        return False
    try:
        check_can_see_people(user)
    except NotAllowed:
        return False
    return True
