"""What the pages of administration tell whom; who gets which page is test_permissions."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import ApiClient, Membership, Site, User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site
from tests.integration.administration.acts import asked
from tests.integration.views.permission_table import (
    ADMINISTRATION,
    ADMINISTRATION_SHOWS,
)
from tests.programs import client_behind, make_webhook, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def north() -> Site:
    return make_site("north")


@pytest.fixture
def nora(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="nora")


def addresses(person: User, site: Site) -> dict[str, str]:
    """Return the address of every page for one person and one site."""
    held = Membership.objects.get(user=person)
    client, webhook = client_behind(program(site)).pk, make_webhook(site)
    own: dict[str, list[UUID]] = {
        "administration:role-revocation": [person.pk, held.pk],
        "administration:request-answer": [person.pk, asked(person, Role.AUDITOR, site)],
        "administration:site": [site.pk],
        "administration:adjudicator": [site.pk],
        "administration:adjudicator-switch": [site.pk],
        "administration:site-masking": [site.pk],
        "administration:site-standing": [site.pk],
        "administration:client": [client],
        "administration:client-revocation": [client],
        "administration:webhook-removal": [webhook],
    }
    plain = {"people", "new-person", "sites", "new-site"}
    plain |= {"clients", "new-client", "webhooks", "new-webhook"}
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


def test_what_takes_a_form_alone_leads_to_its_page(nora: User, north: Site) -> None:
    client = client_of("administrator", north)
    for name, where in addresses(nora, north).items():
        answer = client.get(where)
        if ADMINISTRATION[name][-1] == 302:
            assert answer["Location"] in (
                reverse("administration:person", args=[nora.pk]),
                reverse("administration:site", args=[north.pk]),
                reverse("administration:adjudicator", args=[north.pk]),
                reverse("administration:client", args=[ApiClient.objects.get().pk]),
                reverse("administration:webhooks"),
            )


def test_an_auditor_of_another_site_reads_no_name(nora: User, north: Site) -> None:
    client = client_of("auditor", make_site("south"))
    assert b"nora" not in client.get(reverse("administration:people")).content
    assert b"North" not in client.get(reverse("administration:sites")).content


@pytest.mark.parametrize("name", sorted(ADMINISTRATION.keys() - ADMINISTRATION_SHOWS))
@pytest.mark.parametrize("role", ["auditor", "catalog_author"])
def test_only_administrators_send(name: str, role: str, nora: User, north: Site) -> None:
    before = User.objects.get(pk=nora.pk).revision
    address = addresses(nora, north)[name]
    answer = client_of(role, north).post(address, {"expected_revision": "2", "answer": "grant"})
    assert answer.status_code == 403
    assert "Only administrators make or change" in answer.content.decode()
    assert User.objects.get(pk=nora.pk).revision == before + 1  # the request that addresses() made


@pytest.mark.parametrize("role", ["auditor", "administrator"])
def test_the_header_leads_there_only_whom_it_concerns(role: str, north: Site) -> None:
    link = f'href="{reverse("administration:people")}"'
    assert link in client_of(role, north).get(reverse("review:calls")).content.decode()
    assert link not in client_of("reviewer", north).get(reverse("review:calls")).content.decode()
