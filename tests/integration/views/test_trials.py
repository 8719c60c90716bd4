"""The pages of trials: published on trial, what came of it, and who lets it decide."""

from __future__ import annotations

from datetime import date
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from catalogs.actions.trials import change_trial
from catalogs.models import CatalogVersion, VersionTrial
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models import Call
from review.tasks import shadow_waiting
from tests.factories import (
    NOON,
    case,
    catalog_source,
    in_review,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signed import sign_stored
from tests.trials import IN_SHADOW, canary, loose, publish_on_trial

pytestmark = pytest.mark.django_db

VERSION = ["member-benefits-micro", "3.0.0"]


@pytest.fixture
def north() -> Site:
    return make_site("north")


@pytest.fixture
def tried(north: Site) -> UUID:
    publish(catalog_source("micro"))
    return publish_on_trial(loose(), IN_SHADOW)


def client_of(*roles: Role, site: Site | None = None) -> Client:
    client = Client()
    client.force_login(make_person(*roles, site=site or make_site("north")))
    return client


def page_of(client: Client, name: str = "review:trial") -> str:
    """Return a page of the version on trial without its line breaks."""
    return " ".join(client.get(reverse(name, args=VERSION)).content.decode().split())


def send(client: Client, name: str = "review:trial", **form: str) -> tuple[int, str]:
    """Send a form to a page of the version on trial, as it was made a moment ago."""
    form = {"trials": str(VersionTrial.objects.count()), **form}
    answer = client.post(reverse(name, args=VERSION), form)
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize(
    ("form", "mode", "words"),
    [
        ({"mode": ""}, None, "published"),
        ({"mode": "SHADOW", "share": "30"}, ("SHADOW", 0), "in shadow"),
        ({"mode": "CANARY", "share": "10"}, ("CANARY", 10), "for 10 % of calls"),
    ],
)
def test_an_approver_chooses_how_a_version_begins(
    form: dict[str, str], mode: tuple[str, int] | None, words: str
) -> None:
    publish(catalog_source("micro"))
    later = loose().replace(b"from: 2026-01-01", b"from: 2026-06-01", 1)
    version = CatalogVersion.objects.get(
        pk=in_review(later, make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER))
    )
    approver = client_of(Role.CATALOG_APPROVER)
    assert "It decides at once" in page_of(approver, "catalogs:review")
    sent = {"step": "publish", "digest": version.digest, **form}
    assert send(approver, "catalogs:review", **sent)[0] == 302
    found = VersionTrial.objects.values_list("mode", "share").first()
    assert found == mode
    for name in ("catalogs:catalogs", "catalogs:version"):
        args = VERSION if name.endswith("version") else []
        assert words in approver.get(reverse(name, args=args)).content.decode()


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"mode": "CANARY"}, "Give a share from 1 to 99."),
        ({"mode": "CANARY", "share": "100"}, "Give a share from 1 to 99."),
        ({"mode": "SHADOW", "first_day": "soon"}, "Write a day like"),
        ({"mode": "SHADOW", "first_day": "2025-01-01"}, "not in force on 2025-01-01"),
    ],
)
def test_a_trial_that_makes_no_sense_is_refused_with_a_sentence(
    form: dict[str, str], sentence: str
) -> None:
    publish(catalog_source("micro"))
    author, approver = make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER)
    version = CatalogVersion.objects.get(pk=in_review(loose(), author, approver))
    sent = {"step": "publish", "digest": version.digest, **form}
    status, words = send(client_of(Role.CATALOG_APPROVER), "catalogs:review", **sent)
    assert (status, sentence in words) == (422, True)
    assert not VersionTrial.objects.exists()


def test_the_page_says_what_the_shadow_would_change(north: Site, tried: UUID) -> None:
    author = client_of(Role.CATALOG_AUTHOR)
    assert "No call has been read in its shadow yet." in page_of(author)
    call_id = prefilled(case(), north)
    shadow_waiting()
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=north))
    words = page_of(author)
    assert "1 of 1 verdicts would be others." in words
    assert '<span class="mark pass">fail to pass</span></th><td class="number">1</td>' in words
    assert str(call_id) in words
    assert "case-micro" not in words
    senior = page_of(client_of(Role.SENIOR_REVIEWER))
    assert f'<a href="/calls/{call_id}/">' in senior
    south = page_of(client_of(Role.SENIOR_REVIEWER, site=make_site("south")))
    assert "No call has been read in its shadow yet." in south


def test_a_version_that_was_never_tried_says_so() -> None:
    publish(loose())
    assert "This version was never on trial." in page_of(client_of(Role.CATALOG_AUTHOR))


def test_the_page_says_which_share_came_and_what_people_changed(north: Site, tried: UUID) -> None:
    assert canary(50).share == 50
    approver = make_person(Role.CATALOG_APPROVER)
    change_trial(version_id=tried, trial=canary(50), by=approver, at=NOON)
    assert "No call of its catalog and days has come in" in page_of(client_of(Role.AUDITOR))
    calls = [prefilled(read(raw_micro(id=f"call {number}")), north) for number in range(12)]
    judged = Call.objects.filter(catalog_version=tried).values_list("pk", flat=True)
    assert 0 < len(judged) < 12
    Call.objects.filter(pk__in=calls).exists()
    words = page_of(client_of(Role.SENIOR_REVIEWER))
    assert f"{len(judged)} of 12 calls that came in since were judged by it" in words
    assert "50 % were asked for." in words
    assert '<th scope="row">2.0.0</th>' in words


def test_an_approver_lets_it_decide(north: Site, tried: UUID) -> None:
    approver = client_of(Role.CATALOG_APPROVER)
    status, words = send(approver, step="decide", first_day="2026-01-01")
    assert (status, "Version 2.0.0 is in force from" in words) == (422, True)
    assert send(approver, step="decide", first_day="2026-03-01")[0] == 302
    assert CatalogVersion.objects.get(pk=tried).effective_from == date(2026, 3, 1)
    words = page_of(approver)
    assert "It decides calls from 2026-03-01 on" in words
    assert "End the trial" not in words


@pytest.mark.parametrize(
    "step",
    [
        {"step": "change", "mode": "CANARY", "share": "30"},
        {"step": "decide", "first_day": "2026-03-01"},
        {"step": "end"},
    ],
    ids=lambda step: step["step"],
)
def test_who_has_not_seen_how_it_is_tried_now_is_told_so(tried: UUID, step: dict[str, str]) -> None:
    one, other = client_of(Role.CATALOG_APPROVER), client_of(Role.CATALOG_APPROVER)
    assert 'name="trials" value="1"' in page_of(other)
    assert send(one, step="change", mode="CANARY", share="25")[0] == 302
    for stale in ({"trials": "1"}, {"trials": ""}):
        status, words = send(other, **step, **stale)
        assert (status, "was changed since you opened the page" in words) == (409, True)
    assert VersionTrial.objects.filter(ended_at=None).values_list("share", flat=True)[0] == 25
    assert send(other, **step)[0] == 302


def test_an_approver_tries_it_otherwise_and_ends_it(tried: UUID) -> None:
    approver = client_of(Role.CATALOG_APPROVER)
    assert send(approver, step="change", mode="CANARY")[0] == 422
    assert send(approver, step="change", mode="CANARY", share="25")[0] == 302
    assert "for 25 % of calls" in page_of(approver)
    assert send(approver, step="end")[0] == 302
    assert CatalogVersion.objects.get(pk=tried).state == "RETIRED"
    assert "The version was retired" in page_of(approver)


def test_nobody_else_does(tried: UUID) -> None:
    for role in (Role.CATALOG_AUTHOR, Role.AUDITOR, Role.SENIOR_REVIEWER):
        assert send(client_of(role), step="end")[0] == 403
    both = client_of(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER)
    assert send(both, step="decide", first_day="2026-03-01")[0] == 302
