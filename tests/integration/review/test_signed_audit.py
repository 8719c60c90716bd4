"""A call signed by the product's own actions is exported, and a stranger's verifier agrees."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from oipsce_site.ledger.queries import verify
from oipsce_site.people.roles import Role
from oipsce_site.signing.store import open_store
from review.actions.exports import Wish, approve_export, fetch_export, request_export
from review.actions.opening import open_for_review
from review.actions.reopening import ask_to_reopen, reopen_call
from review.actions.rosters import sign_site_roster
from review.core.decisions import Ask, Kind
from review.core.signoff.record import Assurance, decode_signoff
from review.core.verify.bundle import Asked, Verified, verify_audit
from review.models import Call, PhaseRow, ProfileCode, SignOff
from review.tasks import export_waiting
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
from tests.integration.review.batch_acts import (
    asked_batch,
    batch_by_code,
    begin_batch,
    complete_batch,
    without_critical_edges,
)
from tests.signers import (
    Signer,
    act,
    asked_now,
    begin,
    code_at,
    complete,
    read_and_decide,
    sign_by_code,
    with_app,
    with_passkey,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True


@pytest.fixture
def ann() -> Signer:
    return with_passkey(with_app(make_person(Role.REVIEWER)))


@pytest.fixture
def ready(ann: Signer) -> UUID:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    read_and_decide(call_id, ann.user, at=now())
    return call_id


def now() -> datetime:
    return datetime.now(UTC)


def audit() -> Verified:
    """Export everything that is signed at the site, and verify it."""
    officer, export_id = make_person(Role.COMPLIANCE_OFFICER), uuid4()
    wish = Wish(profile=ProfileCode.FULL, recipient="State board", purpose="Inspection")
    request_export(export_id=export_id, site=make_site(), wish=wish, by=officer, at=now())
    second = make_person(Role.COMPLIANCE_OFFICER)
    approve_export(export_id=export_id, by=second, at=now())
    export_waiting()
    data = b"".join(fetch_export(export_id=export_id, by=officer, at=now()))
    return verify_audit(io.BytesIO(data), Asked(open_store(at=now()).root_id(), now()))


@pytest.mark.parametrize("by_passkey", [True, False])
def test_either_way_of_signing_verifies(by_passkey: bool, ready: UUID, ann: Signer) -> None:
    if by_passkey:
        complete(ann, ready, begin(ann, ready, at=now()), at=now())
    else:
        sign_by_code(ann.user, ready, at=now())
    found = audit()
    expected = Assurance.SIGNER_KEY if by_passkey else Assurance.SERVER_ATTESTED
    assert [one.signoff.assurance for _, one in found.signatures] == [expected]
    assert found.count(expected) == 1


def test_f11_a_signature_after_a_clock_that_went_back_has_the_servers_time_and_verifies(
    ready: UUID, ann: Signer
) -> None:
    behind = now() - timedelta(minutes=2)
    complete(ann, ready, begin(ann, ready, at=behind), at=behind)
    [(_, signed)] = audit().signatures
    assert signed.signoff.at == behind
    assert verify(ready) == []


def test_f23_a_catalog_published_meanwhile_changes_nothing_of_an_open_review(
    ready: UUID, ann: Signer
) -> None:
    before = list(PhaseRow.objects.filter(call=ready).order_by("position").values())
    judged_by = Call.objects.get(pk=ready).catalog_version
    asked = asked_now(ready)
    page = Client()
    page.force_login(ann.user)
    assert "was published on" not in page.get(f"/calls/{ready}/").content.decode()
    newer = (("version: 2.0.0", "version: 2.1.0"), ("from: 2026-01-01", "from: 2026-06-01"))
    publish(catalog_source("micro", *newer), at=now())
    told = page.get(f"/calls/{ready}/").content.decode()
    assert re.search(
        r"Version 2\.1\.0 of this catalog was published on \S+ for calls from 2026-06-01\. This "
        r"review stays with 2\.0\.0\.",
        told,
    )
    complete(ann, ready, begin(ann, ready, asked, at=now()), at=now())
    [signed] = SignOff.objects.all()
    assert judged_by is not None
    assert decode_signoff(bytes(signed.record)).content.catalog_digest == judged_by.digest
    assert Call.objects.get(pk=ready).catalog_version == judged_by
    assert list(PhaseRow.objects.filter(call=ready).order_by("position").values()) == before
    assert "was published on" not in page.get(f"/calls/{ready}/").content.decode()


@pytest.mark.parametrize("by_passkey", [True, False])
def test_calls_signed_in_one_act_verify_each_by_itself(by_passkey: bool, ann: Signer) -> None:
    publish(without_critical_edges())
    calls = [prefilled(read(raw_micro(id=f"call-{number}"))) for number in range(3)]
    for one in calls:
        read_and_decide(one, ann.user, at=now())
    wish = asked_batch(calls, shown_at=now() - timedelta(seconds=2))
    if by_passkey:
        complete_batch(ann, begin_batch(ann, wish, at=now()), at=now())
    else:
        at = now()
        batch_by_code(ann, wish, at=at, code=code_at(at))
    found = audit()
    assert len(found.signatures) == len(found.verdicts) == 3
    assert {one.in_batch for _, one in found.signatures} == {by_passkey}
    expected = Assurance.SIGNER_KEY if by_passkey else Assurance.SERVER_ATTESTED
    assert found.count(expected) == 3


def test_signatures_are_held_against_the_roster_of_the_last_ceremony(
    ready: UUID, ann: Signer
) -> None:
    complete(ann, ready, begin(ann, ready, at=now()), at=now())
    store = open_store(at=now())
    sign_site_roster(site=make_site(), store=store, root_file=None, by="test", at=now())
    assert audit().listed == 1


def test_a_call_that_was_reopened_changed_and_signed_anew_verifies(
    ready: UUID, ann: Signer
) -> None:
    sue = make_person(Role.SENIOR_REVIEWER)
    complete(ann, ready, begin(ann, ready, at=now()), at=now())
    ask_to_reopen(call_id=ready, reason="why", by=ann.user, at=now())
    reopen_call(call_id=ready, reason="why", by=sue, at=now())
    open_for_review(call_id=ready, by=ann.user, at=now())
    act(ready, Ask(Kind.CONFIRM, "PID"), ann.user, at=now())
    sign_by_code(ann.user, ready, at=now())
    assert [one.stands for _, one in audit().signatures] == [False, True]
