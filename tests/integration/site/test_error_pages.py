"""Error pages as the site answers with them: what happened, who may, and a way back."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site

pytestmark = pytest.mark.django_db

HOST = {"host": "localhost:8000"}
MISSING = "00000000-0000-4000-8000-000000000000"


def client_of(role: Role) -> Client:
    client = Client(headers=HOST)
    client.force_login(make_person(role, site=make_site()))
    return client


def test_403_names_the_role_that_may() -> None:
    answer = client_of(Role.REVIEWER).get(reverse("administration:people"))
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Only auditors and administrators see accounts and sites" in html
    assert "ask an administrator to grant you the role" in html
    assert '<a href="/">' in html


@pytest.mark.parametrize("name", ["review:call", "administration:person"])
def test_404_leads_an_administrator_to_their_own_pages(name: str) -> None:
    answer = client_of(Role.ADMINISTRATOR).get(reverse(name, args=[MISSING]))
    html = answer.content.decode()
    assert answer.status_code == 404
    assert f'<a href="{reverse("administration:people")}">go to people</a>' in html
    assert "sk an administrator" not in html


def test_404_of_an_address_that_never_was() -> None:
    answer = client_of(Role.REVIEWER).get("/no/such/page/")
    assert answer.status_code == 404
    assert "go to the calls you may read" in answer.content.decode()


def test_a_form_without_its_token_is_403_with_a_way_back() -> None:
    client = Client(headers=HOST, enforce_csrf_checks=True)
    client.force_login(make_person(Role.ADMINISTRATOR))
    answer = client.post(reverse("administration:new-site"), {"slug": "x", "name": "x"})
    assert answer.status_code == 403
    assert "This form is too old to be sent" in answer.content.decode()


def test_400_of_a_request_for_another_host() -> None:
    answer = Client(headers={"host": "elsewhere.example"}).get(reverse("account_login"))
    assert answer.status_code == 400
    assert "The site could not read this request" in answer.content.decode()


def test_429_when_somebody_tries_the_door_too_often(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    cache.clear()
    client = Client(headers=HOST)
    values = {"login": "nobody", "password": "wrong"}
    client.post(reverse("account_login"), values)
    answer = client.post(reverse("account_login"), values)
    cache.clear()
    assert answer.status_code == 429
    html = answer.content.decode()
    assert "Too many attempts in a short time" in html
    assert f'href="{reverse("account_login")}"' in html


def test_500_is_a_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("words of a call")

    client = client_of(Role.ADMINISTRATOR)
    client.raise_request_exception = False
    monkeypatch.setattr("oipsce_site.administration.views.people.list_people", broken)
    answer = client.get(reverse("administration:people"))
    assert answer.status_code == 500
    assert "The site could not answer this request" in answer.content.decode()
    assert "words of a call" not in answer.content.decode()


def test_the_icon_that_browsers_ask_for_is_there() -> None:
    answer = Client(headers=HOST).get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith(".svg")
