"""Who oversees calls, disputes them, and has them kept or erased; asked as in `permissions`."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.matrix import Act, acting_role, say_who
from oipsce_site.people.models import Site, User
from oipsce_site.people.permitted import held_by, sites_for, sites_in
from oipsce_site.people.roles import Role
from review.permissions import NotAllowed, check_may


@dataclass(frozen=True, slots=True)
class Overseeing:
    """The sites whose compliance pages a person sees, and those of them where they may act there:
    auditors read only (2d).
    """

    sites: frozenset[UUID]
    acting: frozenset[UUID]


def overseeing_at(user: User | AnonymousUser) -> Overseeing:
    """Say in one query whose compliance pages `user` sees and where they act; nobody's: nowhere."""
    held = held_by(user)
    sites = sites_in(held, Act.OVERSEE_CALLS)
    return Overseeing(sites, sites & sites_in(held, Act.ATTEST_PERIODS))


def check_can_oversee(user: User, site: Site) -> Role:
    """Return the role in which `user` acts on compliance pages of the site. Raises NotAllowed."""
    return check_may(user, site, Act.ATTEST_PERIODS)


@dataclass(frozen=True, slots=True)
class Disputing:
    """The sites whose disputes a person sees, those where they file and where they answer them, and
    whether they oversee any site.
    """

    sites: frozenset[UUID]
    filing: frozenset[UUID]
    answering: frozenset[UUID]
    oversees: bool


def disputing_at(user: User | AnonymousUser) -> Disputing:
    """Say in one query whose disputes `user` sees, files and answers: who reads the calls (2d)."""
    held = held_by(user)
    return Disputing(
        sites_in(held, Act.READ_CALLS),
        sites_in(held, Act.FILE_DISPUTES),
        sites_in(held, Act.ANSWER_DISPUTES),
        bool(sites_in(held, Act.OVERSEE_CALLS)),
    )


def check_can_dispute(user: User, site: Site) -> Role:
    """Return the role in which `user` disputes a signed call. Raises NotAllowed."""
    return check_may(user, site, Act.FILE_DISPUTES)


def check_can_answer_dispute(user: User, site: Site) -> Role:
    """Return the role in which `user` answers what somebody else disputes. Raises NotAllowed."""
    return check_may(user, site, Act.ANSWER_DISPUTES)


def check_can_verify(user: User) -> Role:
    """Return the role in which `user` has the whole log verified. Raises NotAllowed.

    There is one log: who attests at any site may ask.
    """
    held = held_by(user)
    sites = sites_in(held, Act.ATTEST_PERIODS)
    for site_id in sites:
        role = acting_role(Act.ATTEST_PERIODS, held, site_id)
        if role is not None:
            return role
    raise NotAllowed(say_who(Act.ATTEST_PERIODS))


def check_can_approve_exception(user: User, site: Site) -> Role:
    """Return the role in which `user` approves what another one asked for. Raises NotAllowed."""
    return check_may(user, site, Act.APPROVE_EXCEPTIONS)


def check_can_ask_erasure(user: User, site: Site) -> Role:
    """Return the role in which `user` asks for erasures, holds and rules at a site (2d).

    Raises NotAllowed.
    """
    return check_may(user, site, Act.ASK_ERASURE)


def check_can_approve_erasure(user: User) -> Role:
    """Return the role in which `user` erases what others asked for, and reads nothing of it.

    Raises NotAllowed.
    """
    role = acting_role(Act.APPROVE_ERASURE, held_by(user))
    if role is None:
        raise NotAllowed(say_who(Act.APPROVE_ERASURE))
    return role


def retention_seen(user: User | AnonymousUser) -> frozenset[UUID] | None:
    """Return the sites whose retention a person sees: those whose audits they fetch.

    None is the view of who decides: every site, and no call by its name.
    """
    held = held_by(user)
    if acting_role(Act.APPROVE_ERASURE, held) is not None:
        return None
    return sites_in(held, Act.FETCH_AUDITS)


def erases_at(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which `check_can_ask_erasure` would pass."""
    return sites_for(user, Act.ASK_ERASURE)


def alerts_seen(user: User | AnonymousUser) -> frozenset[UUID] | None:
    """Return the sites of whose people a person is told that proofs of identity fail.

    They are those of a compliance officer; None is an administrator's view: everybody.
    """
    held = held_by(user)
    if acting_role(Act.MANAGE_PEOPLE, held) is not None:
        return None
    return sites_in(held, Act.EXPORT_AUDITS)
