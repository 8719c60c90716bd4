"""Each address of administration times each role, read and sent, at the own site and elsewhere."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site
from tests.integration.administration.acts import asked
from tests.integration.views.permission_table import (
    ADMINISTRATION,
    ADMINISTRATION_ELSEWHERE,
    ADMINISTRATION_SHOWS,
    ROLES,
)

pytestmark = pytest.mark.django_db

CASES = [
    (name, role, status)
    for name, row in ADMINISTRATION.items()
    for role, status in zip(ROLES, row, strict=True)
]


@pytest.fixture
def north() -> Site:
    return make_site("north")


@pytest.fixture
def nora(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="nora")


def addresses(person: User, site: Site) -> dict[str, str]:
    """Return the address of every page for one person and one site."""
    held = Membership.objects.get(user=person)
    own: dict[str, list[UUID]] = {
        "administration:role-revocation": [person.pk, held.pk],
        "administration:request-answer": [person.pk, asked(person, Role.AUDITOR, site)],
        "administration:site": [site.pk],
        "administration:site-masking": [site.pk],
        "administration:site-standing": [site.pk],
    }
    plain = {"people", "new-person", "sites", "new-site"}
    return {
        name: reverse(
            name,
            args=[] if name.partition(":")[2] in plain else own.get(name, [person.pk]),
        )
        for name in ADMINISTRATION
    }


def client_of(role: str, site: Site) -> Client:
    client = Client()
    client.force_login(make_person(Role(role), site=site))
    return client


def test_the_table_names_every_address() -> None:
    _, resolver = get_resolver().namespace_dict["administration"]
    names = {f"administration:{name}" for name in resolver.reverse_dict if isinstance(name, str)}
    assert names == ADMINISTRATION.keys()


@pytest.mark.parametrize(("name", "role", "status"), CASES)
def test_read_at_the_own_site(name: str, role: str, status: int, nora: User, north: Site) -> None:
    answer = client_of(role, north).get(addresses(nora, north)[name])
    assert answer.status_code == status
    if status == 302:
        assert answer["Location"] in (
            reverse("administration:person", args=[nora.pk]),
            reverse("administration:site", args=[north.pk]),
        )


@pytest.mark.parametrize(("name", "status"), ADMINISTRATION_ELSEWHERE.items())
def test_an_auditor_of_another_site(name: str, status: int, nora: User, north: Site) -> None:
    answer = client_of("auditor", make_site("south")).get(addresses(nora, north)[name])
    assert answer.status_code == status


def test_an_auditor_of_another_site_reads_no_name(nora: User, north: Site) -> None:
    client = client_of("auditor", make_site("south"))
    assert b"nora" not in client.get(reverse("administration:people")).content
    assert b"North" not in client.get(reverse("administration:sites")).content


@pytest.mark.parametrize("name", sorted(ADMINISTRATION.keys() - ADMINISTRATION_SHOWS))
@pytest.mark.parametrize("role", [role for role in ROLES if role != "administrator"])
def test_only_administrators_send(name: str, role: str, nora: User, north: Site) -> None:
    before = User.objects.get(pk=nora.pk).revision
    address = addresses(nora, north)[name]
    answer = client_of(role, north).post(address, {"expected_revision": "2", "answer": "grant"})
    assert answer.status_code == 403
    assert "Only an administrator makes or changes" in answer.content.decode()
    assert User.objects.get(pk=nora.pk).revision == before + 1  # the request that addresses() made


@pytest.mark.parametrize("name", sorted(ADMINISTRATION_SHOWS))
def test_lists_only_show(name: str, north: Site) -> None:
    assert client_of("administrator", north).post(reverse(name)).status_code == 405


@pytest.mark.parametrize("name", ADMINISTRATION)
def test_a_stranger_is_sent_to_sign_in(name: str, nora: User, north: Site) -> None:
    answer = Client().get(addresses(nora, north)[name])
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("role", ["auditor", "administrator"])
def test_the_header_leads_there_only_whom_it_concerns(role: str, north: Site) -> None:
    link = f'href="{reverse("administration:people")}"'
    assert link in client_of(role, north).get(reverse("review:calls")).content.decode()
    assert link not in client_of("reviewer", north).get(reverse("review:calls")).content.decode()
