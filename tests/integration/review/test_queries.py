"""What a person sees: their sites' calls and no others, in a fixed number of queries."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.queries import get_call_for, list_calls
from tests.factories import NOON, case, make_person, make_site, prefilled, raw_micro, read, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]


@pytest.mark.usefixtures("shipped")
def test_a_line_says_what_a_list_shows(north: Site) -> None:
    call_id = prefilled(case("case_b_call"), north)
    reader = make_person(Role.REVIEWER, site=north)
    [line] = list_calls(reader, limit=10).lines
    assert line.id == call_id
    assert (line.site_name, line.external_id) == ("North", "case-b-benefits")
    assert line.catalog is not None
    assert line.catalog.startswith("benefits-verification 2.")
    assert (line.state, line.state_sentence) == (
        "AWAITING_REVIEW",
        "Pre-filled; waits for a reviewer.",
    )
    assert (line.coverage, line.order_safe, line.call_success) == ("pass", "fail", "fail")
    assert (line.turn_count, line.received_at) == (110, NOON)
    assert line.critical == 2
    assert line.flagged >= 2
    stored = get_call_for(reader, call_id)
    assert stored is not None
    assert stored.line == line
    assert stored.document is not None
    assert stored.document.slug == "benefits-verification"
    assert stored.run is not None
    assert (stored.run.state, stored.run.attempts) == ("DONE", 1)


def test_a_call_before_any_evaluation_has_no_verdict(north: Site) -> None:
    call_id = take(read(raw_micro(call={"type": "other", "date": "2026-03-10"})), north).call_id
    stored = get_call_for(make_person(Role.AUDITOR, site=north), call_id)
    assert stored is not None
    assert (stored.report, stored.document, stored.run) == (None, None, None)
    assert (stored.line.coverage, stored.line.catalog, stored.line.flagged) == (None, None, 0)
    assert "No catalog applies" in stored.line.state_sentence


def test_the_lists_queries_do_not_grow(north: Site, django_assert_num_queries: Any) -> None:
    reader = make_person(Role.REVIEWER, site=north)
    prefilled(case(), north)
    with django_assert_num_queries(3):
        list_calls(reader, limit=50)
    for number in range(5):
        take(read(raw_micro(id=f"m{number}")), north)
    with django_assert_num_queries(3):
        assert len(list_calls(reader, limit=50).lines) == 6


def test_a_pages_queries_are_four(north: Site, django_assert_num_queries: Any) -> None:
    reader = make_person(Role.REVIEWER, site=north)
    call_id = prefilled(case(), north)
    get_call_for(reader, call_id)
    with django_assert_num_queries(4):
        get_call_for(reader, call_id)


def test_pages_and_states_cut_the_list(north: Site) -> None:
    reader = make_person(Role.SENIOR_REVIEWER, site=north)
    prefilled(case(), north)
    for number in range(3):
        take(read(raw_micro(id=f"m{number}")), north)
    first, second = (list_calls(reader, limit=2, offset=at) for at in (0, 2))
    assert (first.total, second.total) == (4, 4)
    assert len({line.id for line in (*first.lines, *second.lines)}) == 4
    assert list_calls(reader, state="PREFILLING", limit=10).total == 3
    assert list_calls(reader, state="nonsense", limit=10).total == 0


@pytest.mark.parametrize(
    "role", [Role.ADMINISTRATOR, Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, Role.REVIEWER]
)
def test_what_is_not_theirs_is_not_there(role: Role, north: Site) -> None:
    call_id = take(case(), north).call_id
    stranger = make_person(role, site=make_site("south"))
    assert get_call_for(stranger, call_id) is None
    assert get_call_for(stranger, uuid4()) is None
    assert list_calls(stranger, limit=10).total == 0


def test_nobody_sees_nothing(north: Site) -> None:
    call_id = take(case(), north).call_id
    assert get_call_for(AnonymousUser(), call_id) is None
    left = make_person(Role.REVIEWER, site=north)
    left.memberships.update(revoked_at=NOON)
    assert get_call_for(left, call_id) is None


@pytest.mark.parametrize(
    "role", [Role.REVIEWER, Role.SENIOR_REVIEWER, Role.COMPLIANCE_OFFICER, Role.AUDITOR]
)
def test_people_of_the_site_see_its_calls(role: Role, north: Site) -> None:
    call_id = take(case(), north).call_id
    assert get_call_for(make_person(role, site=north), call_id) is not None


@pytest.mark.parametrize(("verdict", "total"), [("fail", 1), ("pass", 0), ("no-such", 0)])
def test_verdicts_cut_the_list(north: Site, verdict: str, total: int) -> None:
    prefilled(case(), north)
    reader = make_person(Role.REVIEWER, site=north)
    assert list_calls(reader, verdict=verdict, limit=10).total == total
