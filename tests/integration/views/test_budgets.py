"""What the pages cost: queries, and bytes before any compression."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.shipped import SHIPPED_CASES
from review.tasks import find_candidates
from tests import wording
from tests.bench.pages.fill import long_call
from tests.factories import catalog_source, make_person, make_site, prefilled, publish, read

pytestmark = pytest.mark.django_db(transaction=True)

MOST_QUERIES = 15
LARGEST_HTML = 150_000


@pytest.fixture
def north() -> Site:
    """Return a site whose calls the catalog of Case B judges."""
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def client(north: Site) -> Client:
    """Return a browser's stand-in with a reviewer signed in."""
    client = Client()
    client.force_login(make_person(Role.REVIEWER, site=north))
    client.get(reverse("account_login"))
    return client


def case_b(turns: int, name: str = "long") -> dict[str, Any]:
    """Return Case B with turns of sixty characters after its own."""
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_b_call"]
    return long_call({**json.loads(path.read_text(encoding="utf-8")), "id": name}, turns)


def stored(turns: int, site: Site, name: str = "long") -> UUID:
    """Store and fill a call of so many turns."""
    return prefilled(read(case_b(turns, name)), site)


def queries_of(client: Client, path: str) -> int:
    """Return how many queries a page takes once its catalog is loaded."""
    client.get(path)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


def test_a_call_page_takes_fifteen_queries_however_long_the_call(
    client: Client, north: Site
) -> None:
    short, long = (stored(turns, north, f"call-{turns}") for turns in (120, 240))
    found = {queries_of(client, reverse("review:call", args=[call])) for call in (short, long)}
    assert len(found) == 1
    assert max(found) <= MOST_QUERIES


def test_a_list_takes_as_many_queries_for_many_calls_as_for_one(
    client: Client, north: Site
) -> None:
    path = reverse("review:calls")
    stored(120, north, "one")
    before = queries_of(client, path)
    for number in range(3):
        stored(110, north, f"more-{number}")
    assert queries_of(client, path) == before <= MOST_QUERIES


def test_candidates_by_wording_keep_to_the_budgets(
    client: Client, north: Site, settings: Any
) -> None:
    raw = case_b(500)
    # Nothing that the rules know is said, so that every item is open.
    others = [{**turn, "text": raw["turns"][-1]["text"]} for turn in raw["turns"]]
    call_id = prefilled(read({**raw, "turns": others, "events": []}), north)
    settings.SEMANTIC_ENCODER = wording.NAME
    assert find_candidates() == 1
    path = reverse("review:call", args=[call_id])
    assert queries_of(client, path) <= MOST_QUERIES
    html = client.get(path).content
    assert html.count(b'name="candidate"') > 12
    assert len(html) <= LARGEST_HTML


def test_c24_five_hundred_turns_fit_into_the_page(client: Client, north: Site) -> None:
    answer = client.get(reverse("review:call", args=[stored(500, north)]))
    html = answer.content
    assert html.count(b'<li id="t') == 500
    assert len(html) <= LARGEST_HTML
