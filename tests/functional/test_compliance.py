"""The pages of compliance officers in a browser: at every width and scheme, without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.functional.conftest import Look, OpenContext, watch
from tests.functional.site import Site

OFFICER, PASSWORD = "overseer", "a password"
#: A signed Case B and one that waits, at a site of their own: the demo's are for others.
_MAKE = """
from contextlib import suppress
from django.utils import timezone
from review.actions.opening import open_for_review
from review.actions.proving import Proofs, prove_signer
from review.actions.refused_signing import UnableToSign
from review.models import Call, SignedLine
from tests.factories import Role, case, fill_all, make_person, make_site, raw_micro, read, take
from tests.integration.review.retention_acts import ask, hold
from tests.disputed import dispute
from tests.signed import sign_stored
from tests.signers import SESSION
site = make_site("overseen")
if not SignedLine.objects.filter(site=site).exists():
    senior = make_person(Role.SENIOR_REVIEWER, site=site)
    call_id = take(case("case_b_call"), site).call_id
    take(read(raw_micro(id="waits")), site)
    fill_all()
    open_for_review(call_id=call_id, by=senior, at=timezone.now())
    sign_stored(call_id, senior)
    SignedLine.objects.filter(site=site).update(selection="RANDOM")
    officer = make_person(Role.COMPLIANCE_OFFICER, site=site, username="overseer")
    hold(Call.objects.get(external_id="waits", site=site).pk, officer)
    ask(call_id, officer)
    for _ in range(3):
        with suppress(UnableToSign):
            prove_signer(proofs=Proofs(SESSION, password="no"), by=senior, at=timezone.now())
    dispute(call_id, senior, timezone.now())
"""
PAGES = {
    "signed_calls": "Signed calls",
    "failure_rates": "Failure rates of benefits-verification",
    "open_flags": "Open flags",
    "overturned": "Reopened calls, overturned rows",
    "disputes": "Disputes",
    "access_log": "Access log",
    "log_checks": "Decision log",
    "exceptions": "Exceptions",
    "attestations": "Attestations",
    "retention": "Retention",
    "signing_alerts": "Alerts",
    "verify_audit": "Verify an audit",
}


@pytest.fixture(scope="module")
def overseen(site: Site, demo_passwords: dict[str, str]) -> None:
    """Have calls to oversee."""
    assert demo_passwords, "the demo's catalogs judge these calls"
    site.manage("shell", given=_MAKE)


@pytest.mark.usefixtures("overseen")
def test_every_page_fits_and_is_open_to_everybody(
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    check_accessible: Callable[[Page], None],
) -> None:
    page = open_context(look).new_page()
    watch(page, complaints)
    enter(page)
    card = reverse("review:report_card", args=["benefits-verification", "2.0.0"])
    addresses = {reverse(f"review:{name}"): heading for name, heading in PAGES.items()}
    addresses |= {f"{reverse('review:report_cards')}?days=365": "Governance"}
    addresses |= {f"{card}?days=365&rate=x": "Report card"}
    for address, heading in addresses.items():
        page.goto(address)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(fits), address
        check_accessible(page)
    expect(page.get_by_role("heading", name="Starts by anchor")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("as a number")
    assert not complaints


@pytest.mark.usefixtures("overseen")
def test_an_officer_goes_from_a_rate_to_the_call_and_finds_it_in_the_access_log(
    open_context: OpenContext,
) -> None:
    page = open_context(javascript=False).new_page()
    enter(page)
    page.goto(reverse("review:failure_rates"))
    expect(page.get_by_role("img", name="PID → CSV, Random sample")).to_be_visible()
    expect(page.get_by_text("No call of this sample was judged on it.").first).to_be_visible()
    page.get_by_role("link", name="Signed calls").click()
    page.get_by_role("link", name="PID → CSV").click()
    expect(page.get_by_role("list", name="Filters that are on")).to_contain_text("PID → CSV")
    page.locator(".signed-table a.title").click()
    expect(page.get_by_role("region", name="Verdict")).to_be_visible()
    page.goto(reverse("review:access_log"))
    expect(page.locator("tbody tr").first).to_contain_text("compliance officer")


@pytest.mark.usefixtures("overseen")
def test_an_officer_answers_a_dispute_and_asks_for_the_reopening(
    open_context: OpenContext, check_accessible: Callable[[Page], None]
) -> None:
    page = open_context().new_page()
    enter(page)
    page.goto(reverse("review:disputes"))
    page.get_by_role("link", name="PID of").first.click()
    expect(page.get_by_text("the date was never said")).to_be_visible()
    check_accessible(page)
    page.get_by_role("combobox", name="Answer").select_option("OVERTURNED")
    page.get_by_label("Why").fill("It was not.")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("button", name="Ask to reopen the call")).to_be_visible()
    check_accessible(page)


@pytest.mark.usefixtures("overseen")
def test_an_officer_has_the_log_verified(open_context: OpenContext) -> None:
    page = open_context(javascript=False).new_page()
    enter(page)
    page.goto(reverse("review:log_checks"))
    page.get_by_role("button", name="Verify now").click()
    row = page.locator(".checks-table tbody tr").first
    for _ in range(60):
        if "verifies" in row.inner_text():
            break
        page.wait_for_timeout(500)
        page.goto(reverse("review:log_checks"))
    expect(row).to_contain_text("verifies")
    expect(row).to_contain_text("Some Body")


def enter(page: Page) -> None:
    page.goto(reverse("review:signed_calls"))
    page.get_by_label("User name or email").fill(OFFICER)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Signed calls")).to_be_visible()
