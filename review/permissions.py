"""Who may do what with calls: check_ raises with its sentence, can_ derives from it.

A check returns the role that the person acts in, for the decision log. Being no member of a call's
site is not a refusal but "there is no such call" (`queries.get_call_for`).
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.models import Site, User
from oipsce_site.people.queries import memberships_of, roles_of
from oipsce_site.people.roles import Role
from review.core.calibration import Calibrating

IMPORTERS = (Role.COMPLIANCE_OFFICER, Role.SENIOR_REVIEWER)
READERS = (
    Role.REVIEWER,
    Role.SENIOR_REVIEWER,
    Role.COMPLIANCE_OFFICER,
    Role.AUDITOR,
)
EXPORTERS = (Role.COMPLIANCE_OFFICER,)
DECIDERS = (Role.SENIOR_REVIEWER, Role.REVIEWER)
REOPENING_ASKERS = (*DECIDERS, Role.COMPLIANCE_OFFICER)


_ONLY_MAPPERS = "Only compliance officers and senior reviewers say how a call is to be read."


class NotAllowed(Exception):
    """The person holds none of the roles that may do this here; the sentence says which do."""


def check_can_import(user: User, site: Site) -> Role:
    """Return the importer's role. Raises NotAllowed for others, and at a retired site."""
    check_takes_calls(site)
    return _acting(
        user, site, IMPORTERS, "Only compliance officers and senior reviewers import calls."
    )


def check_takes_calls(site: Site) -> None:
    """Raise NotAllowed for a retired site, whoever imports."""
    if site.retired_at is not None:
        raise NotAllowed(f"The site {site.name} is retired and takes no new call.")


def can_import(user: User, site: Site) -> bool:
    """Say whether `check_can_import` would pass."""
    try:
        check_can_import(user, site)
    except NotAllowed:
        return False
    return True


def imports_seen(user: User | AnonymousUser) -> frozenset[UUID] | None:
    """Return the sites whose imports are there for a person, in one query.

    They are those where `check_can_import` would pass. None is an administrator's view: every site,
    without text (design 4.7). An empty set sees nothing.
    """
    held = list(memberships_of(user).values_list("role", "site_id"))
    if any(role == Role.ADMINISTRATOR for role, _ in held):
        return None
    return frozenset(site_id for role, site_id in held if role in IMPORTERS and site_id is not None)


def check_can_map(user: User, site: Site) -> Role:
    """Return the role in which `user` maps calls of the site. Raises NotAllowed for anybody else.

    Who imports a call says how it is to be read (design 4.7).
    """
    return _acting(user, site, IMPORTERS, _ONLY_MAPPERS)


def check_maps_anywhere(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the ids of the sites whose calls `user` maps. Raises NotAllowed where there is none.

    An administrator maps no call, whatever else they are.
    """
    held = set(memberships_of(user).values_list("role", "site_id"))
    sites = frozenset(site for role, site in held if role in IMPORTERS and site is not None)
    if not sites or any(role == Role.ADMINISTRATOR for role, _ in held):
        raise NotAllowed(_ONLY_MAPPERS)
    return sites


def maps_anywhere(user: User | AnonymousUser) -> bool:
    """Say whether `check_maps_anywhere` would pass."""
    try:
        check_maps_anywhere(user)
    except NotAllowed:
        return False
    return True


def check_can_decide(user: User, site: Site) -> Role:
    """Return the role in which `user` decides rows of the site's calls. Raises NotAllowed.

    Who is both acts as the senior reviewer (audit_security 2d: edit s/e, verdict, evidence).
    """
    return _acting(
        user, site, DECIDERS, "Only reviewers and senior reviewers of the site decide rows."
    )


def check_can_assign(user: User, site: Site) -> Role:
    """Return the role in which `user` says who reads a call of the site. Raises NotAllowed.

    To assign a call and to take one from somebody who is at it are the same right (design 4.3).
    """
    return _acting(
        user,
        site,
        (Role.SENIOR_REVIEWER,),
        "Only senior reviewers of the site say who reads a call.",
    )


@dataclass(frozen=True, slots=True)
class Deciding:
    """The sites whose rows a person decides, and those of them where they are a senior reviewer."""

    sites: frozenset[UUID]
    senior: frozenset[UUID]


def deciding_at(user: User | AnonymousUser) -> Deciding:
    """Say in one query at which sites `check_can_decide` and `check_can_assign` would pass."""
    held = set(memberships_of(user).values_list("role", "site_id"))
    if any(role == Role.ADMINISTRATOR for role, _ in held):
        return Deciding(frozenset(), frozenset())
    sites = frozenset(site for role, site in held if role in DECIDERS and site is not None)
    senior = {site for role, site in held if role == Role.SENIOR_REVIEWER}
    return Deciding(sites, sites & senior)


def check_can_sign(user: User, site: Site) -> Role:
    """Return the role in which `user` signs calls of the site (2d). Raises NotAllowed."""
    return _acting(
        user, site, DECIDERS, "Only reviewers and senior reviewers of the site sign calls."
    )


def check_can_ask_to_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` asks to have a signed call reopened (2d).

    Raises NotAllowed.
    """
    return _acting(
        user,
        site,
        REOPENING_ASKERS,
        "Only reviewers and compliance officers of the site ask to have a call reopened.",
    )


def check_can_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` reopens a call that somebody else asked for (2d).

    Raises NotAllowed.
    """
    return _acting(
        user, site, (Role.SENIOR_REVIEWER,), "Only senior reviewers of the site reopen calls."
    )


@dataclass(frozen=True, slots=True)
class SigningRights:
    """What a person may do about signatures at a site: sign, ask to reopen, reopen."""

    sign: bool
    ask_to_reopen: bool
    reopen: bool


def signing_rights_at(user: User, site: Site) -> SigningRights:
    """Say in one query which of the three checks above would pass."""
    held = roles_of(user, site)
    if Role.ADMINISTRATOR in held:
        return SigningRights(sign=False, ask_to_reopen=False, reopen=False)
    return SigningRights(
        sign=any(role in held for role in DECIDERS),
        ask_to_reopen=any(role in held for role in REOPENING_ASKERS),
        reopen=Role.SENIOR_REVIEWER in held,
    )


@dataclass(frozen=True, slots=True)
class Rights:
    """What a person may do with the calls of a site: say how they are read, decide their rows, and
    say who reads them.
    """

    map: bool
    decide: bool
    assign: bool = False


def rights_at(user: User, site: Site) -> Rights:
    """Say in one query whether `check_can_map`, `check_can_decide` and `check_can_assign` pass."""
    held = roles_of(user, site)
    if Role.ADMINISTRATOR in held:
        return Rights(map=False, decide=False)
    return Rights(
        map=any(role in held for role in IMPORTERS),
        decide=any(role in held for role in DECIDERS),
        assign=Role.SENIOR_REVIEWER in held,
    )


def check_can_export(user: User, site: Site) -> Role:
    """Return the role in which `user` exports audits of the site (2d). Raises NotAllowed."""
    return _acting(user, site, EXPORTERS, "Only compliance officers export signed audits.")


def check_can_fetch(user: User, site: Site) -> Role:
    """Return the role in which `user` fetches an audit that was built. Raises NotAllowed."""
    return _acting(user, site, (*EXPORTERS, Role.AUDITOR), "Auditors fetch audits, nobody else.")


def exports_seen(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites whose audits a person may fetch: they export there, or audit (2d)."""
    held = set(memberships_of(user).values_list("role", "site_id"))
    if any(role == Role.ADMINISTRATOR for role, _ in held):
        return frozenset()
    seen = (*EXPORTERS, Role.AUDITOR)
    return frozenset(site for role, site in held if role in seen and site is not None)


def exports_from(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which `check_can_export` would pass, in one query."""
    held = set(memberships_of(user).values_list("role", "site_id"))
    if any(role == Role.ADMINISTRATOR for role, _ in held):
        return frozenset()
    return frozenset(site for role, site in held if role in EXPORTERS and site is not None)


CALIBRATORS = (Role.CATALOG_AUTHOR, Role.SENIOR_REVIEWER)


def check_can_calibrate(user: User, site: Site) -> Role:
    """Return the role in which `user` opens and closes calibration rounds at the site (4.6).

    Raises NotAllowed. An author opens them anywhere, without reading a call.
    """
    return _acting(
        user,
        site,
        CALIBRATORS,
        "Only catalog authors and senior reviewers of the site hold calibration rounds.",
    )


def calibrating_at(user: User | AnonymousUser) -> Calibrating:
    """Say in one query where `check_can_calibrate` would pass, and who sees the rounds beside."""
    held = set(memberships_of(user).values_list("role", "site_id"))
    roles = {role for role, _ in held}
    if Role.ADMINISTRATOR in roles:
        return Calibrating(frozenset(), frozenset(), frozenset())

    def at(*wanted: Role) -> frozenset[UUID]:
        return frozenset(site for role, site in held if role in wanted and site is not None)

    is_author, is_approver = Role.CATALOG_AUTHOR in roles, Role.CATALOG_APPROVER in roles
    seeing = at(Role.SENIOR_REVIEWER, Role.COMPLIANCE_OFFICER, Role.AUDITOR)
    return Calibrating(
        holds=None if is_author else at(Role.SENIOR_REVIEWER),
        sees=None if is_author or is_approver else seeing,
        reads=at(*READERS),
        waives=is_approver,
    )


def check_can_read(user: User, site: Site) -> Role:
    """Return the reader's role at the site. Raises NotAllowed for anybody else."""
    return _acting(user, site, READERS, "Only people of the site read its calls.")


def can_read(user: User, site: Site) -> bool:
    """Say whether `check_can_read` would pass."""
    try:
        check_can_read(user, site)
    except NotAllowed:
        return False
    return True


def _acting(user: User, site: Site, roles: tuple[Role, ...], sentence: str) -> Role:
    held = roles_of(user, site)
    if Role.ADMINISTRATOR in held:
        raise NotAllowed("An administrator neither reads nor imports calls.")
    for role in roles:
        if role in held:
            return role
    raise NotAllowed(sentence)
