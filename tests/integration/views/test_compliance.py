"""The pages of compliance officers: what they show, keep apart, and hand out as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.ledger import queries as ledger_queries
from oipsce_site.ledger.core.chain import ChainFinding
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from oipsce_site.people.roles import Role
from review.actions.log_checks import claim_log_check, fail_log_check
from review.actions.opening import open_for_review
from review.models import Call, LogCheck, SignedLine
from review.tasks import check_log, log_checks
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

pytestmark = pytest.mark.django_db

PAGES = ("signed_calls", "failure_rates", "open_flags", "overturned", "access_log", "log_checks")


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True


@pytest.fixture
def officer(client: Client) -> Client:
    client.force_login(make_person(Role.COMPLIANCE_OFFICER))
    return client


@pytest.fixture
def signed(client: Client) -> Call:
    """Return the signed micro case, which a person has opened."""
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    senior = make_person(Role.SENIOR_REVIEWER)
    open_for_review(call_id=call_id, by=senior, at=datetime.now(UTC))
    sign_stored(call_id, senior)
    return Call.objects.get()


def text_of(client: Client, name: str, query: str = "") -> str:
    answer = client.get(reverse(f"review:{name}") + query)
    assert answer.status_code == 200
    return answer.content.decode()


def rows_of(client: Client, name: str, query: str = "") -> list[list[str]]:
    answer = client.get(reverse(f"review:{name}") + query)
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.reader(io.StringIO(answer.getvalue().decode())))


def test_every_page_says_what_to_do_while_there_is_nothing(officer: Client) -> None:
    sentences = (
        "No call of your sites has been signed yet.",
        "No call of these sites and dates has been signed.",
        "No row of an open call waits for a person.",
        "No row was decided against",
        "Nobody has opened a call of your sites yet.",
        "The log has not been verified here yet.",
    )
    for name, sentence in zip(PAGES, sentences, strict=True):
        assert sentence in text_of(officer, name), name


def test_a_signed_call_is_listed_and_saved(officer: Client, signed: Call) -> None:
    page = text_of(officer, "signed_calls")
    assert "1 signed call" in page
    assert reverse("review:call", args=[signed.pk]) in page
    head, row = rows_of(officer, "signed_calls_file")
    assert dict(zip(head, row, strict=True))["call"] == str(signed.pk)
    assert rows_of(officer, "signed_calls_file", "?verdict=pass") == [head]


@pytest.mark.parametrize("name", PAGES)
def test_an_address_that_makes_no_sense_is_still_a_page(
    officer: Client, signed: Call, name: str
) -> None:
    nonsense = "&".join(
        f"{field}={value}"
        for field in (
            *("site", "catalog", "version", "verdict", "edge", "reviewer", "sample", "first"),
            *("last", "step", "about", "before", "after", "below", "above", "kind", "late"),
            *("by", "call", "rows", "signatures"),
        )
        for value in ("%00", "9" * 18 + "-" + "9" * 18)
    )
    assert text_of(officer, name, f"?{nonsense}")
    far = "before=99999999999999999-9223372036854775808&first=9999-12-31&last=9999-12-31"
    assert text_of(officer, name, f"?{far}&rows={'9' * 18}&signatures=1&below=9-0-1")


def test_no_cell_of_a_file_is_a_formula(officer: Client) -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(read(raw_micro(id='=HYPERLINK("http://evil")')))
    senior = make_person(Role.SENIOR_REVIEWER)
    open_for_review(call_id=call_id, by=senior, at=datetime.now(UTC))
    sign_stored(call_id, senior)
    _, row = rows_of(officer, "signed_calls_file")
    assert row[1] == '\'=HYPERLINK("http://evil")'
    _, opening = rows_of(officer, "access_log_file")
    assert opening[5].startswith("'=")


def test_two_samples_stand_beside_each_other(officer: Client, signed: Call) -> None:
    SignedLine.objects.update(selection="RANDOM", failed=["PID/name"], judged=["PID/name"])
    page = text_of(officer, "failure_rates", "?about=PID/name")
    assert "1 signed call of the random sample" in page
    assert "0 signed calls selected by risk" in page
    assert "1 of 1" in page
    assert "none judged" in page
    assert "No call of this sample was judged on it." in page
    head, *rows = rows_of(officer, "failure_rates_file")
    assert [dict(zip(head, row, strict=True))["sample"] for row in rows] == ["random"]


def test_what_would_bend_a_rate_narrows_nothing(officer: Client, signed: Call) -> None:
    SignedLine.objects.update(selection="RISK")
    whole = rows_of(officer, "failure_rates_file")
    assert len(whole) > 1
    for query in ("?verdict=pass", "?edge=A>B", "?sample=random", f"?reviewer={uuid4()}"):
        assert rows_of(officer, "failure_rates_file", query) == whole


def test_the_access_log_names_who_opened(officer: Client, signed: Call) -> None:
    page = text_of(officer, "access_log")
    assert "Some Body" in page
    assert "senior reviewer" in page
    head, row = rows_of(officer, "access_log_file", f"?call={signed.pk}")
    assert dict(zip(head, row, strict=True))["role"] == "senior_reviewer"
    assert rows_of(officer, "access_log_file", f"?call={uuid4()}") == [head]


def test_lists_open_no_call(officer: Client, signed: Call) -> None:
    before = len(list(ledger_queries.entries_of(signed.pk)))
    for name in PAGES:
        page = text_of(officer, name)
        assert "knee scan" not in page
    assert len(list(ledger_queries.entries_of(signed.pk))) == before


def test_an_officer_of_another_site_sees_none_of_it(client: Client, signed: Call) -> None:
    south = make_site("south")
    client.force_login(make_person(Role.COMPLIANCE_OFFICER, site=south))
    for name in PAGES:
        assert "micro example" not in text_of(client, name)
    for name in ("signed_calls_file", "failure_rates_file", "access_log_file"):
        assert len(rows_of(client, name)) == 1
    query = f"?site={signed.site.slug}"
    for name in PAGES:
        assert "micro example" not in text_of(client, name, query)


def test_pages_take_as_many_queries_for_many_calls_as_for_one(
    officer: Client, signed: Call
) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            text_of(officer, name)
        return len(asked)

    before = {name: min(queries(name), queries(name)) for name in PAGES}
    by = make_person(Role.SENIOR_REVIEWER)
    for number in range(2):
        sign_stored(prefilled(read(raw_micro(id=f"more-{number}"))), by)
    assert {name: queries(name) for name in PAGES} == before
    assert max(before.values()) <= 15


def test_the_log_is_verified_when_an_officer_asks(officer: Client, signed: Call) -> None:
    answer = officer.post(reverse("review:log_verify"))
    assert answer["Location"] == reverse("review:log_checks")
    assert "A verification is under way" in text_of(officer, "log_checks")
    # A second click finds it waiting.
    officer.post(reverse("review:log_verify"))
    assert LogCheck.objects.count() == 1
    check_log()
    page = text_of(officer, "log_checks")
    assert "Every chain and every checkpoint verifies." in page
    assert signed.site.name in page
    kinds = [entry.body for entry in ledger_queries.entries_of(ORGANISATION_CHAIN)]
    assert any(b'"type":"log.check_ask"' in body for body in kinds)
    assert any(b'"type":"log.check",' in body for body in kinds)


def test_a_broken_chain_is_an_alarm_that_says_what_to_do(
    officer: Client, signed: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(chain_id: object) -> Iterator[ChainFinding]:
        if chain_id == signed.pk:
            yield ChainFinding("LOG-E005", signed.pk, 2, "its hash is another")

    monkeypatch.setattr(log_checks, "verify", lambda chain: list(broken(chain)))
    officer.post(reverse("review:log_verify"))
    check_log()
    page = text_of(officer, "log_checks")
    assert "The log does not verify: 1 fault found." in page
    assert "LOG-E005" in page
    assert "keep it as it is" in page
    elsewhere = Client()
    elsewhere.force_login(make_person(Role.COMPLIANCE_OFFICER, site=make_site("south")))
    other = text_of(elsewhere, "log_checks")
    assert str(signed.pk) not in other
    assert "1 fault is in chains of sites that are not yours" in other


def test_a_verification_that_breaks_off_is_tried_again_and_then_said(officer: Client) -> None:
    officer.post(reverse("review:log_verify"))
    now = datetime.now(UTC)
    for _ in range(3):
        started = claim_log_check(at=now)
        assert started is not None
        assert claim_log_check(at=now) is None
        fail_log_check(started=started, failure="OperationalError", by="w", at=now)
    assert "broke off: OperationalError" in text_of(officer, "log_checks")
    assert claim_log_check(at=now) is None


def test_a_verification_of_a_lost_worker_is_taken_over(officer: Client) -> None:
    officer.post(reverse("review:log_verify"))
    now = datetime.now(UTC)
    lost = claim_log_check(at=now)
    taken = claim_log_check(at=now + timedelta(minutes=3))
    assert lost is not None
    assert taken is not None
    assert (taken.id, taken.attempt) == (lost.id, lost.attempt + 1)


def test_an_auditor_reads_and_asks_for_nothing(client: Client) -> None:
    client.force_login(make_person(Role.AUDITOR))
    assert "Verify now" not in text_of(client, "log_checks")
    assert client.post(reverse("review:log_verify")).status_code == 403
    assert not LogCheck.objects.exists()
