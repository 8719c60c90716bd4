"""The list over many calls: every statement goes by an index and looks at few of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogs.models import Catalog, CatalogVersion
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.queueing import claim_next
from review.models import Call
from review.queries import Narrowing, Place, list_calls
from review.queries.queue_list import QueueNarrowing, QueuePlace, list_queue
from tests.bulk import fill_calls
from tests.factories import NOON, catalog_source, make_person, make_site, publish

pytestmark = pytest.mark.django_db(transaction=True)

CALLS = 20_000
PAGE = 50
#: How many calls a page may look at to find its fifty.
MOST_SEEN = 6_000
DEEP = Place(datetime(2026, 11, 26, tzinfo=UTC), UUID(int=2**127))

NARROWINGS = {
    "everything": Narrowing(),
    "a state of many": Narrowing(state="AWAITING_REVIEW"),
    "a state of few": Narrowing(state="WITHDRAWN"),
    "a verdict": Narrowing(verdict="fail"),
    "a state and a verdict": Narrowing(state="SIGNED", verdict="undetermined"),
    "a site": Narrowing(site="s1"),
    "a catalog": Narrowing(catalog="micro-example"),
    "a flag of many": Narrowing(flag="PARTIAL"),
    "a flag of few": Narrowing(flag="CONTRADICTED"),
    "a flag of nobody": Narrowing(flag="NO_FINISH"),
    "an id": Narrowing(text="bulk-0012345"),
    "a beginning": Narrowing(text="bulk 00123"),
    "a word of every call": Narrowing(text="benefit"),
    "our own id": Narrowing(text=str(uuid4())),
    "a day": Narrowing(age="day"),
    "all at once": Narrowing("s1", "micro-example", "SIGNED", "fail", "PARTIAL", "week", "call"),
}


@pytest.fixture
def reader() -> User:
    """Return the reader of three of four sites that hold all calls together."""
    publish(catalog_source("micro"))
    Catalog.objects.update(slug="micro-example")
    sites = [make_site(f"s{number}") for number in range(4)]
    versions = list(CatalogVersion.objects.values_list("pk", flat=True))
    name = str(connection.settings_dict["NAME"])
    fill_calls(name, CALLS, sites=[one.pk for one in sites], versions=versions)
    user = make_person(Role.REVIEWER, site=sites[0])
    for site in sites[1:3]:
        user.memberships.create(site=site, role=Role.REVIEWER, granted_at=NOON)
    return user


def test_every_list_goes_by_an_index_and_sees_few_calls(reader: User) -> None:
    for name, narrowing in NARROWINGS.items():
        for place in (None, DEEP, Place(DEEP.received_at, DEEP.id, forward=False)):
            with CaptureQueriesContext(
                connection,
            ) as asked:
                list_calls(reader, narrowing, at=NOON, limit=PAGE, place=place)
            statements = [one["sql"] for one in asked if '"review_call"' in one["sql"]]
            assert 1 <= len(statements) <= 3, (name, place)
            for statement in statements:
                check_plan(statement, f"{name}, {place}")


QUEUE: dict[str, QueueNarrowing] = {
    "everything": QueueNarrowing(),
    "a class of many": QueueNarrowing(kind="critical"),
    "a class of few": QueueNarrowing(kind="sample"),
    "a class of nobody": QueueNarrowing(kind="doubt"),
    "a class and a verdict": QueueNarrowing(kind="order", verdict="fail"),
    "a site": QueueNarrowing(site="s1"),
    "a flag of few": QueueNarrowing(flag="CONTRADICTED"),
    # A word of every call is left to the bench: it is sorted where calls are as few as here.
    "an id": QueueNarrowing(text="bulk-0012345"),
    "a day": QueueNarrowing(age="day"),
    "past its limit": QueueNarrowing(age="late"),
    "mine": QueueNarrowing(held="mine"),
    "held by others": QueueNarrowing(held="others"),
    "free": QueueNarrowing(held="free"),
    "put aside for me": QueueNarrowing(assigned="me"),
    "for nobody": QueueNarrowing(assigned="nobody"),
}
#: Somewhere in the middle of the calls that are only safety-critical.
QUEUE_DEEP = QueuePlace(2, DEEP.received_at, DEEP.id)


def test_the_queue_goes_by_an_index_and_sees_few_calls(reader: User) -> None:
    hold_some(reader)
    for name, narrowing in QUEUE.items():
        for place in (None, QUEUE_DEEP, replace(QUEUE_DEEP, forward=False)):
            with CaptureQueriesContext(connection) as asked:
                list_queue(reader, narrowing, at=NOON, limit=PAGE, place=place)
            statements = [one["sql"] for one in asked if 'FROM "review_call"' in one["sql"]]
            # A class of nobody has no page backwards: it begins again at the first. Words are
            # looked up before.
            assert 3 <= len(statements) <= 4 + (narrowing.text is not None), (name, place)
            for statement in statements:
                check_plan(statement, f"{name}, {place}")


def test_the_next_call_is_found_by_an_index(reader: User) -> None:
    hold_some(reader)
    for narrowing in (QueueNarrowing(), QueueNarrowing(kind="sample"), QueueNarrowing(site="s1")):
        with CaptureQueriesContext(connection) as asked:
            assert claim_next(narrowing=narrowing, key=uuid4(), by=reader, at=NOON)
        for statement in (one["sql"] for one in asked if "WITH best" in one["sql"]):
            nodes = list(walk(explained(statement)))
            assert "Seq Scan" not in [
                one["Node Type"] for one in nodes if one.get("Relation Name") == "review_call"
            ], statement


def hold_some(reader: User) -> None:
    """Have some calls held by the reader and by another, as on any working day."""
    other = make_person(Role.REVIEWER)
    found = Call.objects.filter(queue_class=2, state="AWAITING_REVIEW").order_by("received_at")
    for person, pks in ((reader, found[:2]), (other, found[2:40])):
        held = [call.pk for call in pks]
        until = NOON + timedelta(minutes=9)
        Call.objects.filter(pk__in=held).update(held_by=person, held_until=until, hold_number=1)


def check_plan(statement: str, name: str) -> None:
    """Fail where a statement reads the table through, or asks something of each call."""
    nodes = list(walk(explained(statement)))
    tables = [node for node in nodes if node.get("Relation Name") == "review_call"]
    assert tables, name
    for node in tables:
        assert node["Node Type"] != "Seq Scan", f"{name}: {statement}"
    assert not [node for node in nodes if node.get("Parent Relationship") == "SubPlan"], name
    if "COUNT(" not in statement:
        seen = sum(
            (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            for node in tables
        )
        assert seen <= MOST_SEEN, f"{name} sees {seen} calls: {statement}"


def explained(statement: str) -> dict[str, Any]:
    """Return the plan of a statement as it was carried out."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        [found] = cursor.fetchone() or [None]
    plan = json.loads(found) if isinstance(found, str) else found
    top: dict[str, Any] = plan[0]["Plan"]
    return top


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node of a plan and everything below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)
