"""Who may do what with catalogs: check_ raises with its sentence, can_ derives from it.

The matrix says it (`oipsce_site.people.matrix`). A check returns the role that the person acts in,
for the decision log.
"""

from __future__ import annotations

from collections.abc import Callable

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from oipsce_site.people.permitted import role_for
from oipsce_site.people.roles import Role


class NotAllowed(Exception):
    """The person holds none of the roles that may do this; the sentence says which do."""


def check_can_author(user: User) -> Role:
    """Return the role in which `user` writes and submits versions. Raises NotAllowed."""
    return _acting(user, Act.WRITE_CATALOGS)


def check_can_approve(user: User) -> Role:
    """Return the role in which `user` publishes and retires versions. Raises NotAllowed."""
    return _acting(user, Act.PUBLISH_CATALOGS)


def can_author(user: User) -> bool:
    """Say whether `check_can_author` would pass."""
    return _passes(check_can_author, user)


def can_approve(user: User) -> bool:
    """Say whether `check_can_approve` would pass."""
    return _passes(check_can_approve, user)


def _acting(user: User, act: Act) -> Role:
    role = role_for(user, act)
    if role is None:
        raise NotAllowed(say_who(act))
    return role


def _passes(check: Callable[[User], Role], user: User) -> bool:
    try:
        check(user)
    except NotAllowed:
        return False
    return True
