"""Decisions by forms alone: all of it with JavaScript off, and every state accessible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, watch
from tests.functional.site import Site

DECIDER, PASSWORD = "row-decider", "a password"
_MAKE = """
from tests.factories import Role, case, make_person, make_site, prefilled
site = make_site("decisions")
make_person(Role.REVIEWER, site=site, username={name!r})
print(prefilled(case("case_b_call"), site))
"""
_END_HOLDS = """
from datetime import timedelta
from django.utils import timezone
from review.models import Call
held = Call.objects.filter(site__slug="decisions", held_by__isnull=False)
held.update(held_until=timezone.now() - timedelta(minutes=1))
"""

Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def path(site: Site, demo_passwords: dict[str, str]) -> str:
    """Make a reviewer with a Case B at a site of their own; returns the call's address."""
    assert demo_passwords  # the demo has published the catalogs
    call_id = site.manage("shell", given=_MAKE.format(name=DECIDER)).split()[-1]
    return f"/calls/{call_id}/"


def sign_in(page: Page) -> None:
    """Sign the reviewer in."""
    page.goto("/")
    page.get_by_label("User name or email").fill(DECIDER)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def open_row(page: Page, path: str, phase: str) -> Locator:
    """Select a row, and return the forms on its card."""
    page.goto(f"{path}?row={phase}#row-{phase}")
    forms = page.get_by_role("region", name=f"Decide {phase}")
    expect(forms).to_be_visible()
    return forms


def test_a_reviewer_corrects_and_confirms_without_javascript(
    open_context: OpenContext, path: str
) -> None:
    page = open_context(javascript=False).new_page()
    sign_in(page)
    forms = open_row(page, path, "PID")
    forms.get_by_role("button", name="Confirm as shown").click()
    expect(page.locator("#phase-row-PID")).to_contain_text("confirmed")
    forms = open_row(page, path, "CSV")
    forms.get_by_text("Correct start, finish or verdict").click()
    forms.get_by_label("Start").fill("60")
    forms.get_by_role("button", name="Set start").click()
    # Refused at its field, with what was typed.
    expect(forms.get_by_text("contradicts the proposal")).to_be_visible()
    expect(forms.get_by_label("Start")).to_have_value("60")
    forms.get_by_label("Why").first.fill("Before that she only greets.")
    forms.get_by_role("button", name="Set start").click()
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("the critical edge holds")
    expect(page.locator("#phase-row-CSV")).to_contain_text("needs a second person")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("52 < 42 is false")
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("the critical edge holds")
    page.get_by_role("button", name="Take back").click()


@pytest.mark.parametrize("look", [LOOKS[0], Look(400, "dark")], ids=str)
def test_the_states_of_a_card_are_accessible(
    open_context: OpenContext, path: str, look: Look, check_accessible: Check
) -> None:
    page, complaints = open_context(look).new_page(), list[str]()
    watch(page, complaints)
    sign_in(page)
    forms = open_row(page, path, "CRN")
    for summary in forms.locator("summary").all():
        summary.click()
    check_accessible(page)
    assert not complaints
    forms.get_by_label("Finish").fill("500")
    forms.get_by_role("button", name="Set finish").click()
    expect(forms.get_by_text("no turn 500")).to_be_visible()
    check_accessible(page)
    script = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(script)


def test_two_browsers_on_one_row_the_second_sees_both_versions(
    open_context: OpenContext, path: str, check_accessible: Check, site: Site
) -> None:
    name = "second-decider"
    site.manage(
        "shell",
        given=(
            "from tests.factories import Role, make_person, make_site\n"
            f"make_person(Role.REVIEWER, site=make_site('decisions'), username={name!r})\n"
        ),
    )
    first, second = open_context().new_page(), open_context().new_page()
    sign_in(first)
    second.goto("/")
    second.get_by_label("User name or email").fill(name)
    second.get_by_label("Password", exact=True).fill(PASSWORD)
    second.get_by_role("button", name="Sign in", exact=True).click()
    theirs, mine = open_row(first, path, "DCC"), open_row(second, path, "DCC")
    theirs.get_by_role("button", name="Confirm as shown").click()
    expect(first.locator("#phase-row-DCC")).to_contain_text("confirmed")
    # As long as the first is at the call nobody else decides on it (c01).
    site.manage("shell", given=_END_HOLDS)
    mine.get_by_text("Correct start, finish or verdict").click()
    mine.get_by_label("Finish").fill("105")
    mine.get_by_label("Why").nth(1).fill("They say it again.")
    mine.get_by_role("button", name="Set finish").click()
    conflict = mine.get_by_role("alert")
    expect(conflict).to_contain_text("Stored now")
    expect(mine.get_by_label("Finish")).to_have_value("105")
    expect(mine.get_by_text("They say it again.")).to_be_visible()
    check_accessible(second)
    mine.get_by_role("button", name="Set finish").click()
    expect(second.locator("#phase-row-DCC")).to_contain_text("105")
