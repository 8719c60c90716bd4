"""An administrator's way: an account from its making to its end, by two administrators."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import Look, OpenContext, SignIn, fits, type_in, watch
from tests.functional.site import Site

PASSWORD = "correct-horse-battery"
#: Makes who is missing, so that every module that runs before leaves no trace here.
MAKE_PEOPLE = f"""
import json
from uuid import uuid4
from django.utils import timezone
from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.actions.roles import Wish, request_role
from oipsce_site.administration.actions.sites import open_site
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
now = timezone.now()
west = open_site(site_id=uuid4(), slug="west", name="West clinic", by="test", at=now)
found = {{}}
for username, name, role in (
    ("ada-first", "Ada First", Role.ADMINISTRATOR),
    ("bea-second", "Bea Second", Role.ADMINISTRATOR),
    ("kim", "Kim Keyes", Role.REVIEWER),
    ("ana", "Ana Audits", Role.AUDITOR),
):
    who = Appointment(username, name, role, west)
    made = appoint_person(appointment=who, password="{PASSWORD}", by="test", at=now)
    found[username] = str(made.pk)
request_role(
    request_id=uuid4(), person_id=found["ana"], expected_revision=1,
    wish=Wish(Role.SENIOR_REVIEWER, west.pk, "covers the nights"),
    by=User.objects.get(username="bea-second"), at=now,
)
found["west"] = str(west.pk)
print(json.dumps(found))
"""

Check = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Ids:
    """Whom the tests visit."""

    kim: str
    ada: str
    ana: str
    west: str


@pytest.fixture(scope="module")
def ids(site: Site) -> Ids:
    """Make two administrators, a reviewer and a site."""
    found = json.loads(site.manage("shell", "--command", MAKE_PEOPLE).splitlines()[-1])
    return Ids(kim=found["kim"], ada=found["ada-first"], ana=found["ana"], west=found["west"])


def header_of(page: Page) -> Locator:
    """Return the navigation on top of every page."""
    return page.get_by_role("navigation", name="Main")


def test_an_account_from_its_making_to_its_end(
    open_context: OpenContext, ids: Ids, sign_in: SignIn
) -> None:
    """Without JavaScript: every step is a form and a page."""
    first = open_context(javascript=False).new_page()
    sign_in(first, "ada-first", PASSWORD)
    header_of(first).get_by_role("link", name="People").click()
    first.get_by_role("link", name="Make an account").click()
    first.get_by_label("Sign-in name").fill("lou")
    first.get_by_label("Printed name").fill("Lou Lane")
    first.get_by_role("button", name="Make the account").click()
    word = first.locator("code.password").inner_text()
    first.get_by_role("link", name="Noted; go to the account").click()
    lous_page = first.url
    first.get_by_text("Ask for a role", exact=True).click()
    first.get_by_label("Role", exact=True).select_option("reviewer")
    first.get_by_label("Site", exact=True).select_option(label="West clinic")
    first.locator("form[action$='/roles/']").get_by_label("Reason").fill("new on the team")
    first.get_by_role("button", name="Ask for the role").click()
    expect(first.get_by_text("You asked for it; a second administrator grants it.")).to_be_visible()

    second = open_context(javascript=False).new_page()
    sign_in(second, "bea-second", PASSWORD)
    header_of(second).get_by_role("link", name="People").click()
    expect(second.get_by_text("new on the team")).to_be_visible()
    second.get_by_role("button", name="Grant reviewer to Lou Lane").click()
    expect(second.get_by_text("The role is granted and counts from now on.")).to_be_visible()

    lou = open_context(javascript=False).new_page()
    type_in(lou, "lou", word)
    expect(lou.get_by_role("heading", name="Choose your own password")).to_be_visible()
    lou.get_by_label("One-time password").fill(word)
    lou.get_by_label("New password", exact=True).fill("my very own words")
    lou.get_by_label("New password again").fill("my very own words")
    lou.get_by_role("button", name="Change the password").click()
    lou.goto("/")
    expect(lou.get_by_text("Lou Lane")).to_be_visible()
    expect(lou.get_by_role("link", name="People")).to_have_count(0)

    first.goto(lous_page)
    expect(first.get_by_role("heading", name="Sessions")).to_be_visible()
    first.locator("form[action$='/standing/']").get_by_label("Reason").fill("moved on")
    first.get_by_role("button", name="Deactivate the account").click()
    expect(first.get_by_text("deactivated and its sessions are ended")).to_be_visible()
    lou.goto("/")
    expect(lou.get_by_role("heading", name="Sign in")).to_be_visible()


def test_two_administrators_at_one_name_lose_nothing(
    open_context: OpenContext, ids: Ids, sign_in: SignIn
) -> None:
    first, second = open_context().new_page(), open_context().new_page()
    sign_in(first, "ada-first", PASSWORD)
    sign_in(second, "bea-second", PASSWORD)
    first.goto(f"/people/{ids.kim}/")
    second.goto(f"/people/{ids.kim}/")
    first.get_by_label("Printed name").fill("Kim Keyes-Lane")
    first.get_by_role("button", name="Store").click()
    expect(first.get_by_text("Name and address are stored.")).to_be_visible()
    second.get_by_label("Printed name").fill("Kim Lane")
    second.get_by_role("button", name="Store").click()
    conflict = second.get_by_role("alert")
    expect(conflict).to_contain_text("Last changed by Ada First")
    expect(conflict.get_by_role("row", name="Printed name")).to_contain_text("Kim Keyes-Lane")
    expect(second.get_by_label("Printed name")).to_have_value("Kim Lane")
    second.get_by_role("button", name="Store").click()
    expect(second.get_by_role("heading", name="Kim Lane")).to_be_visible()


def test_the_pages_look_right(
    open_context: OpenContext,
    look: Look,
    ids: Ids,
    sign_in: SignIn,
    complaints: list[str],
    check_accessible: Check,
) -> None:
    page = open_context(look).new_page()
    watch(page, complaints)
    sign_in(page, "ada-first", PASSWORD)
    for path in (
        "/people/",
        "/people/new/",
        f"/people/{ids.kim}/",
        f"/people/{ids.ada}/",
        f"/people/{ids.ana}/",
        "/sites/",
        "/sites/new/",
        f"/sites/{ids.west}/",
        f"/sites/{ids.west}/adjudicator/",
        "/clients/new/",
        "/webhooks/",
        "/webhooks/new/",
        "/api/v1/docs",
        "/",
    ):
        page.goto(path)
        assert fits(page), path
        check_accessible(page)
    page.goto("/people/new/")
    page.get_by_label("Sign-in name").fill(f"new-{look}")
    page.get_by_label("Printed name").fill("Nell New")
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("heading", name="Hand this to Nell New")).to_be_visible()
    check_state(page, check_accessible)
    page.goto("/clients/new/")
    page.get_by_label("Site").select_option(label="West clinic")
    page.get_by_label("Name", exact=True).fill("dialler")
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_text("oip_")).to_be_visible()
    check_state(page, check_accessible)
    page.get_by_role("link", name="Noted; go on").click()
    expect(page.get_by_role("button", name="Revoke the key")).to_be_visible()
    check_state(page, check_accessible)
    page.get_by_role("link", name="← Clients").click()
    check_state(page, check_accessible)
    assert not complaints


def test_an_auditor_reads_and_changes_nothing(
    open_context: OpenContext, look: Look, ids: Ids, sign_in: SignIn, check_accessible: Check
) -> None:
    page = open_context(look).new_page()
    sign_in(page, "ana", PASSWORD)
    for path in ("/people/", f"/people/{ids.kim}/", "/sites/", f"/sites/{ids.west}/"):
        page.goto(path)
        check_state(page, check_accessible)
        expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)


def test_refused_and_conflicting_forms_look_right(
    open_context: OpenContext, look: Look, ids: Ids, sign_in: SignIn, check_accessible: Check
) -> None:
    page = open_context(look).new_page()
    sign_in(page, "ada-first", PASSWORD)
    page.goto("/people/new/")
    send_anyway(page)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_text("This field is required.").first).to_be_visible()
    check_state(page, check_accessible)

    page.goto(f"/people/{ids.kim}/")
    page.get_by_text("Ask for a role", exact=True).click()
    send_anyway(page)
    page.get_by_role("button", name="Ask for the role").click()
    expect(page.get_by_text("This field is required.").first).to_be_visible()
    check_state(page, check_accessible)

    page.goto(f"/people/{ids.kim}/")
    page.locator("#personform_expected_revision").evaluate("field => field.value = 0")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody else was faster")
    check_state(page, check_accessible)

    page.goto(f"/sites/{ids.west}/")
    page.locator("#siteform_expected_revision").evaluate("field => field.value = 0")
    page.get_by_role("button", name="Store").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody else was faster")
    check_state(page, check_accessible)


def test_error_pages_look_right(
    open_context: OpenContext, look: Look, ids: Ids, sign_in: SignIn, check_accessible: Check
) -> None:
    page = open_context(look).new_page()
    sign_in(page, "kim", PASSWORD)
    page.goto("/people/")
    expect(
        page.get_by_text("Only auditors and administrators see accounts and sites")
    ).to_be_visible()
    check_state(page, check_accessible)
    page.goto("/no/such/page/")
    expect(page.get_by_role("link", name="go to the calls you may read")).to_be_visible()
    check_state(page, check_accessible)


def send_anyway(page: Page) -> None:
    """Switch the browser's own checks off, so that the site's are seen."""
    page.evaluate("for (const form of document.forms) form.noValidate = true")


def check_state(page: Page, check_accessible: Check) -> None:
    """Check one state of a page."""
    assert fits(page)
    check_accessible(page)
