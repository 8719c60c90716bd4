"""What a person sees: their sites' calls and no others, in a fixed number of queries."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from catalogs.models import Catalog
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.prefill import queue_prefill
from review.core.evaluation import focus_turn, report_from_json
from review.models import Call
from review.queries import CallLine, CallList, Narrowing, Place, get_call_for, list_calls
from review.queries.search_words import words_of
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    take,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]


def listed(reader: Any, *, limit: int = 10, place: Place | None = None, **asked: str) -> CallList:
    """Return a page of the reader's list."""
    return list_calls(reader, Narrowing(**asked), at=NOON, limit=limit, place=place)


@pytest.mark.usefixtures("shipped")
def test_a_line_says_what_a_list_shows(north: Site) -> None:
    call_id = prefilled(case("case_b_call"), north)
    reader = make_person(Role.REVIEWER, site=north)
    [line] = listed(reader).lines
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
    assert stored.run is None


def test_a_call_before_any_evaluation_has_no_verdict(north: Site) -> None:
    call_id = take(read(raw_micro(call={"type": "other", "date": "2026-03-10"})), north).call_id
    stored = get_call_for(make_person(Role.AUDITOR, site=north), call_id)
    assert stored is not None
    assert (stored.report, stored.document, stored.run) == (None, None, None)
    assert (stored.line.coverage, stored.line.catalog, stored.line.flagged) == (None, None, 0)
    assert "No catalog applies" in stored.line.state_sentence


def test_a_call_that_waits_for_its_pre_fill_has_its_run(north: Site) -> None:
    call_id = take(case(), north).call_id
    queue_prefill(call_id=call_id, run_id=uuid4(), by=None, at=NOON)
    stored = get_call_for(make_person(Role.REVIEWER, site=north), call_id)
    assert stored is not None
    assert stored.run is not None
    assert (stored.run.state, stored.run.attempts) == ("QUEUED", 0)


def test_the_lists_queries_do_not_grow(north: Site, django_assert_num_queries: Any) -> None:
    reader = make_person(Role.REVIEWER, site=north)
    prefilled(case(), north)
    with django_assert_num_queries(4):
        listed(reader)
    for number in range(5):
        take(read(raw_micro(id=f"m{number}")), north)
    with django_assert_num_queries(4):
        assert len(listed(reader).lines) == 6
    with django_assert_num_queries(4):
        assert len(listed(reader, text="micro").lines) == 6
    with django_assert_num_queries(3):
        assert len(listed(reader, text="micro", flag="PARTIAL").lines) == 0


def test_a_pages_query_is_one(north: Site, django_assert_num_queries: Any) -> None:
    reader = make_person(Role.REVIEWER, site=north)
    call_id = prefilled(case(), north)
    get_call_for(reader, call_id)
    with django_assert_num_queries(1):
        get_call_for(reader, call_id)


def test_a_page_begins_where_the_last_one_ended_though_all_arrived_at_once(north: Site) -> None:
    reader = make_person(Role.SENIOR_REVIEWER, site=north)
    for number in range(5):
        take(read(raw_micro(id=f"m{number}")), north)
    first = listed(reader, limit=2)
    second = listed(reader, limit=2, place=first.older)
    third = listed(reader, limit=2, place=second.older)
    seen = [line.id for page in (first, second, third) for line in page.lines]
    assert len(seen) == len(set(seen)) == 5
    assert (first.newer, third.older) == (None, None)
    assert listed(reader, limit=2, place=third.newer).lines == second.lines
    assert listed(reader, limit=2, place=second.newer).lines == first.lines
    assert {page.total for page in (first, second, third)} == {5}


def test_going_back_to_the_beginning_shows_a_whole_page(north: Site) -> None:
    reader = make_person(Role.REVIEWER, site=north)
    for number in range(5):
        take(read(raw_micro(id=f"m{number}")), north)
    first = listed(reader, limit=3)
    back = listed(reader, limit=3, place=replace_place(first.lines[1]))
    assert back.lines == first.lines
    assert back.newer is None


@pytest.mark.parametrize(("most", "total"), [(1_000, 5), (4, None)], ids=["few", "many"])
def test_found_calls_are_paged_in_the_lists_order(
    north: Site, monkeypatch: pytest.MonkeyPatch, most: int, total: int | None
) -> None:
    monkeypatch.setattr("review.queries.calls_list.MOST_COUNTED", most)
    reader = make_person(Role.REVIEWER, site=north)
    for number in range(5):
        take(read(raw_micro(id=f"m{number}", title="wanted")), north)
        take(read(raw_micro(id=f"x{number}", title="other")), north)
    first = listed(reader, limit=2, text="wanted")
    second = listed(reader, limit=2, place=first.older, text="wanted")
    third = listed(reader, limit=2, place=second.older, text="wanted")
    pages = [first, second, third]
    assert [len(page.lines) for page in pages] == [2, 2, 1]
    assert [line.title for page in pages for line in page.lines] == ["wanted"] * 5
    assert len({line.id for page in pages for line in page.lines}) == 5
    assert [page.total for page in pages] == [total] * 3
    assert (first.newer, third.older) == (None, None)
    assert listed(reader, limit=2, place=third.newer, text="wanted").lines == second.lines
    assert listed(reader, limit=2, place=second.newer, text="wanted").lines == first.lines


def replace_place(line: CallLine) -> Place:
    """Return the place just before a line, backwards."""
    return Place(line.received_at, line.id, forward=False)


@pytest.mark.parametrize(
    "role", [Role.ADMINISTRATOR, Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, Role.REVIEWER]
)
def test_what_is_not_theirs_is_not_there(role: Role, north: Site) -> None:
    call_id = take(case(), north).call_id
    stranger = make_person(role, site=make_site("south"))
    assert get_call_for(stranger, call_id) is None
    assert get_call_for(stranger, uuid4()) is None
    assert listed(stranger).total == 0


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


@pytest.mark.parametrize(
    ("asked", "total"),
    [
        ({}, 3),
        ({"verdict": "fail"}, 1),
        ({"verdict": "pass"}, 0),
        ({"verdict": "no-such"}, 0),
        ({"state": "AWAITING_REVIEW"}, 1),
        ({"state": "PREFILLING"}, 1),
        ({"state": "PREFILLING", "verdict": "fail"}, 0),
        ({"site": "north"}, 2),
        ({"site": "west"}, 1),
        ({"site": "south"}, 0),
        ({"catalog": "micro-example"}, 2),
        ({"catalog": "no-such"}, 0),
        ({"flag": "SAFETY_CRITICAL"}, 1),
        ({"flag": "CONTRADICTED"}, 0),
        ({"flag": "SAFETY_CRITICAL", "site": "north", "verdict": "fail"}, 1),
        ({"age": "day"}, 3),
        ({"age": "older"}, 0),
        ({"age": "week", "state": "PREFILLING"}, 1),
    ],
)
def test_filters_cut_the_list_together(
    north: Site, catalog_slug: str, asked: dict[str, str], total: int
) -> None:
    west = make_site("west")
    reader = make_person(Role.REVIEWER, site=north)
    reader.memberships.create(site=west, role=Role.AUDITOR, granted_at=NOON)
    prefilled(case(), north)
    take(read(raw_micro(id="waits")), north)
    take(read(raw_micro(id="elsewhere", call={"type": "other", "date": "2026-03-10"})), west)
    found = {"micro-example": catalog_slug}
    narrowing = Narrowing(**{key: found.get(value, value) for key, value in asked.items()})
    page = list_calls(reader, narrowing, at=NOON, limit=10)
    assert (page.total, len(page.lines)) == (total, total)


@pytest.fixture
def catalog_slug() -> str:
    """Return the slug of the smallest catalog."""
    return str(Catalog.objects.values_list("slug", flat=True).get())


def test_a_call_is_found_by_its_ids_title_phases_and_codes_alone(north: Site) -> None:
    publish(catalog_source("benefits_verification"))
    call_id = prefilled(case("case_b_call"), north)
    reader = make_person(Role.REVIEWER, site=north)
    found_by = (
        "case-b-benefits",
        "CASE b",
        "payer pharm",
        "PID",
        "order_violation",
        "csv violation",
    )
    for text in found_by:
        assert [line.id for line in listed(reader, text=text).lines] == [call_id], text
    for text in ("case-b no-such", "ayer", "&|!:*'\\", "metformin", "dosage"):
        assert not listed(reader, text=text).lines, text


def test_no_word_that_was_said_is_kept_for_the_search(north: Site) -> None:
    publish(catalog_source("benefits_verification"))
    stored = Call.objects.get(pk=prefilled(case("case_b_call"), north))
    about = {stored.external_id, stored.title, *stored.row_flags}
    about |= set(stored.rows.values_list("phase", flat=True))
    about |= {finding["code"] for finding in stored.findings}
    allowed = {word for text in about for word in words_of(text)}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT unnest(tsvector_to_array(search)) FROM review_call WHERE id = %s", [stored.id]
        )
        kept = {row[0] for row in cursor.fetchall()}
    assert kept == allowed


def test_a_call_is_found_by_our_own_id(north: Site) -> None:
    call_id = take(case(), north).call_id
    take(read(raw_micro(id="another")), north)
    reader = make_person(Role.REVIEWER, site=north)
    assert [line.id for line in listed(reader, text=str(call_id)).lines] == [call_id]
    assert listed(make_person(Role.REVIEWER, site=make_site("far")), text=str(call_id)).total == 0


@pytest.mark.parametrize(
    ("catalog", "name"), [("benefits_verification", "case_b_call"), (None, "case_micro")]
)
def test_a_line_is_what_its_rows_and_evaluation_say(
    north: Site, catalog: str | None, name: str
) -> None:
    """The columns of a line can be made again from what is stored."""
    if catalog is not None:
        publish(catalog_source(catalog))
    call = Call.objects.get(pk=prefilled(case(name), north))
    flags = list(call.rows.values_list("flags", flat=True))
    evaluation = call.evaluations.latest("made_at")
    assert (call.coverage, call.order_safe, call.call_success) == (
        evaluation.coverage,
        evaluation.order_safe,
        evaluation.call_success,
    )
    assert call.flagged == sum(1 for codes in flags if codes)
    assert call.critical == sum("SAFETY_CRITICAL" in codes for codes in flags)
    assert call.row_flags == sorted({code for codes in flags for code in codes})
    assert call.focus_turn == focus_turn(report_from_json(json.loads(evaluation.report)))
