"""The page of drift: readings of real people counted as they were said, filters, and the file."""

from __future__ import annotations

import csv
import io
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.readings import finish_reading
from tests.blind import CANNOT_TELL, answer_all, read_first
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

pytestmark = pytest.mark.django_db(transaction=True)


def client_of(role: Role, site: Site | None = None) -> Client:
    client = Client()
    client.force_login(make_person(role, site=site) if site else make_person(role))
    return client


def read_one(site: Site, *, alike: bool = True) -> None:
    """Have two people read a call today; where they are not alike the second cannot tell PID."""
    call_id = prefilled(read(raw_micro(id=str(uuid4()))), site)
    second = make_person(Role.SENIOR_REVIEWER, site=site)
    read_first(call_id, make_person(Role.REVIEWER, site=site))
    answer_all(call_id, second, **({} if alike else {"PID": CANNOT_TELL}))
    finish_reading(call_id=call_id, by=second, at=timezone.now())


def table_of(client: Client, asked: str = "") -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the file's figures: value, interval and n by table, thing and figure."""
    answer = client.get(reverse("review:drift_file") + asked)
    assert answer.status_code == 200
    rows = list(csv.reader(io.StringIO(answer.getvalue().decode())))
    assert rows[0] == ["table", "of", "note", "figure", "value", "interval at 95 percent", "n"]
    return {(row[0], row[1], row[3]): tuple(row[4:]) for row in rows[1:]}


@pytest.fixture
def sites() -> tuple[Site, Site]:
    """Two sites: at one three calls were read twice and one of them differs, at the other one."""
    publish(catalog_source("micro"))
    north, south = make_site("north"), make_site("south")
    for alike in (True, False, True):
        read_one(north, alike=alike)
    read_one(south)
    return north, south


def test_each_reading_is_counted_once_as_it_was_said(sites: tuple[Site, Site]) -> None:
    senior = client_of(Role.SENIOR_REVIEWER, sites[0])
    found = table_of(senior)
    assert found["By phase: verdict", "calls with every row alike", "Alike"][0] == "66.7 % (2)"
    assert found["By phase: verdict", "PID", "Alike"][::2] == ("66.7 % (2)", "3")
    assert found["By phase: verdict", "CSV", "Alike"][::2] == ("100 % (3)", "3")
    assert found["Over time", "PID", "Alike"][0] == "66.7 % (2)"
    assert found["All rows together", "Verdict", "Raw agreement"][2] == "3 calls"
    words = senior.get(reverse("review:drift")).content.decode()
    assert "3 calls read twice in the last 365 days. So few say little" in words
    assert "south" not in words


def test_sites_stand_beside_each_other_for_who_sees_both(sites: tuple[Site, Site]) -> None:
    author = client_of(Role.CATALOG_AUTHOR)
    found = table_of(author)
    by_site = [
        value[0] for key, value in found.items() if key[::2] == ("By site: verdict", "Alike")
    ]
    assert by_site == ["66.7 % (2)", "100 % (1)"]
    assert found["By phase: verdict", "PID", "Alike"][::2] == ("75 % (3)", "4")
    only = table_of(author, "?site=south")
    assert only["By phase: verdict", "PID", "Alike"][::2] == ("100 % (1)", "1")
    assert not any(key[0].startswith("By site") for key in only)


def test_readings_of_another_kind_are_not_added_up(sites: tuple[Site, Site]) -> None:
    author = client_of(Role.CATALOG_AUTHOR)
    assert table_of(author, "?kind=double") == table_of(author)
    for kind in ("signed", "critical", "machine"):
        assert table_of(author, f"?kind={kind}") == {}
        words = author.get(reverse("review:drift") + f"?kind={kind}").content.decode()
        assert "No call was read twice that is as asked." in words


def test_nobody_sees_a_site_that_is_not_theirs(sites: tuple[Site, Site]) -> None:
    senior = client_of(Role.SENIOR_REVIEWER, sites[0])
    for name in ("review:drift", "review:report_cards", "review:figures"):
        for asked in ("?site=south", "?site=nowhere", "?site=%00", "?catalog=%00&site=n%00rth"):
            assert senior.get(reverse(name) + asked).status_code == 404, (name, asked)


def test_what_the_address_says_wrongly_is_not_asked_for(sites: tuple[Site, Site]) -> None:
    author = client_of(Role.CATALOG_AUTHOR)
    odd = "?days=x&step=hour&kind=all&question=mood&catalog=none&site="
    assert table_of(author, odd) == table_of(author)
