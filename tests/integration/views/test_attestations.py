"""Periods are attested over the counts that were shown, and what was attested never changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

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
from review.core.signoff.passkey import assertion_from_json, check_assertion
from review.forms.attesting import seal_fixed
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
from tests.signers import PASSWORD, Signer, attest, code_at, to_base64, with_app, with_passkey

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = reverse("review:attestations")
Change = Callable[[dict[str, str], Site], dict[str, str]]


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
    return typed(page, "code", {"code": code_at(datetime.now(UTC)), **changes})


def typed(page: str, prefix: str, changes: dict[str, str]) -> dict[str, str]:
    found = re.findall(rf'name="{prefix}-(seen|form_key|passkey)" value="([^"]+)"', page)
    given = {**dict(found), "agreed": "on", "password": PASSWORD, **changes}
    return {f"{prefix}-{name}": value for name, value in given.items()}


def begun(client: Client, **changes: str) -> tuple[str, int]:
    """Return the page that asks the passkey."""
    page = client.get(PAGE).content.decode()
    answer = client.post(PAGE, typed(page, "passkey", changes))
    return answer.content.decode(), answer.status_code


def answered(signer: Signer, html: str) -> dict[str, str]:
    """Return the form that the browser sends once the passkey has answered."""
    fields = dict(re.findall(r'<input type="hidden" name="(intent|fixed)" value="([^"]+)"', html))
    [digest] = re.findall(r"signs this digest: <code>([0-9a-f]{64})</code>", html)
    [credential] = re.findall(r'data-credential="([^"]+)"', html)
    made = signer.answer(bytes.fromhex(digest), site="testserver", origin="http://testserver")
    given = {
        "id": credential,
        "authenticatorData": to_base64(made.authenticator_data),
        "clientDataJSON": to_base64(made.client_data),
        "signature": to_base64(made.signature),
    }
    return {**fields, "credential": json.dumps(given)}


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
    assert 'type="password"' not in page


@pytest.fixture
def signer(north: Site) -> Signer:
    return with_passkey(make_person(Role.COMPLIANCE_OFFICER, site=north))


@pytest.fixture
def own(signer: Signer) -> Client:
    client = Client()
    client.force_login(signer.user)
    return client


def test_an_officer_attests_by_passkey_over_the_records_digest(own: Client, signer: Signer) -> None:
    html, status = begun(own)
    assert status == 200
    assert 'name="code-code"' not in own.get(PAGE).content.decode()
    sent = answered(signer, html)
    answer = own.post(PAGE, sent)
    made = Attestation.objects.get()
    assert answer["Location"] == reverse("review:attestation", args=[made.pk])
    record = json.loads(bytes(made.record))
    assert (record["assurance"], record["components"]) == ("signer-key", ["password", "passkey"])
    check_assertion(assertion_from_json(made.assertion), bytes.fromhex(made.digest), record["key"])
    assert "signer-key" in own.get(answer["Location"]).content.decode()
    # A double click: the first attestation is the answer.
    assert own.post(PAGE, sent).status_code == 302
    assert Attestation.objects.count() == 1


def spoil_signature(sent: dict[str, str], _north: Site) -> dict[str, str]:
    answer = json.loads(sent["credential"])
    return {**sent, "credential": json.dumps({**answer, "signature": answer["authenticatorData"]})}


def take_another_key(sent: dict[str, str], _north: Site) -> dict[str, str]:
    answer = json.loads(sent["credential"])
    return {**sent, "credential": json.dumps({**answer, "id": to_base64(b"another")})}


def bring_ones_own_record(sent: dict[str, str], _north: Site) -> dict[str, str]:
    data = json.dumps({"universe": {}, "at": "2026-11-29T12:00:00Z"}).encode()
    return {**sent, "fixed": seal_fixed(data, UUID(int=1))}


def move_the_counts(sent: dict[str, str], _north: Site) -> dict[str, str]:
    Call.objects.filter(external_id="waits").update(state="WITHDRAWN")
    return sent


def attest_meanwhile(sent: dict[str, str], north: Site) -> dict[str, str]:
    other = with_app(make_person(Role.COMPLIANCE_OFFICER, site=north))
    attest(other, north, at=datetime.now(UTC), days=last_month())
    return sent


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        (spoil_signature, 422, "does not sign this record"),
        (take_another_key, 422, "This passkey is not one of yours"),
        (bring_ones_own_record, 422, "The form came incomplete"),
        (lambda sent, _: {**sent, "fixed": sent["fixed"][:-1]}, 422, "The form came incomplete"),
        (lambda sent, _: {**sent, "credential": "{}"}, 422, "The form came incomplete"),
        (move_the_counts, 409, "The counts changed since this page was made"),
        (attest_meanwhile, 409, "The period was attested meanwhile"),
    ],
)
def test_an_answer_that_does_not_fit_attests_nothing(
    own: Client, signer: Signer, north: Site, change: Change, status: int, sentence: str
) -> None:
    sent = change(answered(signer, begun(own)[0]), north)
    before = Attestation.objects.count()
    answer = own.post(PAGE, sent)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert Attestation.objects.count() == before


def test_a_passkey_that_takes_too_long_attests_nothing(
    own: Client, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = answered(signer, begun(own)[0])
    monkeypatch.setattr("review.actions.attesting.LIFE", timedelta(seconds=-1))
    answer = own.post(PAGE, sent)
    assert (answer.status_code, Attestation.objects.count()) == (409, 0)
    assert "over two minutes ago" in answer.content.decode()


def test_the_passkey_is_not_asked_without_the_password(own: Client) -> None:
    html, status = begun(own, password="wrong")
    assert status == 422
    assert "This is not your password." in html
    assert "data-passkey" not in html


def test_an_auditor_reads_and_attests_nothing(north: Site) -> None:
    client = Client()
    client.force_login(with_app(make_person(Role.AUDITOR, site=north)))
    assert 'type="password"' not in client.get(PAGE).content.decode()
    assert client.post(PAGE, {}).status_code == 403
