"""Who may do what with calls: check_ raises with its sentence, can_ derives from it.

The matrix says it (`oipsce_site.people.matrix`); here it is asked. A check returns the role that
the person acts in, for the decision log. Being no member of a call's site is not a refusal but
"there is no such call" (`queries.get_call_for`).
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.matrix import Act, Held, acting_role, is_barred, say_who, sites_reached
from oipsce_site.people.models import Site, User
from oipsce_site.people.permitted import held_by, sites_for, sites_in
from oipsce_site.people.roles import Role
from review.core.calibration import Calibrating


class NotAllowed(Exception):
    """The person holds none of the roles that may do this here; the sentence says which do."""


def check_can_import(user: User, site: Site) -> Role:
    """Return the importer's role. Raises NotAllowed for others, and at a retired site."""
    check_takes_calls(site)
    return _acting(user, site, Act.IMPORT_CALLS)


def check_takes_calls(site: Site) -> None:
    """Raise NotAllowed for a retired site, whoever imports."""
    if site.retired_at is not None:
        raise NotAllowed(f"The site {site.name} is retired and takes no new call.")


def imports_seen(user: User | AnonymousUser) -> frozenset[UUID] | None:
    """Return the sites whose imports are there for a person, in one query.

    None is an administrator's view: every site, without text (design 4.7). An empty set sees
    nothing.
    """
    return sites_reached(Act.SEE_IMPORTS, held_by(user))


def imports_from(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which a person may import, retired ones included."""
    return sites_for(user, Act.IMPORT_CALLS)


def check_can_map(user: User, site: Site) -> Role:
    """Return the role in which `user` maps calls of the site. Raises NotAllowed for anybody else.

    Who imports a call says how it is to be read (design 4.7).
    """
    return _acting(user, site, Act.MAP_CALLS)


def check_maps_anywhere(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the ids of the sites whose calls `user` maps. Raises NotAllowed for none."""
    sites = sites_for(user, Act.MAP_CALLS)
    if not sites:
        raise NotAllowed(say_who(Act.MAP_CALLS))
    return sites


def maps_anywhere(user: User | AnonymousUser) -> bool:
    """Say whether `check_maps_anywhere` would pass."""
    return bool(sites_for(user, Act.MAP_CALLS))


def check_can_decide(user: User, site: Site) -> Role:
    """Return the role in which `user` decides rows of the site's calls. Raises NotAllowed.

    Who is both acts as the senior reviewer (audit_security 2d: edit s/e, verdict, evidence).
    """
    return _acting(user, site, Act.DECIDE_ROWS)


def check_can_assign(user: User, site: Site) -> Role:
    """Return the role in which `user` says who reads a call of the site. Raises NotAllowed.

    To assign a call and to take one from somebody who is at it are the same right (design 4.3).
    """
    return _acting(user, site, Act.ASSIGN_CALLS)


@dataclass(frozen=True, slots=True)
class Deciding:
    """The sites whose rows a person decides, and those of them where they settle doubts."""

    sites: frozenset[UUID]
    senior: frozenset[UUID]


def deciding_at(user: User | AnonymousUser) -> Deciding:
    """Say in one query at which sites a person decides rows, and settles what others doubt."""
    held = held_by(user)
    sites = sites_in(held, Act.DECIDE_ROWS)
    return Deciding(sites, sites & sites_in(held, Act.SETTLE_DOUBTS))


def check_can_reveal(user: User, site: Site) -> Role:
    """Return the role in which `user` has identifiers shown that the site masks (2d).

    Raises NotAllowed.
    """
    return _acting(user, site, Act.REVEAL_IDENTIFIERS)


def check_can_sign(user: User, site: Site) -> Role:
    """Return the role in which `user` signs calls of the site (2d). Raises NotAllowed."""
    return _acting(user, site, Act.SIGN_CALLS)


def check_can_ask_to_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` asks to have a signed call reopened (2d).

    Raises NotAllowed.
    """
    return _acting(user, site, Act.ASK_REOPENING)


def check_can_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` reopens a call that somebody else asked for (2d).

    Raises NotAllowed.
    """
    return _acting(user, site, Act.REOPEN_CALLS)


@dataclass(frozen=True, slots=True)
class SigningRights:
    """What a person may do about signatures at a site: sign, ask to reopen, reopen, settle what
    others doubt, and dispute.
    """

    sign: bool
    ask_to_reopen: bool
    reopen: bool
    settle: bool
    dispute: bool


def signing_rights_at(user: User, site: Site) -> SigningRights:
    """Say in one query which of the checks would pass, and whether they settle doubts."""
    held = held_by(user)
    return SigningRights(
        sign=_may(Act.SIGN_CALLS, held, site),
        ask_to_reopen=_may(Act.ASK_REOPENING, held, site),
        reopen=_may(Act.REOPEN_CALLS, held, site),
        settle=_may(Act.SETTLE_DOUBTS, held, site),
        dispute=_may(Act.FILE_DISPUTES, held, site),
    )


@dataclass(frozen=True, slots=True)
class Rights:
    """What a person may do with the calls of a site: say how they are read, decide their rows, say
    who reads them, and have masked identifiers shown.
    """

    map: bool
    decide: bool
    assign: bool = False
    reveal: bool = False


def rights_at(user: User, site: Site) -> Rights:
    """Say in one query whether `check_can_map`, `check_can_decide`, `check_can_assign` and
    `check_can_reveal` pass.
    """
    held = held_by(user)
    return Rights(
        map=_may(Act.MAP_CALLS, held, site),
        decide=_may(Act.DECIDE_ROWS, held, site),
        assign=_may(Act.ASSIGN_CALLS, held, site),
        reveal=_may(Act.REVEAL_IDENTIFIERS, held, site),
    )


def check_can_export(user: User, site: Site) -> Role:
    """Return the role in which `user` exports audits of the site (2d). Raises NotAllowed."""
    return _acting(user, site, Act.EXPORT_AUDITS)


def check_is_second(user: User, asked_by: object) -> None:
    """Raise NotAllowed for who asked: a full audit takes two people (2d)."""
    if user.pk == asked_by:
        raise NotAllowed(
            "You asked for this audit yourself. Another compliance officer approves it."
        )


def check_can_fetch(user: User, site: Site) -> Role:
    """Return the role in which `user` fetches an audit that was built. Raises NotAllowed."""
    return _acting(user, site, Act.FETCH_AUDITS)


def exports_seen(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites whose audits a person may fetch."""
    return sites_for(user, Act.FETCH_AUDITS)


def exports_from(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which `check_can_export` would pass, in one query."""
    return sites_for(user, Act.EXPORT_AUDITS)


def check_can_calibrate(user: User, site: Site) -> Role:
    """Return the role in which `user` holds calibration rounds at the site. Raises NotAllowed."""
    return _acting(user, site, Act.HOLD_ROUNDS)


def calibrating_at(user: User | AnonymousUser) -> Calibrating:
    """Say in one query where `check_can_calibrate` would pass, and who sees rounds beside."""
    held = held_by(user)
    return Calibrating(
        holds=sites_reached(Act.HOLD_ROUNDS, held),
        sees=sites_reached(Act.SEE_ROUNDS, held),
        reads=sites_in(held, Act.READ_CALLS),
        waives=acting_role(Act.PUBLISH_CATALOGS, held) is not None
        and not is_barred(Act.SEE_ROUNDS, held),
    )


def check_can_ask_what_if(user: User, site: Site) -> Role:
    """Return the role in which `user` asks for what-ifs at the site. Raises NotAllowed."""
    return _acting(user, site, Act.ASK_WHAT_IFS)


def check_can_set_shares(user: User, site: Site) -> Role:
    """Return the role in which `user` says how much of a site is read blind. Raises NotAllowed."""
    return _acting(user, site, Act.SET_SHARES)


def sets_shares_at(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which `check_can_set_shares` would pass, in one query."""
    return sites_for(user, Act.SET_SHARES)


@dataclass(frozen=True, slots=True)
class FiguresReach:
    """The sites whose figures a person sees whole, those where only their own, and who it is."""

    whole: frozenset[UUID]
    own: frozenset[UUID]
    person: UUID | None

    @property
    def names_people(self) -> bool:
        """Whether the person sees figures of others by name."""
        return bool(self.whole)


def figures_seen(user: User | AnonymousUser) -> FiguresReach:
    """Return whose figures a person sees, in one query."""
    held = held_by(user)
    whole, own = sites_in(held, Act.SEE_FIGURES), sites_in(held, Act.SEE_OWN_FIGURES)
    return FiguresReach(whole, own, user.pk)


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
    return _acting(user, site, Act.ATTEST_PERIODS)


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
    return _acting(user, site, Act.FILE_DISPUTES)


def check_can_answer_dispute(user: User, site: Site) -> Role:
    """Return the role in which `user` answers what somebody else disputes. Raises NotAllowed."""
    return _acting(user, site, Act.ANSWER_DISPUTES)


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
    return _acting(user, site, Act.APPROVE_EXCEPTIONS)


def check_can_ask_erasure(user: User, site: Site) -> Role:
    """Return the role in which `user` asks for erasures, holds and rules at a site (2d).

    Raises NotAllowed.
    """
    return _acting(user, site, Act.ASK_ERASURE)


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


def check_can_read(user: User, site: Site) -> Role:
    """Return the reader's role at the site. Raises NotAllowed for anybody else."""
    return _acting(user, site, Act.READ_CALLS)


def _may(act: Act, held: Held, site: Site) -> bool:
    return acting_role(act, held, site.pk) is not None


def _acting(user: User, site: Site, act: Act) -> Role:
    held = held_by(user)
    if is_barred(act, held):
        raise NotAllowed("An administrator neither reads nor imports calls.")
    role = acting_role(act, held, site.pk)
    if role is None:
        raise NotAllowed(say_who(act))
    return role
