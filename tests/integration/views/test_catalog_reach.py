"""What the pages of catalogs tell of drafts; who gets which page is test_permissions."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.roles import Role
from tests.factories import catalog_source, draft, in_review, make_person, publish
from tests.integration.views.permission_table import (
    DRAFT_CATALOG,
    ROLES,
)

pytestmark = pytest.mark.django_db

SLUG = "member-benefits-micro"
NEXT = ("version: 2.0.0", "version: 3.0.0")


def address(name: str, version: str = "2.0.0") -> str:
    return reverse(name, args=[] if name == "catalogs:catalogs" else [SLUG, version])


def client_of(role: str | None) -> Client:
    client = Client()
    client.force_login(make_person(Role(role)) if role else make_person())
    return client


@pytest.mark.parametrize("name", DRAFT_CATALOG)
def test_a_version_in_review_is_read_by_those_who_read_drafts(name: str) -> None:
    author, source = make_person(Role.CATALOG_AUTHOR), catalog_source("micro", NEXT)
    in_review(source, author, make_person(Role.CATALOG_APPROVER))
    for role, status in zip(ROLES, DRAFT_CATALOG[name], strict=True):
        assert client_of(role).get(address(name, "3.0.0")).status_code == status, role


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


def test_a_person_without_any_role_reads_no_catalogs_name() -> None:
    publish(catalog_source("micro"))
    assert SLUG.encode() not in client_of(None).get(address("catalogs:catalogs")).content


def test_a_draft_is_not_even_counted_for_those_who_may_not_read_it() -> None:
    publish(catalog_source("micro"))
    draft(catalog_source("micro", NEXT), make_person(Role.CATALOG_AUTHOR))
    theirs = client_of("compliance_officer").get(address("catalogs:catalogs")).content.decode()
    ours = client_of("auditor").get(address("catalogs:catalogs")).content.decode()
    assert ("3.0.0" in theirs, "draft" in theirs) == (False, False)
    assert "3.0.0" in ours
    page = client_of("reviewer").get(address("catalogs:version")).content.decode()
    assert "Other versions" not in page
