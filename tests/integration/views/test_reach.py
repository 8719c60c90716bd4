"""Opening a call: what is recorded of it, and what only lists it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions import opening
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def call_id(north: Site) -> UUID:
    publish(catalog_source("micro"))
    return prefilled(case(), north)


@pytest.fixture
def north() -> Site:
    return make_site("north")


def client_of(role: str, site: Site) -> Client:
    client = Client()
    client.force_login(make_person(Role(role), site=site))
    return client


def test_opening_a_call_is_in_the_log_before_its_words_are_read(
    call_id: UUID, north: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise opening.UnableToOpen("the seal is broken")

    client = client_of("auditor", north)
    monkeypatch.setattr(opening, "unseal_call", broken)
    assert client.get(reverse("review:call", args=[call_id])).status_code == 404
    last: Any = read_body(list(entries_of(call_id))[-1].body)
    assert last["type"] == "call.open"
    assert last["actor"]["role"] == "auditor"


def test_a_list_opens_no_call(call_id: UUID, north: Site) -> None:
    before = len(list(entries_of(call_id)))
    client_of("reviewer", north).get(reverse("review:calls"))
    assert len(list(entries_of(call_id))) == before


def test_a_page_with_words_of_a_call_is_kept_nowhere(call_id: UUID, north: Site) -> None:
    answer = client_of("reviewer", north).get(reverse("review:call", args=[call_id]))
    assert "no-store" in answer["Cache-Control"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert b"knee scan" in answer.content


@pytest.mark.usefixtures("call_id")
def test_a_call_of_another_site_is_named_on_no_list() -> None:
    client = client_of("senior_reviewer", make_site("south"))
    for name in ("review:calls", "review:queue", "review:imports", "review:role_maps"):
        assert b"micro example" not in client.get(reverse(name)).content
