"""The permission matrix: which role does what, and how far (design 4.7, audit_security 2d).

This table is the only place that says so. Permission checks, reaches of lists, links in the header,
refusals and the page in docs/reference are read from it; what stands in no row is allowed to
nobody. What one's own account allows (password, second factor, sessions) needs no role and has no
row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Final, TypeAlias
from uuid import UUID

from oipsce_site.people.roles import Role


class Act(Enum):
    """What may be done; the value is the end of a sentence that begins with who does it."""

    READ_CALLS = "open calls and read their words"
    DECIDE_ROWS = "take calls from the queue and decide rows"
    SETTLE_DOUBTS = "settle doubts and decide as the second person"
    ASSIGN_CALLS = "say who reads a call"
    REVEAL_IDENTIFIERS = "reveal identifiers that a site masks"
    SIGN_CALLS = "sign calls"
    ASK_REOPENING = "ask to have a signed call reopened"
    REOPEN_CALLS = "reopen signed calls"
    FILE_DISPUTES = "dispute signed calls"
    ANSWER_DISPUTES = "answer disputes of signed calls"
    SET_SHARES = "say how much is read blind"
    IMPORT_CALLS = "import calls"
    SEE_IMPORTS = "see imports"
    MAP_CALLS = "say how a call is to be read"
    EXPORT_AUDITS = "export signed audits"
    FETCH_AUDITS = "fetch signed audits"
    HOLD_ROUNDS = "hold calibration rounds"
    SEE_ROUNDS = "see calibration rounds and their figures"
    ASK_WHAT_IFS = "ask what another catalog version would change"
    SEE_WHAT_IFS = "see what-ifs and their counts"
    SEE_REPORT_CARDS = "see report cards of catalogs"
    SEE_FIGURES = "see the figures of everybody who decides rows"
    SEE_OWN_FIGURES = "see their own figures"
    SEE_MODEL_FIGURES = "see how far language models agree with people"
    PROMOTE_MODELS = "have models checked and promote their proposals"
    OVERSEE_CALLS = "see signed calls, failure rates and the access log"
    ATTEST_PERIODS = "attest periods, ask for exceptions and have the log verified"
    APPROVE_EXCEPTIONS = "approve exceptions"
    ASK_ERASURE = "ask for erasures, legal holds and rules of retention"
    APPROVE_ERASURE = "decide on erasures and rules of retention"
    READ_CATALOGS = "read catalogs in force and retired ones"
    READ_DRAFTS = "read catalogs before they are published"
    COMMENT_CATALOGS = "comment on catalogs before they are published"
    WRITE_CATALOGS = "write and submit catalogs"
    PUBLISH_CATALOGS = "publish and retire catalogs"
    SEE_PEOPLE = "see accounts and sites"
    MANAGE_PEOPLE = "make or change accounts, roles and sites"
    GRANT_ROLES = "grant roles"
    MANAGE_CLIENTS = "make or change keys of programs and addresses of webhooks"


class Reach(Enum):
    """How far a role carries an act."""

    NO = "no"
    SITE = "at their sites"
    EVERYWHERE = "everywhere"
    #: Not even by another role that the person holds beside this one.
    NEVER = "never"


_NO, _SITE, _ALL, _NEVER = Reach.NO, Reach.SITE, Reach.EVERYWHERE, Reach.NEVER

#: The columns, and the role in which a person acts who may act in several: the first one that may.
COLUMNS: Final = (
    Role.SENIOR_REVIEWER,
    Role.REVIEWER,
    Role.COMPLIANCE_OFFICER,
    Role.AUDITOR,
    Role.CATALOG_AUTHOR,
    Role.CATALOG_APPROVER,
    Role.ADMINISTRATOR,
)


def _row(*reaches: Reach) -> dict[Role, Reach]:
    return dict(zip(COLUMNS, reaches, strict=True))


MATRIX: Final[Mapping[Act, Mapping[Role, Reach]]] = {
    #                          senior reviewer complia. auditor author approver administrator
    Act.READ_CALLS: _row(_SITE, _SITE, _SITE, _SITE, _NO, _NO, _NEVER),
    Act.DECIDE_ROWS: _row(_SITE, _SITE, _NO, _NO, _NO, _NO, _NEVER),
    Act.SETTLE_DOUBTS: _row(_SITE, _NO, _NO, _NO, _NO, _NO, _NEVER),
    Act.ASSIGN_CALLS: _row(_SITE, _NO, _NO, _NO, _NO, _NO, _NEVER),
    # Auditors read them masked, always.
    Act.REVEAL_IDENTIFIERS: _row(_SITE, _SITE, _SITE, _NO, _NO, _NO, _NEVER),
    Act.SIGN_CALLS: _row(_SITE, _SITE, _NO, _NO, _NO, _NO, _NEVER),
    Act.ASK_REOPENING: _row(_SITE, _SITE, _SITE, _NO, _NO, _NO, _NEVER),
    Act.REOPEN_CALLS: _row(_SITE, _NO, _NO, _NO, _NO, _NO, _NEVER),
    # As reopening is asked for and more: what is disputed is answered, not undone.
    Act.FILE_DISPUTES: _row(_SITE, _SITE, _SITE, _NO, _NO, _NO, _NEVER),
    Act.ANSWER_DISPUTES: _row(_SITE, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.SET_SHARES: _row(_NO, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.IMPORT_CALLS: _row(_SITE, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    # An administrator sees that a batch is there and how far it is, without names and text.
    Act.SEE_IMPORTS: _row(_SITE, _NO, _SITE, _NO, _NO, _NO, _ALL),
    Act.MAP_CALLS: _row(_SITE, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.EXPORT_AUDITS: _row(_NO, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.FETCH_AUDITS: _row(_NO, _NO, _SITE, _SITE, _NO, _NO, _NEVER),
    # An author holds them anywhere without reading a call: calls are drawn, ratings have no words.
    Act.HOLD_ROUNDS: _row(_SITE, _NO, _NO, _NO, _ALL, _NO, _NEVER),
    Act.SEE_ROUNDS: _row(_SITE, _NO, _SITE, _SITE, _ALL, _ALL, _NEVER),
    # Likewise: an author gets counts and ids, and the calls behind them are for who reads them.
    Act.ASK_WHAT_IFS: _row(_SITE, _NO, _NO, _NO, _ALL, _ALL, _NEVER),
    Act.SEE_WHAT_IFS: _row(_SITE, _NO, _NO, _SITE, _ALL, _ALL, _NEVER),
    # Counts of signed calls, and no call: an author learns where anchors are wrong (design 4.6).
    Act.SEE_REPORT_CARDS: _row(_SITE, _NO, _SITE, _SITE, _ALL, _ALL, _NEVER),
    # As far as the access log is read (2d): a reviewer's own, an auditor's and officers' sites.
    Act.SEE_FIGURES: _row(_SITE, _NO, _SITE, _SITE, _NO, _NO, _NEVER),
    Act.SEE_OWN_FIGURES: _row(_NO, _SITE, _NO, _NO, _NO, _NO, _NEVER),
    # Counts and no call, so an administrator, who turns models on, sees and promotes as well.
    Act.SEE_MODEL_FIGURES: _row(_SITE, _NO, _SITE, _SITE, _ALL, _ALL, _ALL),
    Act.PROMOTE_MODELS: _row(_NO, _NO, _NO, _NO, _NO, _ALL, _ALL),
    Act.OVERSEE_CALLS: _row(_NO, _NO, _SITE, _SITE, _NO, _NO, _NEVER),
    Act.ATTEST_PERIODS: _row(_NO, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.APPROVE_EXCEPTIONS: _row(_NO, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    # Who decides on an erasure asked for none and reads no call (design 5, audit_security 2d).
    Act.ASK_ERASURE: _row(_NO, _NO, _SITE, _NO, _NO, _NO, _NEVER),
    Act.APPROVE_ERASURE: _row(_NO, _NO, _NO, _NO, _NO, _NO, _ALL),
    # Catalogs and accounts belong to the organisation, not to a site.
    Act.READ_CATALOGS: _row(_ALL, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL),
    Act.READ_DRAFTS: _row(_ALL, _NO, _NO, _ALL, _ALL, _ALL, _NO),
    Act.COMMENT_CATALOGS: _row(_ALL, _NO, _NO, _NO, _ALL, _ALL, _NO),
    Act.WRITE_CATALOGS: _row(_NO, _NO, _NO, _NO, _ALL, _NO, _NO),
    Act.PUBLISH_CATALOGS: _row(_NO, _NO, _NO, _NO, _NO, _ALL, _NO),
    Act.SEE_PEOPLE: _row(_NO, _NO, _NO, _SITE, _NO, _NO, _ALL),
    Act.MANAGE_PEOPLE: _row(_NO, _NO, _NO, _NO, _NO, _NO, _ALL),
    Act.GRANT_ROLES: _row(_NO, _NO, _NO, _NO, _NO, _NO, _ALL),
    Act.MANAGE_CLIENTS: _row(_NO, _NO, _NO, _NO, _NO, _NO, _ALL),
}

#: Done to nothing that one wrote, submitted or asked for oneself (2d: "not own draft", "not the
#: requester", "cannot grant self").
BY_A_SECOND_PERSON: Final[Collection[Act]] = frozenset(
    {
        Act.REOPEN_CALLS,
        Act.ANSWER_DISPUTES,
        Act.APPROVE_EXCEPTIONS,
        Act.APPROVE_ERASURE,
        Act.PUBLISH_CATALOGS,
        Act.GRANT_ROLES,
        Act.PROMOTE_MODELS,
    }
)

#: Roles that are held, each with its site; organisation-wide ones have none.
Held: TypeAlias = Collection[tuple[Role, UUID | None]]


def roles_with(act: Act, *reaches: Reach) -> tuple[Role, ...]:
    """Return the roles whose cell says one of these; without any, those that may act somewhere."""
    wanted = reaches or (Reach.SITE, Reach.EVERYWHERE)
    return tuple(role for role, reach in MATRIX[act].items() if reach in wanted)


def cells_of(*acts: Act) -> tuple[tuple[Role, Reach], ...]:
    """Return the cells of these acts, for who keeps something that was made from them."""
    return tuple(cell for act in acts for cell in MATRIX[act].items())


def role_may(act: Act, role: Role) -> bool:
    """Say whether who acts in this role may do this as well."""
    return role in roles_with(act)


def is_barred(act: Act, held: Held) -> bool:
    """Say whether a role that is held forbids the act, whatever else is held."""
    return any(MATRIX[act][role] is Reach.NEVER for role, _ in held)


def acting_role(act: Act, held: Held, site_id: UUID | None = None) -> Role | None:
    """Return the role in which the act is done at a site, or in the organisation; None: not at all.

    What belongs to no site needs a role that reaches everywhere.
    """
    if is_barred(act, held):
        return None
    reaching = {role for role, site in held if _reaches(act, role, site, site_id)}
    return next((role for role in COLUMNS if role in reaching), None)


def _reaches(act: Act, role: Role, held_at: UUID | None, site_id: UUID | None) -> bool:
    reach = MATRIX[act][role]
    if reach is Reach.SITE:
        return site_id is not None and held_at == site_id
    return reach is Reach.EVERYWHERE


def sites_reached(act: Act, held: Held) -> frozenset[UUID] | None:
    """Return the sites where the act may be done; None: at every site."""
    if is_barred(act, held):
        return frozenset()
    if any(MATRIX[act][role] is Reach.EVERYWHERE for role, _ in held):
        return None
    found = ((MATRIX[act][role], site) for role, site in held)
    return frozenset(site for reach, site in found if reach is Reach.SITE and site is not None)


def acts_somewhere(act: Act, held: Held) -> bool:
    """Say whether there is any place where the act may be done."""
    return sites_reached(act, held) != frozenset()


def say_who(act: Act) -> str:
    """Return the sentence that says who does it, as a refusal ends with it."""
    names = [f"{role.label}s" for role in roles_with(act)]
    if not names:
        return f"Nobody may {act.value}."
    who = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    at_site = Reach.SITE in MATRIX[act].values() and Reach.EVERYWHERE not in MATRIX[act].values()
    return f"Only {who}{' of the site' if at_site else ''} {act.value}."
