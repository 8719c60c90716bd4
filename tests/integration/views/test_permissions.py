"""Every address, by every role, at the own site and at another, equals the table."""

from __future__ import annotations

import re

import pytest

from tests.integration.views import permission_table as table
from tests.integration.views.account_table import ACCOUNT
from tests.integration.views.lines import ADMINISTRATOR, NOBODY, SITE_ROLES, Column, Line, lines
from tests.integration.views.world import NOWHERE, Answer, Visitor, World, addresses

LINES = lines()
Visitors = dict[tuple[Column, ...], Visitor]

#: Who walks: each role at the site and away from it, no role, and an administrator with more.
WALKERS: tuple[tuple[Column, ...], ...] = (
    *(((role, True),) for role in table.ROLES),
    *(((role, False),) for role in SITE_ROLES),
    (NOBODY,),
    ((ADMINISTRATOR, True), *((role, True) for role in SITE_ROLES)),
)
#: For whom a thing of the site is not there, each for another reason.
OUTSIDERS: tuple[tuple[Column, ...], ...] = (
    (("senior_reviewer", False),),
    (("auditor", False),),
    (("catalog_author", True),),
    (NOBODY,),
)


@pytest.fixture(scope="module")
def visitors(world: World) -> Visitors:
    return {columns: visitor_of(world, columns) for columns in WALKERS}


def visitor_of(world: World, columns: tuple[Column, ...]) -> Visitor:
    held = ((role, world.north if near else world.south) for role, near in columns if role)
    return world.visitor(*held)


def test_the_table_has_a_line_for_every_address() -> None:
    named = {line.name for line in LINES} | ACCOUNT.keys()
    # What programs get has a table of its own: tests/integration/api/test_handing_in.py.
    ours = {name for name in addresses() if not name.startswith("api:")}
    assert named == ours, "write a line in permission_table.py, from the reference"


def test_the_table_and_its_guards_name_the_same_acts() -> None:
    assert table.ACTS.keys() == table.GUARDS.keys()
    known = {str(line) for line in LINES}
    assert {guard for guards in table.GUARDS.values() for guard in guards} <= known


@pytest.mark.parametrize("line", LINES, ids=str)
def test_everybody_gets_what_the_table_says(line: Line, world: World, visitors: Visitors) -> None:
    address = line.address(world)
    got = {who: visitor.ask(line.method, address).status for who, visitor in visitors.items()}
    assert got == {who: line.expected(who) for who in visitors}


#: An address without an id names nothing that could be somebody else's.
WITH_ID = [line for line in LINES if addresses()[line.name] & NOWHERE.keys()]


@pytest.mark.parametrize("line", WITH_ID, ids=str)
def test_what_is_not_theirs_answers_as_what_is_not_there(
    line: Line, world: World, visitors: Visitors
) -> None:
    missing = world.missing(line.name)
    assert missing is not None
    for who in OUTSIDERS:
        visitor = visitors[who]
        if line.expected(who) == 404:
            theirs = visitor.ask(line.method, line.address(world))
            assert comparable(theirs) == comparable(visitor.ask(line.method, missing)), who


@pytest.mark.parametrize("name", sorted({line.name for line in LINES}))
def test_other_methods_are_refused(name: str, world: World, visitors: Visitors) -> None:
    taken = {line.method for line in LINES if line.name == name}
    visitor = visitors[("senior_reviewer", True),]
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - taken:
        answer = visitor.ask(method, world.address(name))
        # Who may not even look is refused before the method is.
        assert answer.status == 405, method


@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_stranger_is_sent_to_sign_in(line: Line, world: World) -> None:
    stranger, address = Visitor(), line.address(world)
    page = stranger.ask(line.method, address)
    assert (page.status, page.headers["Location"].partition("?")[0]) == (302, "/accounts/login/")
    fragment = stranger.ask(line.method, address, headers={"HX-Request": "true"})
    assert (fragment.status, b"<" in fragment.body) == (401, False)


@pytest.mark.parametrize("name", ACCOUNT)
def test_the_own_account_asks_for_no_role(name: str, world: World, visitors: Visitors) -> None:
    page, form = ACCOUNT[name]
    address = world.address(name)
    stranger, some = Visitor(), [visitors[NOBODY,], visitors[(ADMINISTRATOR, True),]]
    for method, statuses in (("GET", page), ("POST", form)):
        signed_in, outside = statuses or (405, 302 if page[1] == 302 else 405)
        got = {one.ask(method, address).status for one in some}
        assert (method, got) == (method, {signed_in})
        if name not in ("no_email", "favicon", "account_email"):
            assert (method, stranger.ask(method, address).status) == (method, outside)


def test_a_person_whose_account_is_closed_gets_nothing(world: World) -> None:
    visitor = world.visitor(("senior_reviewer", world.north))
    assert visitor.person is not None
    visitor.person.is_active = False
    visitor.person.save()
    for line in LINES:
        assert visitor.ask(line.method, line.address(world)).status == 302, str(line)


def comparable(answer: Answer) -> tuple[int, bytes, dict[str, str]]:
    """Return an answer without what is drawn anew for each: the form's token and the request."""
    body = re.sub(rb'value="[0-9A-Za-z]{64}"', b"", answer.body)
    return answer.status, body, {k: v for k, v in answer.headers.items() if k != "X-Request-Id"}
