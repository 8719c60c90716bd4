"""The pages of what-ifs: asked in one click, refused with a sentence, and who sees which calls."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.core.queue import QueueClass
from review.models import Call, WhatIf
from review.tasks import what_if_waiting
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.integration.review.test_what_ifs import LOOSE

pytestmark = pytest.mark.django_db

EARLY = LOOSE.replace(b"from: 2026-01-01", b"from: 2027-01-01", 1)


@pytest.fixture
def call_id() -> UUID:
    """A call that fails as it stands, under a site of its own."""
    publish(catalog_source("micro"))
    return prefilled(case(), make_site("north"))


def client_of(*roles: Role, site: Site | None = None) -> Client:
    client = Client()
    client.force_login(make_person(*roles, site=site or make_site("north")))
    return client


def asked(client: Client, **more: str) -> WhatIf:
    """Publish the loose version, ask what it changes, and let a worker do it."""
    publish(EARLY)
    where = reverse("review:what_ifs_of_version", args=["member-benefits-micro", "3.0.0"])
    sent = {
        "kind": "DECIDE",
        "site": str(make_site("north").pk),
        "catalog": "member-benefits-micro",
        **more,
    }
    answer = client.post(where, sent)
    assert answer.status_code == 302, answer.content.decode()
    what_if_waiting()
    return WhatIf.objects.get()


def test_who_reads_the_calls_gets_rows_and_others_ids(call_id: UUID) -> None:
    found = asked(client_of(Role.CATALOG_AUTHOR))
    page, file = (
        reverse(f"review:{name}", args=[found.pk]) for name in ("what_if", "what_if_file")
    )
    author = client_of(Role.CATALOG_AUTHOR)
    for words in (author.get(page).content, author.get(file).getvalue()):
        assert str(call_id).encode() in words
        assert b"case-micro" not in words
    senior = client_of(Role.SENIOR_REVIEWER)
    assert f"/calls/{call_id}/#t".encode() in senior.get(page).content
    assert b"case-micro" in senior.get(file).getvalue()
    elsewhere = client_of(Role.SENIOR_REVIEWER, site=make_site("south"))
    assert elsewhere.get(page).status_code == 404


def test_a_call_that_waits_for_a_blind_reader_stays_closed(call_id: UUID) -> None:
    found = asked(client_of(Role.CATALOG_AUTHOR))
    Call.objects.update(queue_class=QueueClass.BLIND.value)
    page = client_of(Role.SENIOR_REVIEWER).get(reverse("review:what_if", args=[found.pk])).content
    assert b"case-micro" not in page
    assert f"/calls/{call_id}/".encode() not in page


def test_last_weeks_calls_are_one_click_away(call_id: UUID) -> None:
    today = timezone.localdate()
    Call.objects.update(call_date=today - timedelta(days=6))
    found = asked(client_of(Role.SENIOR_REVIEWER), when="week", first="2020-01-01")
    assert (found.first_date, found.last_date) == (today - timedelta(days=6), today)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"kind": ""}, "Choose one of the two."),
        ({"site": "x"}, "You ask nothing there."),
        ({"catalog": "none"}, "There is no such catalog."),
        ({"first": "soon"}, "Write a day like 2026-11-01"),
        ({"first": "2027-01-01"}, "No call at North was judged by"),
    ],
)
def test_what_cannot_be_asked_is_said_on_the_page(
    call_id: UUID, sent: dict[str, str], sentence: str
) -> None:
    version = CatalogVersion.objects.get()
    where = reverse("review:what_ifs_of_version", args=["member-benefits-micro", version.version])
    whole = {
        "kind": "READ",
        "site": str(make_site("north").pk),
        "catalog": "member-benefits-micro",
        **sent,
    }
    answer = client_of(Role.CATALOG_AUTHOR).post(where, whole)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not WhatIf.objects.exists()


def test_the_review_page_has_what_it_would_change_and_the_progress_is_a_fragment(
    call_id: UUID,
) -> None:
    found = asked(client_of(Role.CATALOG_APPROVER))
    client = client_of(Role.CATALOG_APPROVER)
    page = client.get(reverse("catalogs:review", args=["member-benefits-micro", "3.0.0"]))
    assert "1 fail to pass (0 signed)" in page.content.decode()
    fragment = client.get(reverse("review:what_if_progress", args=[found.pk])).content.decode()
    assert fragment.strip().startswith("<div")
    assert "All 1 calls are compared" in fragment
    # Calling off what is over is told, and nothing else.
    assert client.post(reverse("review:what_if_cancel", args=[found.pk])).status_code == 302
