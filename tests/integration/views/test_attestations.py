"""Periods are attested over the counts that were shown, and what was attested never changes."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.attesting import read_universe
from review.core.compliance.attestation import check_universe, digest_of
from review.core.compliance.periods import Step, period_of
from review.models import Attestation, Call, SignedLine
from tests.factories import (
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signed import sign_stored
from tests.signers import PASSWORD, attest, code_at, with_app

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = reverse("review:attestations")


def last_month() -> tuple[date, date]:
    today = datetime.now(UTC).date()
    one = period_of(period_of(today, Step.MONTH).first - timedelta(days=1), Step.MONTH)
    return one.first, one.last


@pytest.fixture
def north() -> Site:
    """Return a site with a signed call and one that waits, both of last month."""
    publish(catalog_source("micro"))
    site = make_site("north")
    sign_stored(prefilled(case(), site), make_person(Role.SENIOR_REVIEWER, site=site))
    prefilled(read(raw_micro(id="waits")), site)
    day = last_month()[0]
    Call.objects.update(call_date=day)
    SignedLine.objects.update(day=day)
    return site


@pytest.fixture
def officer(north: Site) -> User:
    return with_app(make_person(Role.COMPLIANCE_OFFICER, site=north))


@pytest.fixture
def client(officer: User) -> Client:
    client = Client()
    client.force_login(officer)
    return client


def form(client: Client, **changes: str) -> dict[str, str]:
    page = client.get(PAGE).content.decode()
    hidden = dict(re.findall(r'name="(seen|form_key)" value="([^"]+)"', page))
    given = {"agreed": "on", "password": PASSWORD, "code": code_at(datetime.now(UTC))}
    return {**hidden, **given, **changes}


def test_counts_are_of_the_site_and_period_and_add_up(north: Site) -> None:
    now = datetime.now(UTC)
    universe, _ = read_universe(north, *last_month(), now)
    check_universe(universe, now.date())
    counts = universe.counts
    assert (counts["calls"], counts["in_scope"]) == (2, 2)
    assert (counts["signed"], counts["in_review"], counts["unmapped"]) == (1, 1, 0)
    assert counts["signed_random"] + counts["signed_risk"] == 1
    assert sum(universe.versions.values()) == 1
    for site, days in ((make_site("south"), last_month()), (north, (date(2020, 1, 1),) * 2)):
        nothing, _ = read_universe(site, *days, now)
        assert set(nothing.counts.values()) == {0}


def test_an_officer_attests_and_the_record_is_what_was_shown(client: Client, north: Site) -> None:
    answer = client.post(PAGE, form(client))
    made = Attestation.objects.get()
    assert answer["Location"] == reverse("review:attestation", args=[made.pk])
    data = client.get(reverse("review:attestation_record", args=[made.pk])).content
    assert digest_of(data) == made.digest
    record = json.loads(data)
    assert record["universe"]["counts"]["signed"] == 1
    assert record["by"]["role"] == "compliance_officer"
    assert record["supersedes"] is None
    body = read_body([*entries_of(north.pk)][-1].body)
    assert body["type"] == "attestation.sign"
    assert made.digest in str(body["facts"])
    page = client.get(reverse("review:attestation", args=[made.pk])).content.decode()
    assert made.digest in page
    assert "server-attested" in page


def test_a_form_that_comes_twice_attests_once(client: Client) -> None:
    sent = form(client)
    client.post(PAGE, sent)
    assert client.post(PAGE, sent).status_code == 302
    assert Attestation.objects.count() == 1


def test_counts_that_moved_are_not_attested(client: Client, north: Site) -> None:
    sent = form(client)
    Call.objects.filter(external_id="waits").update(state="WITHDRAWN")
    answer = client.post(PAGE, sent)
    assert answer.status_code == 409
    assert "The counts changed since this page was made" in answer.content.decode()
    assert not Attestation.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password": "wrong"}, "This is not your password."),
        ({"code": "000000"}, "This code is wrong"),
        ({"agreed": ""}, "Say that you have looked at the counts."),
        ({"code": ""}, "Type the six digits"),
        ({"seen": "x"}, "The form came incomplete"),
    ],
)
def test_what_is_wrong_attests_nothing(
    client: Client, changes: dict[str, str], sentence: str
) -> None:
    answer = client.post(PAGE, form(client, **changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Attestation.objects.exists()


def test_a_later_attestation_supersedes_and_names_the_one_before(
    officer: User, client: Client, north: Site
) -> None:
    now = datetime.now(UTC)
    first = Attestation.objects.get(pk=attest(officer, north, at=now, days=last_month()))
    other = with_app(make_person(Role.COMPLIANCE_OFFICER, site=north))
    second = Attestation.objects.get(pk=attest(other, north, at=now, days=last_month()))
    assert json.loads(bytes(second.record))["supersedes"] == first.digest
    assert (first.number, second.number) == (1, 2)
    pages = [
        client.get(reverse("review:attestation", args=[one.pk])).content.decode()
        for one in (first, second)
    ]
    assert ["superseded</span>" in page for page in pages] == [True, False]


def test_the_database_refuses_every_change_of_an_attestation(officer: User, north: Site) -> None:
    attest(officer, north, at=datetime.now(UTC), days=last_month())
    for change in (
        lambda: Attestation.objects.update(number=9),
        lambda: Attestation.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_a_period_that_is_not_over_is_not_offered(client: Client) -> None:
    first = period_of(datetime.now(UTC).date(), Step.MONTH).first
    page = client.get(f"{PAGE}?first={first.isoformat()}").content.decode()
    assert f"Attest {period_of(last_month()[0], Step.MONTH).name}" in page


def test_who_has_no_app_is_told_where_to_set_one_up(north: Site) -> None:
    client = Client()
    client.force_login(make_person(Role.COMPLIANCE_OFFICER, site=north))
    page = client.get(PAGE).content.decode()
    assert reverse("mfa_index") in page.partition("<main")[2]
    assert 'name="password"' not in page


def test_an_auditor_reads_and_attests_nothing(north: Site) -> None:
    client = Client()
    client.force_login(with_app(make_person(Role.AUDITOR, site=north)))
    assert 'name="password"' not in client.get(PAGE).content.decode()
    assert client.post(PAGE, {}).status_code == 403
