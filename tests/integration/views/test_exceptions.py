"""Exceptions on their page and beside counts: asked, approved by another, over by the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.models import ComplianceException, SignedLine
from review.queries.exceptions import count_excepted
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db

LIST = reverse("review:exceptions")


def today() -> date:
    return datetime.now(UTC).date()


@pytest.fixture
def line() -> SignedLine:
    """Return the line of a signed call that failed an edge and an item."""
    publish(catalog_source("micro"))
    sign_stored(prefilled(case()), make_person(Role.SENIOR_REVIEWER))
    failed = ["PID/name", "PID>CSV"]
    SignedLine.objects.update(failed=failed, judged=failed, selection="RANDOM", day=today())
    return SignedLine.objects.select_related("catalog_version__catalog").get()


@pytest.fixture
def officers() -> tuple[User, User]:
    return make_person(Role.COMPLIANCE_OFFICER), make_person(Role.COMPLIANCE_OFFICER)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(line: SignedLine, **changes: str) -> dict[str, str]:
    given = {
        "site": str(line.site_id),
        "what": f"{line.catalog_version.catalog.slug} PID>CSV",
        "reason": "SYSTEM",
        "words": "The payer's line was down",
        "first": today().isoformat(),
        "last": (today() + timedelta(days=30)).isoformat(),
    }
    return {**given, **changes}


def test_it_counts_once_another_officer_approves(
    line: SignedLine, officers: tuple[User, User]
) -> None:
    asker, other = map(signed_in, officers)
    assert asker.post(LIST, form(line)).status_code == 302
    found = ComplianceException.objects.get()
    approve = reverse("review:exception_approve", args=[found.pk])
    assert "Approve" not in asker.get(LIST).content.decode()
    assert asker.post(approve).status_code == 403
    assert count_excepted(SignedLine.objects.all()) == {}
    other.post(approve)
    page = asker.get(reverse("review:signed_calls")).content.decode()
    assert "1 excepted" in page
    rates = asker.get(reverse("review:failure_rates")).content.decode()
    assert '1 of 1 <span class="chip quiet">1 excepted</span>' in rates
    # The verdict stays what it was.
    assert SignedLine.objects.get().failed == line.failed
    assert "stands" in asker.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("days", "number"), [((-10, -1), 0), ((-10, 0), 1), ((0, 5), 1), ((1, 5), 0)]
)
def test_calls_of_its_days_alone_are_excepted(
    line: SignedLine, officers: tuple[User, User], days: tuple[int, int], number: int
) -> None:
    first, last = (today() + timedelta(days=one) for one in days)
    excepted(line, officers, first, last)
    assert sum(count_excepted(SignedLine.objects.all()).values()) == number


def excepted(line: SignedLine, officers: tuple[User, User], first: date, last: date) -> None:
    at = datetime.now(UTC)
    ComplianceException.objects.create(
        id=officers[0].pk,
        site_id=line.site_id,
        catalog=line.catalog_version.catalog.slug,
        name="PID",
        reason="OTHER",
        words="why",
        nonce=bytes(32),
        first=first,
        last=last,
        asked_by=officers[0],
        asked_at=at,
        approved_by=officers[1],
        approved_at=at,
    )


def test_what_is_taken_back_covers_later_calls_no_more(
    line: SignedLine, officers: tuple[User, User]
) -> None:
    excepted(line, officers, today() - timedelta(days=5), today() + timedelta(days=5))
    client = signed_in(officers[0])
    client.post(reverse("review:exception_end", args=[officers[0].pk]))
    assert "taken back" in client.get(LIST).content.decode()
    assert sum(count_excepted(SignedLine.objects.all()).values()) == 1
    SignedLine.objects.update(day=today() + timedelta(days=1))
    assert count_excepted(SignedLine.objects.all()) == {}
    again = client.post(reverse("review:exception_end", args=[officers[0].pk]), follow=True)
    assert "It is over already." in again.content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"words": " "}, "Say why"),
        ({"what": "micro OTHER"}, "This was judged nowhere"),
        ({"site": "00000000-0000-0000-0000-000000000000"}, "You do not oversee this site"),
        ({"first": "2020-01-01", "last": "2020-02-01"}, "over already"),
        ({"first": "2099-01-01", "last": "2020-02-01"}, "before the first"),
        ({"last": "2099-01-01"}, "a year at most"),
        ({"last": "soon"}, "Enter a valid date"),
    ],
)
def test_a_form_that_makes_no_sense_comes_back_with_what_was_typed(
    line: SignedLine, officers: tuple[User, User], changes: dict[str, str], sentence: str
) -> None:
    answer = signed_in(officers[0]).post(LIST, form(line, **changes))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert sentence in page
    assert "payer&#x27;s line" in page or "words" in changes
    assert not ComplianceException.objects.exists()


def test_an_auditor_reads_and_asks_for_nothing(line: SignedLine) -> None:
    client = signed_in(make_person(Role.AUDITOR))
    assert "Ask for an exception" not in client.get(LIST).content.decode()
    assert client.post(LIST, form(line)).status_code == 403


def test_exceptions_of_another_site_are_not_there(
    line: SignedLine, officers: tuple[User, User]
) -> None:
    excepted(line, officers, today(), today())
    south = signed_in(make_person(Role.COMPLIANCE_OFFICER, site=make_site("south")))
    assert "why" not in south.get(LIST).content.decode().partition("<main")[2].partition("cards")[2]
    for name in ("exception_approve", "exception_end"):
        assert south.post(reverse(f"review:{name}", args=[officers[0].pk])).status_code == 404
