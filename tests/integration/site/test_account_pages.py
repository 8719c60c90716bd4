"""The account pages a person can reach: each answers, and none promises mail that never comes."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    """Return the browser of an auditor."""
    client = Client(headers={"host": "localhost:8000"})
    client.force_login(make_person(Role.AUDITOR, site=make_site("north")))
    return client


@pytest.mark.parametrize(
    "name",
    ["mfa_index", "mfa_list_webauthn", "account_change_password", "account_logout"],
)
def test_a_person_reaches_their_own_sign_in(client: Client, name: str) -> None:
    answer = client.get(reverse(name), follow=True)
    assert answer.status_code == 200


def test_every_page_leads_to_the_persons_keys(client: Client) -> None:
    assert f'href="{reverse("mfa_index")}"' in client.get(reverse("review:calls")).content.decode()


@pytest.mark.parametrize("name", ["account_reset_password", "account_reset_password_done"])
def test_a_forgotten_password_is_an_administrators(name: str) -> None:
    visitor = Client(headers={"host": "localhost:8000"})
    answer = visitor.get(reverse(name))
    assert answer.status_code == 200
    assert "An administrator replaces it" in answer.content.decode()
    assert visitor.post(reverse(name), {"email": "a@example.org"}).status_code == 405


@pytest.mark.parametrize("address", ["/accounts/confirm-email/", "/accounts/confirm-email/x:y/"])
def test_no_page_promises_mail(address: str) -> None:
    answer = Client(headers={"host": "localhost:8000"}).get(address)
    assert answer.status_code == 200
    assert "No mail is sent from here" in answer.content.decode()


def test_the_door_says_what_it_asks_for() -> None:
    html = Client(headers={"host": "localhost:8000"}).get(reverse("account_login")).content.decode()
    assert 'autocomplete="username"' in html
    assert 'autocomplete="current-password"' in html
    described = set(re.findall(r'aria-describedby="([^"]+)"', html))
    assert described <= set(re.findall(r'id="([^"]+)"', html))


def test_no_address_is_asked_for(client: Client) -> None:
    answer = client.get(reverse("account_email"))
    assert answer.headers["Location"] == reverse("mfa_index")
    assert User.objects.count() == 1
