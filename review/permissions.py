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
    return check_may(user, site, Act.IMPORT_CALLS)


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
    return check_may(user, site, Act.MAP_CALLS)


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
    return check_may(user, site, Act.DECIDE_ROWS)


def check_can_assign(user: User, site: Site) -> Role:
    """Return the role in which `user` says who reads a call of the site. Raises NotAllowed.

    To assign a call and to take one from somebody who is at it are the same right (design 4.3).
    """
    return check_may(user, site, Act.ASSIGN_CALLS)


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
    return check_may(user, site, Act.REVEAL_IDENTIFIERS)


def check_can_sign(user: User, site: Site) -> Role:
    """Return the role in which `user` signs calls of the site (2d). Raises NotAllowed."""
    return check_may(user, site, Act.SIGN_CALLS)


def check_can_ask_to_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` asks to have a signed call reopened (2d).

    Raises NotAllowed.
    """
    return check_may(user, site, Act.ASK_REOPENING)


def check_can_reopen(user: User, site: Site) -> Role:
    """Return the role in which `user` reopens a call that somebody else asked for (2d).

    Raises NotAllowed.
    """
    return check_may(user, site, Act.REOPEN_CALLS)


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
    who reads them, have masked identifiers shown, know what keeps them (`retention_seen`), and have
    a call written as a file.
    """

    map: bool
    decide: bool
    assign: bool = False
    reveal: bool = False
    retain: bool = False
    export: bool = False


def rights_at(user: User, site: Site) -> Rights:
    """Say in one query whether `check_can_map`, `check_can_decide`, `check_can_assign`,
    `check_can_reveal`, `check_can_fetch` and `check_can_export` pass.
    """
    held = held_by(user)
    return Rights(
        map=_may(Act.MAP_CALLS, held, site),
        decide=_may(Act.DECIDE_ROWS, held, site),
        assign=_may(Act.ASSIGN_CALLS, held, site),
        reveal=_may(Act.REVEAL_IDENTIFIERS, held, site),
        retain=_may(Act.FETCH_AUDITS, held, site),
        export=_may(Act.EXPORT_AUDITS, held, site),
    )


def check_can_export(user: User, site: Site) -> Role:
    """Return the role in which `user` exports audits of the site (2d). Raises NotAllowed."""
    return check_may(user, site, Act.EXPORT_AUDITS)


def check_is_second(user: User, asked_by: object) -> None:
    """Raise NotAllowed for who asked: a full audit takes two people (2d)."""
    if user.pk == asked_by:
        raise NotAllowed(
            "You asked for this audit yourself. Another compliance officer approves it."
        )


def check_can_fetch(user: User, site: Site) -> Role:
    """Return the role in which `user` fetches an audit that was built. Raises NotAllowed."""
    return check_may(user, site, Act.FETCH_AUDITS)


def exports_seen(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites whose audits a person may fetch."""
    return sites_for(user, Act.FETCH_AUDITS)


def exports_from(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites at which `check_can_export` would pass, in one query."""
    return sites_for(user, Act.EXPORT_AUDITS)


def check_can_calibrate(user: User, site: Site) -> Role:
    """Return the role in which `user` holds calibration rounds at the site. Raises NotAllowed."""
    return check_may(user, site, Act.HOLD_ROUNDS)


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
    return check_may(user, site, Act.ASK_WHAT_IFS)


def check_can_set_shares(user: User, site: Site) -> Role:
    """Return the role in which `user` says how much of a site is read blind. Raises NotAllowed."""
    return check_may(user, site, Act.SET_SHARES)


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


def report_cards_seen(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites whose signed calls a person sees counted on report cards."""
    return sites_for(user, Act.SEE_REPORT_CARDS)


def model_figures_seen(user: User | AnonymousUser) -> frozenset[UUID]:
    """Return the sites of whose models a person sees how far they agree with people."""
    return sites_for(user, Act.SEE_MODEL_FIGURES)


def check_can_promote(user: User, site: Site) -> Role:
    """Return the role in which `user` has models checked and promoted at the site.

    Who is an administrator as well acts as one: of two people one must be. Raises NotAllowed.
    """
    role = check_may(user, site, Act.PROMOTE_MODELS)
    is_administrator = any(held is Role.ADMINISTRATOR for held, _ in held_by(user))
    return Role.ADMINISTRATOR if is_administrator else role


def check_can_read(user: User, site: Site) -> Role:
    """Return the reader's role at the site. Raises NotAllowed for anybody else."""
    return check_may(user, site, Act.READ_CALLS)


def reads_at(user: User, site: Site) -> bool:
    """Say whether `check_can_read` would pass."""
    return _may(Act.READ_CALLS, held_by(user), site)


def _may(act: Act, held: Held, site: Site) -> bool:
    return acting_role(act, held, site.pk) is not None


def check_may(user: User, site: Site, act: Act) -> Role:
    """Return the role in which `user` does this at the site. Raises NotAllowed."""
    held = held_by(user)
    if is_barred(act, held):
        raise NotAllowed("An administrator neither reads nor imports calls.")
    role = acting_role(act, held, site.pk)
    if role is None:
        raise NotAllowed(say_who(act))
    return role
