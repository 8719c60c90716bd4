"""Who may do what with people and sites: check_ raises with its sentence, can_ derives from it.

The matrix says it (`oipsce_site.people.matrix`): administrators manage both; auditors see both, for
their sites (audit_security 2d).
"""

from __future__ import annotations

from oipsce_site.people.matrix import Act, acting_role, acts_somewhere, say_who
from oipsce_site.people.models import User
from oipsce_site.people.permitted import held_by, role_for
from oipsce_site.people.roles import Role


class NotAllowed(Exception):
    """The person holds none of the roles that may do this; the sentence says which do."""


def check_can_administer(user: User, act: Act = Act.MANAGE_PEOPLE) -> Role:
    """Return the role in which `user` changes accounts, roles and sites. Raises NotAllowed.

    Granting a role is an act of its own.
    """
    role = role_for(user, act)
    if role is None:
        raise NotAllowed(say_who(act))
    return role


def check_can_see_people(user: User) -> bool:
    """Return whether the person may change accounts and sites as well as see some of them.

    Raises NotAllowed for who sees none.
    """
    held = held_by(user)
    if not acts_somewhere(Act.SEE_PEOPLE, held):
        raise NotAllowed(say_who(Act.SEE_PEOPLE))
    return acting_role(Act.MANAGE_PEOPLE, held) is not None
