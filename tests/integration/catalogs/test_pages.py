"""The pages of catalogs over stored versions: what they say, and in how many queries."""

from __future__ import annotations

import hashlib
import re
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from catalogs.actions.versions import retire_version
from catalogs.models import CatalogVersion
from catalogs.queries import get_version_for, list_versions
from catalogs.queries.documents import _load
from catalogs.queries.outlines import _kept, findings_of
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.rehearsal import store_rehearsal
from tests.factories import (
    NOON,
    case,
    catalog_source,
    draft,
    in_review,
    make_person,
    make_site,
    prefilled,
    publish,
    publish_shipped,
    rehearsal_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

SLUG = "member-benefits-micro"
TODAY = date(2026, 11, 29)
STATES = ("DRAFT", "IN_REVIEW", "PUBLISHED", "RETIRED")
NEXT = ("version: 2.0.0", "version: 3.0.0")


@pytest.fixture(autouse=True)
def cold() -> None:
    """Forget what this process has read."""
    _kept.clear()
    _load.cache_clear()
    findings_of.cache_clear()


@pytest.fixture
def author() -> User:
    return make_person(Role.CATALOG_AUTHOR)


def page(where: str, *roles: Role, person: User | None = None) -> str:
    """Return a page's text without its tags, blanks folded."""
    html = html_of(where, *roles, person=person)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("&lt;", "<")


def html_of(where: str, *roles: Role, person: User | None = None) -> str:
    client = Client()
    client.force_login(person or make_person(*(roles or (Role.AUDITOR,))))
    answer = client.get(where)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def version_url(version: str = "2.0.0", slug: str = SLUG) -> str:
    return reverse("catalogs:version", args=[slug, version])


LIST = "/catalogs/"


def test_a_line_says_what_stands_behind_a_version() -> None:
    publish(catalog_source("micro"))
    said = page(LIST)
    assert "Member asks the plan about coverage and copay" in said
    for words in (
        "2.0.0 published",
        "from 2026-01-01",
        "◆ critical by law",
        "2 of 2",
        "✓ green",
        "✓ none",
    ):
        assert words in said


def test_calls_are_counted_for_the_sites_of_the_reader_only() -> None:
    publish(catalog_source("micro"))
    north, south = make_site("north"), make_site("south")
    prefilled(case(), north)
    theirs = make_person(Role.REVIEWER, site=north)
    others = make_person(Role.REVIEWER, site=south)
    assert "1 call judged" in page(version_url(), person=theirs)
    assert "0 calls judged" in page(version_url(), person=others)
    nobody = page(version_url(), Role.CATALOG_APPROVER)
    assert "calls judged" not in nobody
    assert "You read no site's calls." in html_of(LIST, Role.CATALOG_APPROVER).replace(
        "&#x27;", "'"
    )


def test_both_pages_link_to_the_calls_of_the_catalog() -> None:
    publish(catalog_source("micro"))
    wanted = f'href="{reverse("review:calls")}?catalog={SLUG}"'
    assert wanted in html_of(LIST)
    assert wanted in html_of(version_url())


def test_a_call_and_the_list_of_calls_link_to_the_version_that_judges() -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(case(), make_site("north"))
    wanted = f'href="{version_url()}"'
    assert wanted in html_of(reverse("review:calls"), Role.REVIEWER)
    assert wanted in html_of(reverse("review:call", args=[call_id]), Role.REVIEWER)


def test_a_state_narrows_the_list_and_an_empty_one_says_what_to_do(author: User) -> None:
    publish(catalog_source("micro"))
    draft(catalog_source("micro", NEXT), author)
    assert "3.0.0" not in page(f"{LIST}?state=published")
    assert "2.0.0" not in page(f"{LIST}?state=draft")
    nothing = page(f"{LIST}?state=retired")
    assert "No version stands like this. Take the filter away" in nothing
    assert "3.0.0" in page(f"{LIST}?state=nonsense")


def test_without_catalogs_the_list_says_why_and_who_publishes() -> None:
    said = page(LIST)
    assert "No catalog has been published yet." in said
    assert "an approver publishes it" in said
    assert "You hold no role yet" in page(LIST, person=make_person())


def test_the_lists_queries_do_not_grow(author: User, django_assert_num_queries: Any) -> None:
    publish(catalog_source("micro"))
    with django_assert_num_queries(2):
        list_versions(STATES, TODAY)
    with django_assert_num_queries(1):
        list_versions(STATES, TODAY)
    for number in range(3, 8):
        draft(catalog_source("micro", ("version: 2.0.0", f"version: {number}.0.0")), author)
    with django_assert_num_queries(2):
        assert len(list_versions(STATES, TODAY)) == 6


def test_a_pages_queries_are_fixed(author: User, django_assert_num_queries: Any) -> None:
    publish(catalog_source("micro"))
    with django_assert_num_queries(4):
        get_version_for(STATES, SLUG, "2.0.0", TODAY)
    draft(catalog_source("micro", NEXT), author)
    with django_assert_num_queries(3):
        found = get_version_for(STATES, SLUG, "2.0.0", TODAY)
    assert found is not None
    assert [other.version for other in found.others] == ["3.0.0"]


def test_whole_answers_take_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    publish_shipped()
    client = Client()
    client.force_login(make_person(Role.REVIEWER))
    for where in (LIST, version_url(slug="benefits-verification")):
        client.get(where)
        with django_assert_max_num_queries(12):
            client.get(where)


@pytest.mark.usefixtures("shipped_catalogs")
def test_every_shipped_version_has_a_page() -> None:
    for line in list_versions(STATES, TODAY):
        said = page(version_url(line.version, line.slug))
        assert "Order" in said
        assert "Lint has nothing to say of this text." in said
        assert "calibration waived" in said


@pytest.fixture
def shipped_catalogs() -> None:
    publish_shipped()


def test_the_page_says_who_published_it_and_what_it_rests_on() -> None:
    author = User.objects.create_user("ada", "Ada Author", "a password")
    approver = User.objects.create_user("apolo", "Apolo Approver", "a password")
    for person, role in ((author, Role.CATALOG_AUTHOR), (approver, Role.CATALOG_APPROVER)):
        person.memberships.create(role=role, granted_at=NOON)
    version_id = publish(catalog_source("micro"), author, approver)
    store_rehearsal(
        version_id=version_id,
        report_id=uuid4(),
        rehearsal=rehearsal_of(catalog_source("micro")),
        by="test",
        at=NOON + timedelta(minutes=1),
    )
    said = page(version_url())
    for words in (
        "drafted by Ada Author on 2026-11-29",
        "submitted by Ada Author on 2026-11-29",
        "published by Apolo Approver on 2026-11-29",
        "waived by Apolo Approver on 2026-11-29: for a test",
        "Judges calls where call.type is member_benefits",
        "45 CFR 164.514(h)(1)",
        "PID finishes before CSV starts (<), over the whole call",
        "Every critical edge was seen kept and broken.",
    ):
        assert words in said, words


def test_the_order_is_a_picture_with_words_and_a_table() -> None:
    publish(catalog_source("micro"))
    html = html_of(version_url())
    assert 'role="img" aria-labelledby="order-title order-words"' in html
    assert "Critical: PID must finish before CSV starts." in html
    assert html.count('class="curve is-critical"') == 2
    assert html.count('class="box"') == 3
    assert "The order as a table: 2 edges" in html


def test_the_text_is_handed_out_byte_for_byte() -> None:
    source = catalog_source("micro").replace(b"\n", b"\r\n")
    publish(source)
    client = Client()
    client.force_login(make_person(Role.REVIEWER))
    answer = client.get(reverse("catalogs:document", args=[SLUG, "2.0.0"]))
    assert hashlib.sha256(answer.content).digest() == hashlib.sha256(source).digest()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{SLUG}-2.0.0.yaml"'
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_lint_findings_stand_with_their_reference_text(author: User) -> None:
    why = 'rationale: "The copay of a named person is PHI; telling it to an unverified caller is a '
    draft(catalog_source("micro", (f'{why}disclosure.", ', "")), author)
    said = page(version_url())
    assert "✕ error E205 A critical edge without a rationale." in said
    assert "To mend: Say in one sentence who is harmed when the order is broken." in said
    assert "An error stops publishing." in said
    assert "This text has not been rehearsed." in said
    assert "not calibrated" in said
    assert "✕ 1 error" in page(LIST)


def test_an_order_with_a_cycle_is_named_not_drawn(author: User) -> None:
    draft(catalog_source("micro", ("parents: []", "parents: [CSV]")), author)
    said = page(version_url())
    assert "PID → CSV → PID" in said
    assert "take one parent out" in said
    assert "E204" in said


def test_a_version_in_review_waits_for_its_second_person(author: User) -> None:
    in_review(catalog_source("micro"), author, make_person(Role.CATALOG_APPROVER))
    said = page(version_url())
    assert "in review" in said
    assert "published by" not in said


def test_a_retired_version_keeps_its_page() -> None:
    approver = make_person(Role.CATALOG_APPROVER)
    version_id = publish(catalog_source("micro"), approver=approver)
    retire_version(version_id=version_id, last_day=date(2026, 12, 1), by=approver, at=NOON)
    said = page(version_url(), Role.REVIEWER)
    assert "2026-01-01 to 2026-12-01" in said
    assert "retired by" in said


def test_a_stored_text_that_cannot_be_read_breaks_neither_page(author: User) -> None:
    draft(catalog_source("micro"), author)
    CatalogVersion.objects.update(source=b"not the text that the digest names")
    assert "✕ cannot be read" in page(LIST)
    said = page(version_url())
    assert "The stored text of this version cannot be read" in said
    assert "drafted by" in said


def test_a_version_number_that_fits_no_address_is_listed_without_a_link(author: User) -> None:
    draft(catalog_source("micro", ("version: 2.0.0", "version: '2/0'")), author)
    assert "2/0 draft" in page(LIST)


def test_lint_is_of_the_day(author: User) -> None:
    draft(catalog_source("micro"), author)
    [today] = list_versions(STATES, TODAY)
    [later] = list_versions(STATES, date(2028, 1, 1))
    assert today.outline is not None
    assert later.outline is not None
    assert (today.outline.warnings, today.outline.errors) == (0, 0)
    assert later.outline.errors > 0


def test_nothing_a_page_shows_is_opened_from_a_call() -> None:
    publish(catalog_source("micro"))
    prefilled(case(), make_site("north"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM audit.entry")
        before = cursor.fetchone()
    page(LIST, Role.REVIEWER)
    page(version_url(), Role.REVIEWER)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM audit.entry")
        assert cursor.fetchone() == before
