"""A person says how a call is to be read, with and without scripts, in every look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Look, OpenContext, SignIn, fits, watch
from tests.functional.site import Site

Check = Callable[[Page], None]
OpenPage = Callable[[Page], None]

TEXT = """[00:02] Doctor: Good morning. May I have your full name and date of birth please?
[00:09] Patient: Robin Vale, the third of May nineteen seventy.
[00:15] Doctor: Thank you. What brings you in today?
[00:14] Patient: A cough for two weeks, mostly at night.
[00:24] Speaker 3: Sorry, the interpreter here, could you say that again?
[00:31] Doctor: Any blood, or pain in your chest?
[00:36] Patient: No blood.
"""


@pytest.fixture
def waiting(
    site: Site, demo_passwords: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> str:
    """Import a text whose roles, date and order are open; return its id."""
    assert demo_passwords, "the demo's site takes the call"
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[:80]
    file = tmp_path / f"{name}.txt"
    file.write_text(TEXT, encoding="utf-8")
    site.manage("import_calls", str(file), "--site", "north")
    return name


@pytest.fixture
def open_page(sign_in: SignIn, demo_passwords: dict[str, str], waiting: str) -> OpenPage:
    """Return a function that signs the compliance officer in and goes from the list to the mapping
    of the call.
    """

    def to_the_mapping(page: Page) -> None:
        sign_in(page, "compliance", demo_passwords["compliance"])
        page.get_by_role("link", name=waiting, exact=True).click()
        page.get_by_role("link", name="Say how it is to be read").click()
        expect(page.get_by_role("heading", name="How is this call to be read?")).to_be_visible()

    return to_the_mapping


def choose_catalog(page: Page) -> None:
    """Say type and date, and have the page show the roles of the catalog."""
    page.get_by_label("Type of call").select_option("respiratory_history")
    page.get_by_label("Date of the call").fill("2026-03-10")
    page.get_by_role("button", name="Show how it would be read").click()
    preview = page.get_by_role("region", name="As it would be read")
    expect(preview.get_by_role("listitem").first).to_contain_text("clinician")


def answer_all(page: Page) -> None:
    """Answer what is still open."""
    page.get_by_label("Role of Speaker 3").select_option("not read")
    page.get_by_label("Read in file order: out of order").check()


def test_a_call_is_mapped_and_read_without_scripts(
    open_context: OpenContext, open_page: OpenPage
) -> None:
    page = open_context(javascript=False).new_page()
    open_page(page)
    choose_catalog(page)
    answer_all(page)
    page.get_by_label("From turn").fill("3")
    page.get_by_label("To turn").fill("3")
    page.get_by_role("button", name="Swap", exact=True).click()
    expect(page.get_by_text("transcript revision 2.")).to_be_visible()
    choose_catalog(page)
    answer_all(page)
    page.get_by_role("button", name="Confirm and read").click()
    expect(page.get_by_text("The mapping is confirmed")).to_be_visible()
    expect(page.get_by_text("needs mapping")).to_have_count(0)


def test_the_mapping_page_and_its_refusals_look_right(
    open_context: OpenContext,
    look: Look,
    open_page: OpenPage,
    check_accessible: Check,
) -> None:
    complaints: list[str] = []
    page = open_context(look).new_page()
    watch(page, complaints)
    open_page(page)
    here = page.url
    assert fits(page)
    check_accessible(page)

    choose_catalog(page)
    assert fits(page)
    check_accessible(page)

    page.get_by_role("button", name="Confirm and read").click()
    expect(page.get_by_text("Choose a role, or leave the speaker unread.")).to_be_visible()
    assert fits(page)
    check_accessible(page)

    answer_all(page)
    other = page.context.new_page()
    other.goto(here)
    other.get_by_role("button", name="Swap", exact=True).click()
    expect(other.get_by_text("transcript revision 2.")).to_be_visible()
    page.get_by_role("button", name="Confirm and read").click()
    expect(page.get_by_role("alert")).to_contain_text("Meanwhile the call was changed")
    expect(page.get_by_label("Role of Speaker 3")).to_have_value("not read")
    assert fits(page)
    check_accessible(page)

    page.get_by_label("Reason").fill("Two calls in one file.")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.get_by_text("Two calls in one file.")).to_be_visible()
    assert fits(page)
    check_accessible(page)
    assert not complaints


def test_the_role_maps_look_right(
    open_context: OpenContext, look: Look, open_page: OpenPage, check_accessible: Check
) -> None:
    page = open_context(look).new_page()
    open_page(page)
    page.get_by_role("link", name="Calls", exact=True).click()
    expect(page.get_by_role("link", name="needs mapping").last).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="Remembered role maps").click()
    expect(page.get_by_role("heading", name="Remembered role maps")).to_be_visible()
    assert fits(page)
    check_accessible(page)
