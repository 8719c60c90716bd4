"""The reviewer's way: sign in, find Case B in the list, see at once what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from oipsce_site.services.layout import CHECKOUT
from tests.functional.conftest import LOOKS, Look, OpenContext, SignIn, fits, type_in, watch
from tests.functional.site import Site

CASE_B = "Case B: AI agent verifies pharmacy benefits with a payer representative"
#: Set to 1 where the picture in the README is to be taken anew.
README_PICTURE = CHECKOUT / "docs" / "images" / "call-page.png"
TAKE_PICTURE = "OIPSCE_TAKE_PICTURES"

Check = Callable[[Page], None]
Enter = Callable[[Page], None]


@pytest.fixture
def enter(sign_in: SignIn, demo_passwords: dict[str, str]) -> Enter:
    """Return a function that signs the demo's reviewer in; ends on the list of calls."""

    def to_the_list(page: Page) -> None:
        sign_in(page, "reviewer", demo_passwords["reviewer"])
        expect(page.get_by_role("heading", name="Calls", exact=True)).to_be_visible()

    return to_the_list


@pytest.fixture
def open_case_b(enter: Enter) -> Enter:
    """Return a function that signs in and opens Case B from the list."""

    def to_the_call(page: Page) -> None:
        enter(page)
        from_list_to_case_b(page)

    return to_the_call


def from_list_to_case_b(page: Page) -> None:
    """Open Case B from the list."""
    page.get_by_role("link", name=CASE_B, exact=True).click()
    expect(page.get_by_role("heading", name=CASE_B, exact=True)).to_be_visible()


def look_at(open_context: OpenContext, look: Look, complaints: list[str]) -> Page:
    """Open a page of this width and colour scheme."""
    page = open_context(look).new_page()
    watch(page, complaints)
    return page


def test_the_list_says_that_case_b_fails(page: Page, enter: Enter) -> None:
    enter(page)
    line = page.get_by_role("row").filter(has=page.get_by_role("link", name=CASE_B, exact=True))
    expect(line).to_contain_text("Coverage pass")
    expect(line).to_contain_text("OrderSafe fail")
    expect(line).to_contain_text("CallSuccess fail")
    expect(line).to_contain_text("order at stake")
    expect(line).to_contain_text("awaiting review")


def test_the_banner_names_the_two_turns(page: Page, open_case_b: Enter) -> None:
    open_case_b(page)
    banner = page.get_by_role("region", name="Verdict")
    expect(banner).to_contain_text("CSV (coverage status verification) started at turn 42")
    expect(banner).to_contain_text("PID (patient identification) first finished at turn 52")
    expect(banner).to_contain_text("52 < 42 is false")
    expect(banner).to_contain_text("Would pass: start of CSV after turn 52")
    expect(page.get_by_text("provisional until signed")).to_be_visible()


def test_the_picture_holds_the_violated_edge_and_says_it_in_words(
    page: Page, open_case_b: Enter
) -> None:
    open_case_b(page)
    picture = page.get_by_role("img", name=re.compile("Phases from start to finish"))
    expect(picture.locator(".path.fail")).to_have_count(1)
    expect(picture.locator(".path.fail text")).to_have_text("PID → CSV: 52 < 42 is false")
    words = picture.locator("desc").first.text_content() or ""
    assert "PID: from turn 45, to turn 52." in words
    assert "CSV: from turn 42, to turn 81." in words
    assert "PID → CSV: 52 < 42 is false." in words


def test_the_turn_that_broke_the_order_is_in_view_at_once(page: Page, open_case_b: Enter) -> None:
    open_case_b(page)
    expect(page.locator("#t42")).to_be_in_viewport()
    expect(page.locator("#t1")).not_to_be_in_viewport()


def test_a_link_to_a_turn_brings_it_into_view_beside_the_rows(
    page: Page, open_case_b: Enter
) -> None:
    open_case_b(page)
    page.get_by_role("region", name="Verdict").get_by_role("link", name="42").first.click()
    expect(page).to_have_url(re.compile(r"#t42$"))
    expect(page.locator("#t42")).to_be_in_viewport()
    # The banner and the picture stay where they are: only the transcript moves.
    expect(page.get_by_role("region", name="Verdict")).to_be_in_viewport()


def test_the_first_flagged_row_is_open_and_another_opens_by_its_link(
    page: Page, open_case_b: Enter
) -> None:
    open_case_b(page)
    expect(page.locator("#row-PID")).to_be_visible()
    expect(page.locator("#row-CRN")).to_be_hidden()
    page.get_by_role("row").get_by_role("link", name="CRN", exact=True).click()
    expect(page.locator("#row-CRN")).to_be_visible()


def test_every_mark_of_the_page_is_explained_on_it_and_in_print(
    page: Page, open_case_b: Enter
) -> None:
    open_case_b(page)
    legend = page.locator(".legend")
    for mark, words in (
        ("▲", "start"),
        ("■", "finish"),
        ("•", "acceptance item"),
        ("s", "turn of"),
    ):
        expect(
            legend.locator("div").filter(has_text=mark).filter(has_text=words).first
        ).to_be_visible()
    page.emulate_media(media="print")
    expect(legend).to_be_visible()
    expect(page.get_by_role("link", name="To the transcript", exact=True)).to_be_hidden()


def test_on_a_phone_rows_and_transcript_are_one_step_apart(
    open_context: OpenContext, open_case_b: Enter
) -> None:
    page = open_context(Look(400, "light"), javascript=False).new_page()
    open_case_b(page)
    page.get_by_role("main").get_by_role("link", name="To the transcript").click()
    expect(page.get_by_role("heading", name="Transcript")).to_be_in_viewport()
    page.get_by_role("main").get_by_role("link", name="Rows", exact=True).click()
    expect(page.locator("#phase-row-PID")).to_be_in_viewport()


def test_everything_works_without_javascript(
    open_context: OpenContext, demo_passwords: dict[str, str]
) -> None:
    page = open_context(javascript=False).new_page()
    # Who signs out takes nobody else along.
    type_in(page, "reviewer", demo_passwords["reviewer"])
    from_list_to_case_b(page)
    page.get_by_role("region", name="Verdict").get_by_role("link", name="52").first.click()
    expect(page.locator("#t52")).to_be_in_viewport()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_state_narrows_the_list_and_an_empty_list_says_why(page: Page, enter: Enter) -> None:
    enter(page)
    page.get_by_text("State", exact=True).first.click()
    page.get_by_role("link", name=re.compile(r"^signed")).click()
    expect(page.get_by_role("heading", name="No call of your sites is like this.")).to_be_visible()
    page.get_by_role("link", name=re.compile("Take away State: signed")).click()
    expect(page.get_by_role("link", name=CASE_B, exact=True)).to_be_visible()


def test_words_and_filters_narrow_together_and_are_taken_away_one_by_one(
    page: Page, enter: Enter
) -> None:
    enter(page)
    page.get_by_text("CallSuccess", exact=True).first.click()
    page.get_by_role("link", name=re.compile(r"^fail")).click()
    page.get_by_role("searchbox").fill("payer order_viol")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("link", name=CASE_B, exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("micro example"))).to_have_count(0)
    page.get_by_role("link", name=re.compile("Take away Words")).click()
    expect(page).to_have_url(re.compile(r"\?verdict=fail$"))
    page.get_by_role("link", name=re.compile("Take away CallSuccess")).click()
    expect(page).to_have_url(re.compile(r"/\?$"))


def test_a_call_that_is_not_there_gets_a_page_that_helps(
    site: Site, page: Page, enter: Enter, complaints: list[str]
) -> None:
    enter(page)
    answer = page.goto("/calls/00000000-0000-4000-8000-000000000000/")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("link", name="go to the calls you may read")).to_be_visible()
    # The browser reports the 404 that was asked for.
    complaints.clear()


def test_the_sign_in_page_looks_right(
    open_context: OpenContext, look: Look, complaints: list[str], check_accessible: Check
) -> None:
    page = look_at(open_context, look, complaints)
    page.goto("/accounts/login/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert fits(page)
    check_accessible(page)
    assert not complaints


def test_the_list_and_the_call_look_right(
    open_context: OpenContext,
    look: Look,
    enter: Enter,
    complaints: list[str],
    check_accessible: Check,
) -> None:
    page = look_at(open_context, look, complaints)
    enter(page)
    assert fits(page)
    check_accessible(page)
    page.get_by_role("link", name=CASE_B, exact=True).click()
    expect(page.get_by_role("region", name="Verdict")).to_be_visible()
    assert fits(page)
    check_accessible(page)
    assert not complaints


def test_three_verdicts_of_the_longest_word_fit_a_telephone(
    open_context: OpenContext, enter: Enter, complaints: list[str]
) -> None:
    page = look_at(open_context, LOOKS[1], complaints)
    enter(page)
    page.goto("/?q=airline-nothing-changed")
    page.get_by_role("link", name="Airline chat: a wish that the policy refuses").click()
    region = page.get_by_role("region", name="Verdict")
    expect(region.get_by_text("undetermined").first).to_be_visible()
    assert fits(page)
    assert not complaints


def test_take_the_picture_of_the_readme(
    open_context: OpenContext, open_case_b: Enter, tmp_path: Path
) -> None:
    page = open_context(LOOKS[0]).new_page()
    page.set_viewport_size({"width": 1400, "height": 1040})
    open_case_b(page)
    page.get_by_role("region", name="Verdict").get_by_role("link", name="42").first.click()
    page.mouse.move(0, 0)
    taken = README_PICTURE if os.environ.get(TAKE_PICTURE) == "1" else tmp_path / "call-page.png"
    page.screenshot(path=taken, animations="disabled")
    assert taken.stat().st_size > 20_000
    assert README_PICTURE.exists(), f"take it with {TAKE_PICTURE}=1 pytest tests/functional"
