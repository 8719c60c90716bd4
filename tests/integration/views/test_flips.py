"""A flipped cell of the product's matrix turns a line of the table red.

Each cell is given, taken away, widened from the own sites to all of them, and loosened from never
to no. A person may need more than the flipped act to get as far as its check: whoever decides a
call has to see it first. So each role is tried alone and beside an auditor's of the call's site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from catalogs.permissions import NotAllowed as NotAllowedInCatalogs
from catalogs.permissions import check_can_approve, check_can_author, check_can_remark
from oipsce_site.administration.permissions import NotAllowed as NotAllowedToAdminister
from oipsce_site.administration.permissions import check_can_administer
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, MATRIX, Act, Reach
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review import oversight_permissions as oversight
from review import permissions as review
from tests.integration.views import permission_table as table
from tests.integration.views.lines import ADMINISTRATOR, SITE_ROLES, Column, Line, lines
from tests.integration.views.world import Visitor, World

LINES = {str(line): line for line in lines()}
READER: Column = ("auditor", True)
Held = tuple[Column, ...]
Flip = tuple[Act, Role, Reach]

#: What the actions ask for each act that no address shows by itself: who has it, or a refusal.
CHECKS: dict[str, Callable[[User, Site], object]] = {
    "DECIDE_ROWS": review.check_can_decide,
    "SETTLE_DOUBTS": lambda user, site: _or_refuse(review.signing_rights_at(user, site).settle),
    "ASSIGN_CALLS": review.check_can_assign,
    "REVEAL_IDENTIFIERS": review.check_can_reveal,
    "SEE_REPORT_CARDS": lambda user, site: _or_refuse(site.pk in review.report_cards_seen(user)),
    "SEE_MODEL_FIGURES": lambda user, site: _or_refuse(site.pk in review.model_figures_seen(user)),
    "PROMOTE_MODELS": review.check_can_promote,
    "SEE_FIGURES": lambda user, site: _or_refuse(site.pk in review.figures_seen(user).whole),
    "SEE_OWN_FIGURES": lambda user, site: _or_refuse(site.pk in review.figures_seen(user).own),
    "SIGN_CALLS": review.check_can_sign,
    "ASK_REOPENING": review.check_can_ask_to_reopen,
    "REOPEN_CALLS": review.check_can_reopen,
    "FILE_DISPUTES": oversight.check_can_dispute,
    "ANSWER_DISPUTES": oversight.check_can_answer_dispute,
    "SET_SHARES": review.check_can_set_shares,
    "IMPORT_CALLS": review.check_can_import,
    "EXPORT_AUDITS": review.check_can_export,
    "HOLD_ROUNDS": review.check_can_calibrate,
    "ASK_WHAT_IFS": review.check_can_ask_what_if,
    "ATTEST_PERIODS": oversight.check_can_oversee,
    "APPROVE_EXCEPTIONS": oversight.check_can_approve_exception,
    "ASK_ERASURE": oversight.check_can_ask_erasure,
    "APPROVE_ERASURE": lambda user, _: oversight.check_can_approve_erasure(user),
    "COMMENT_CATALOGS": lambda user, _: check_can_remark(user),
    "WRITE_CATALOGS": lambda user, _: check_can_author(user),
    "PUBLISH_CATALOGS": lambda user, _: check_can_approve(user),
    "GRANT_ROLES": lambda user, _: check_can_administer(user, Act.GRANT_ROLES),
}
REFUSALS = (review.NotAllowed, NotAllowedInCatalogs, NotAllowedToAdminister)


def _or_refuse(allowed: bool) -> None:
    if not allowed:
        raise review.NotAllowed


def flips() -> Iterator[Flip]:
    for act, row in MATRIX.items():
        for role, reach in row.items():
            # What belongs to no site is given everywhere or not at all.
            at_a_site = role.value in SITE_ROLES and "site" in table.ACTS[act.name]
            widest = Reach.SITE if at_a_site else Reach.EVERYWHERE
            yield from ((act, role, other) for other in others(role, reach, widest))


def others(role: Role, reach: Reach, widest: Reach) -> Iterator[Reach]:
    match reach:
        case Reach.NO:
            yield widest
        case Reach.NEVER:
            yield from (Reach.EVERYWHERE, Reach.NO)
        case Reach.SITE:
            yield from (Reach.NO, Reach.EVERYWHERE)
        case Reach.EVERYWHERE:
            yield Reach.NO
            if role.value in SITE_ROLES:
                yield Reach.SITE


@pytest.fixture(scope="module")
def visitors(world: World) -> Callable[[Held], Visitor]:
    known: dict[Held, Visitor] = {}

    def visitor(columns: Held) -> Visitor:
        if columns not in known:
            held = ((role, world.north if near else world.south) for role, near in columns)
            known[columns] = world.visitor(*held)
        return known[columns]

    return visitor


def people(role: Role) -> Iterator[Held]:
    """Yield who tries a role's cell."""
    own, away = (role.value, True), (role.value, False)
    if role.value == ADMINISTRATOR:
        yield (own, *((name, True) for name in SITE_ROLES))
    yield (own,)
    if role.value != "auditor":
        yield (own, READER)
    if role.value in SITE_ROLES:
        yield from ((away,), (away, READER))


def test_the_matrix_is_the_references() -> None:
    written = {act: dict(zip(table.ROLES, row, strict=True)) for act, row in table.ACTS.items()}
    words = {Reach.SITE: "site", Reach.NO: "no", Reach.NEVER: "never"}
    assert written == {
        act.name: {role.value: words.get(reach, "everywhere") for role, reach in row.items()}
        for act, row in MATRIX.items()
    }


def test_a_second_person_is_asked_for_where_the_reference_does() -> None:
    assert {act.name for act in BY_A_SECOND_PERSON} == table.SECOND_PERSON.keys()


@pytest.mark.parametrize("act", Act, ids=lambda act: act.name)
def test_a_flipped_cell_turns_a_line_red(
    act: Act, world: World, visitors: Callable[[Held], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    unseen = []
    for flipped, role, reach in flips():
        if flipped is act and not _is_seen(act, role, reach, world, visitors, monkeypatch):
            unseen.append((role.value, reach.value))
    assert unseen == []


def _is_seen(
    act: Act,
    role: Role,
    reach: Reach,
    world: World,
    visitors: Callable[[Held], Visitor],
    monkeypatch: pytest.MonkeyPatch,
) -> bool:
    guards = [LINES[name] for name in table.GUARDS[act.name]]
    with monkeypatch.context() as patch:
        patch.setitem(MATRIX[act], role, reach)  # read-only by its type alone
        by_line = any(
            _is_red(line, who, world, visitors(who)) for line in guards for who in people(role)
        )
        return by_line or any(
            _acts_otherwise(act, who, world, visitors(who)) for who in people(role)
        )


def _is_red(line: Line, who: Held, world: World, visitor: Visitor) -> bool:
    return visitor.ask(line.method, line.address(world)).status != line.expected(who)


def _acts_otherwise(act: Act, who: Held, world: World, visitor: Visitor) -> bool:
    check = CHECKS.get(act.name)
    if check is None or visitor.person is None:
        return False
    try:
        check(visitor.person, world.north)
    except REFUSALS:
        return _may(act, who)
    return not _may(act, who)


def _may(act: Act, who: Held) -> bool:
    """Say by the table whether these roles carry an act at the site of the call."""
    said = dict(zip(table.ROLES, table.ACTS[act.name], strict=True))
    words = {said[role] for role, near in who if near or said[role] != "site"}
    return "never" not in words and bool(words & {"site", "everywhere"})
