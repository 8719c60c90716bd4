"""Each address of the studio times each role; a role walks all of them in one test."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from catalogs.actions.drafts import Beginning, start_draft
from catalogs.models import Draft
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, make_person, publish
from tests.integration.views.permission_table import (
    ROLES,
    STUDIO,
    STUDIO_FORMS,
    STUDIO_TAKES_FORMS,
)

pytestmark = pytest.mark.django_db

SLUG = "member-benefits-micro"


@pytest.fixture
def draft_id() -> UUID:
    version_id = publish(catalog_source("micro"))
    return start_draft(
        draft_id=uuid4(),
        catalog_id=uuid4(),
        beginning=Beginning("A draft", catalog_source("micro"), version_id),
        by=make_person(Role.CATALOG_AUTHOR),
        at=NOON,
    )


def address(name: str, draft_id: UUID) -> str:
    if name in ("catalogs:compare", "catalogs:drafts"):
        return reverse(name)
    if name == "catalogs:review":
        return reverse(name, args=[SLUG, "2.0.0"])
    if "draft-text" in name and name != "catalogs:draft-texts":
        return reverse(name, args=[draft_id, 1])
    return reverse(name, args=[draft_id])


def client_of(role: str) -> Client:
    client = Client()
    client.force_login(make_person(Role(role)))
    return client


def wanted(table: Mapping[str, tuple[int, ...]], role: str) -> dict[str, int]:
    return {name: row[ROLES.index(role)] for name, row in table.items()}


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_gets_of_the_studio(role: str, draft_id: UUID) -> None:
    client = client_of(role)
    got = {name: client.get(address(name, draft_id)).status_code for name in STUDIO}
    assert got == wanted(STUDIO, role)
    for table in (STUDIO_FORMS, STUDIO_TAKES_FORMS):
        sent = {name: client.post(address(name, draft_id)).status_code for name in table}
        assert sent == wanted(table, role)
    if role != "catalog_author":
        draft = Draft.objects.get()
        assert (draft.last, draft.orders.count()) == (1, 0)


def test_a_draft_that_is_not_there_looks_like_one_that_is_not_theirs() -> None:
    author = client_of("catalog_author")
    for name in {*STUDIO, *STUDIO_FORMS} - {
        "catalogs:compare",
        "catalogs:drafts",
        "catalogs:review",
    }:
        where = address(name, uuid4())
        answer = author.post(where) if name in STUDIO_FORMS else author.get(where)
        assert answer.status_code == 404, name


def test_a_stranger_is_sent_to_sign_in() -> None:
    for name in (*STUDIO, *STUDIO_FORMS):
        answer = Client().get(address(name, uuid4()))
        assert answer["Location"].startswith(reverse("account_login")), name
