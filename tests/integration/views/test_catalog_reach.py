"""Each address of catalogs times each role, for published versions and for drafts."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from oipsce_site.people.roles import Role
from tests.factories import catalog_source, draft, in_review, make_person, publish
from tests.integration.views.permission_table import (
    DRAFT_CATALOG,
    PUBLISHED_CATALOG,
    ROLELESS_CATALOG,
    ROLES,
    STUDIO,
    STUDIO_FORMS,
)

pytestmark = pytest.mark.django_db

SLUG = "member-benefits-micro"
NEXT = ("version: 2.0.0", "version: 3.0.0")


def cases(table: Mapping[str, tuple[int, ...]]) -> list[tuple[str, str, int]]:
    return [
        (name, role, status)
        for name, row in table.items()
        for role, status in zip(ROLES, row, strict=True)
    ]


def address(name: str, version: str = "2.0.0") -> str:
    return reverse(name, args=[] if name == "catalogs:catalogs" else [SLUG, version])


def client_of(role: str | None) -> Client:
    client = Client()
    client.force_login(make_person(Role(role)) if role else make_person())
    return client


def test_the_table_names_every_address_of_catalogs() -> None:
    _, resolver = get_resolver().namespace_dict["catalogs"]
    names = {f"catalogs:{name}" for name in resolver.reverse_dict if isinstance(name, str)}
    of_studio = STUDIO.keys() | STUDIO_FORMS.keys()
    assert names - of_studio == PUBLISHED_CATALOG.keys() == ROLELESS_CATALOG.keys()


@pytest.mark.parametrize(("name", "role", "status"), cases(PUBLISHED_CATALOG))
def test_a_published_version(name: str, role: str, status: int) -> None:
    publish(catalog_source("micro"))
    assert client_of(role).get(address(name)).status_code == status


@pytest.mark.parametrize("state", ["draft", "in review"])
@pytest.mark.parametrize(("name", "role", "status"), cases(DRAFT_CATALOG))
def test_a_version_before_publishing(name: str, role: str, status: int, state: str) -> None:
    author, source = make_person(Role.CATALOG_AUTHOR), catalog_source("micro", NEXT)
    if state == "draft":
        draft(source, author)
    else:
        in_review(source, author, make_person(Role.CATALOG_APPROVER))
    assert client_of(role).get(address(name, "3.0.0")).status_code == status


@pytest.mark.parametrize(("name", "status"), ROLELESS_CATALOG.items())
def test_a_person_without_any_role(name: str, status: int) -> None:
    publish(catalog_source("micro"))
    answer = client_of(None).get(address(name))
    assert answer.status_code == status
    assert SLUG.encode() not in answer.content


@pytest.mark.parametrize("name", PUBLISHED_CATALOG)
def test_a_stranger_is_sent_to_sign_in(name: str) -> None:
    answer = Client().get(address(name))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("name", PUBLISHED_CATALOG)
@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_only_show(name: str, method: str) -> None:
    assert getattr(client_of("catalog_author"), method)(address(name)).status_code == 405


@pytest.mark.parametrize("name", ["catalogs:version", "catalogs:document"])
def test_a_draft_that_is_not_theirs_looks_like_one_that_is_not_there(name: str) -> None:
    draft(catalog_source("micro", NEXT), make_person(Role.CATALOG_AUTHOR))
    reader = client_of("reviewer")
    foreign = reader.get(address(name, "3.0.0"))
    missing = reader.get(address(name, "9.9.9"))
    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert without_token(foreign.content) == without_token(missing.content)


def without_token(content: bytes) -> bytes:
    """Take the form token out, which is another one in each answer."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)


@pytest.mark.parametrize("where", ["/catalogs/NO such/1.0.0/", "/catalogs/x/", "/catalogs/x/1/2/3"])
def test_an_address_that_makes_no_sense_is_not_there(where: str) -> None:
    assert client_of("auditor").get(where).status_code == 404


def test_a_draft_is_not_even_counted_for_those_who_may_not_read_it() -> None:
    publish(catalog_source("micro"))
    draft(catalog_source("micro", NEXT), make_person(Role.CATALOG_AUTHOR))
    theirs = client_of("compliance_officer").get(address("catalogs:catalogs")).content.decode()
    ours = client_of("auditor").get(address("catalogs:catalogs")).content.decode()
    assert ("3.0.0" in theirs, "draft" in theirs) == (False, False)
    assert "3.0.0" in ours
    page = client_of("reviewer").get(address("catalogs:version")).content.decode()
    assert "Other versions" not in page
