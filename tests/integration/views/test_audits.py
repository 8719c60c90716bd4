"""The pages of audits: asked for by a form, watched, fetched; each says what it must."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.people.roles import Role
from oipsce_site.signing.store import open_store
from review.core.verify.bundle import Asked, verify_audit
from review.models import AuditExport
from review.tasks import export_waiting
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.signed import sign_stored

Committing = Callable[..., AbstractContextManager[object]]
# Not transactional: what is sealed would stay for tests that have other keys.
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True


@pytest.fixture
def officer(client: Client) -> Client:
    client.force_login(make_person(Role.COMPLIANCE_OFFICER))
    return client


def form(**changes: str) -> dict[str, str]:
    given = {
        "site": str(make_site().pk),
        "recipient": "State board",
        "purpose": "Inspection",
        "profile": "MINIMUM",
        "first_date": "",
        "last_date": "",
        "catalog": "",
        "verdict": "",
    }
    return {**given, **changes}


def test_an_audit_is_asked_for_built_and_fetched(
    officer: Client, bells: list[str], django_capture_on_commit_callbacks: Committing
) -> None:
    publish(catalog_source("micro"))
    sign_stored(prefilled(case()), make_person(Role.SENIOR_REVIEWER))
    with django_capture_on_commit_callbacks(execute=True):
        answer = officer.post(reverse("review:audits"), form())
    export = AuditExport.objects.get()
    page = reverse("review:audit", args=[export.pk])
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert "review.export_waiting" in bells
    assert "waiting" in officer.get(page).content.decode()
    export_waiting()
    shown = officer.get(page).content.decode()
    assert "1 signed call" in shown
    assert "1 in the audit" in shown
    fetched = officer.get(reverse("review:audit_file", args=[export.pk]))
    data = fetched.getvalue()
    assert fetched["Content-Length"] == str(len(data))
    assert "no-store" in fetched["Cache-Control"]
    now = datetime.now(UTC)
    asked = Asked(open_store(at=now).root_id(), now)
    assert verify_audit(io.BytesIO(data), asked).verdicts
    assert "State board" in officer.get(reverse("review:audits")).content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"recipient": ""}, "Say who receives the audit."),
        ({"purpose": " "}, "Say what the audit is for."),
        ({"first_date": "2026-02-02", "last_date": "2026-02-01"}, "first day is after the last"),
        ({"first_date": "yesterday"}, "Enter a valid date"),
        ({"profile": "ALL"}, "Select a valid choice"),
        ({"site": "00000000-0000-0000-0000-000000000000"}, "You do not export for this site"),
        ({"catalog": "other"}, "There is no such catalog"),
    ],
)
def test_a_form_that_makes_no_sense_comes_back(
    officer: Client, changes: dict[str, str], sentence: str
) -> None:
    make_site()
    answer = officer.post(reverse("review:audits"), form(**changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not AuditExport.objects.exists()


def test_a_full_audit_waits_until_another_officer_approves(officer: Client) -> None:
    publish(catalog_source("micro"))
    sign_stored(prefilled(case()), make_person(Role.SENIOR_REVIEWER))
    officer.post(reverse("review:audits"), form(profile="FULL"))
    export = AuditExport.objects.get()
    page, approve = (
        reverse(f"review:{name}", args=[export.pk]) for name in ("audit", "audit_approve")
    )
    own = officer.get(page).content.decode()
    assert "waits for a second person" in own
    assert "Take it back" in own
    assert "Approve and build" not in own
    assert officer.post(approve).status_code == 403
    second = Client()
    second.force_login(make_person(Role.COMPLIANCE_OFFICER, username="second-officer"))
    assert "Approve and build" in second.get(page).content.decode()
    assert second.post(approve).status_code == 302
    assert second.post(approve).status_code == 409
    export_waiting()
    second.get(reverse("review:audit_file", args=[export.pk])).getvalue()
    shown = officer.get(page).content.decode()
    assert "Approved by" in shown
    assert "Who fetched it" in shown
    assert "Nobody yet" not in shown


def test_an_audit_that_was_declined_says_by_whom(officer: Client) -> None:
    make_site()
    officer.post(reverse("review:audits"), form(profile="FULL"))
    export = AuditExport.objects.get()
    assert officer.post(reverse("review:audit_decline", args=[export.pk])).status_code == 302
    assert "declined it" in officer.get(reverse("review:audit", args=[export.pk])).content.decode()


def test_an_auditor_sees_the_list_and_no_form(client: Client) -> None:
    client.force_login(make_person(Role.AUDITOR))
    page = client.get(reverse("review:audits")).content.decode()
    assert "Export an audit" not in page
    assert client.post(reverse("review:audits"), form()).status_code == 403


def test_hostile_words_are_shown_as_words(officer: Client) -> None:
    officer.post(reverse("review:audits"), form(recipient="<script>x</script>"))
    page = officer.get(reverse("review:audits")).content.decode()
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
