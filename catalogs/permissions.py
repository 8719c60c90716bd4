"""Who may do what with catalogs: check_ raises with its sentence, can_ derives from it.

A check returns the role that the person acts in, for the decision log.
"""

from __future__ import annotations

from collections.abc import Callable

from oipsce_site.people.models import User
from oipsce_site.people.queries import memberships_of, roles_of
from oipsce_site.people.roles import Role


class NotAllowed(Exception):
    """The person holds none of the roles that may do this; the sentence says which do."""


def check_can_author(user: User) -> Role:
    """Return the author's role. Raises NotAllowed for anybody else."""
    return _acting(user, "Only a catalog author may write and submit versions.", AUTHORS)


def check_can_approve(user: User) -> Role:
    """Return the approver's role. Raises NotAllowed for anybody else."""
    return _acting(user, "Only a catalog approver may publish and retire versions.", APPROVERS)


def check_can_remark(user: User) -> Role:
    """Return the role in which a person comments on a version. Raises NotAllowed.

    Authors, approvers and senior reviewers do (audit_security 2d).
    """
    held = frozenset(memberships_of(user).values_list("role", flat=True))
    for role in (*AUTHORS, *APPROVERS, Role.SENIOR_REVIEWER):
        if role.value in held:
            return role
    raise NotAllowed("Catalog authors, approvers and senior reviewers comment on a version.")


def can_remark(user: User) -> bool:
    """Say whether `check_can_remark` would pass."""
    return _passes(check_can_remark, user)


def can_author(user: User) -> bool:
    """Say whether `check_can_author` would pass."""
    return _passes(check_can_author, user)


def can_approve(user: User) -> bool:
    """Say whether `check_can_approve` would pass."""
    return _passes(check_can_approve, user)


AUTHORS = (Role.CATALOG_AUTHOR,)
APPROVERS = (Role.CATALOG_APPROVER,)


def _acting(user: User, sentence: str, roles: tuple[Role, ...]) -> Role:
    held = roles_of(user)
    for role in roles:
        if role in held:
            return role
    raise NotAllowed(sentence)


def _passes(check: Callable[[User], Role], user: User) -> bool:
    try:
        check(user)
    except NotAllowed:
        return False
    return True
