"""A reader's way through catalogs: find a version, see its order, read its cards, take its text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from catalogs.shipped import SHIPPED_CATALOGS
from tests.functional.conftest import Look, OpenContext, SignIn, fits, watch

TITLE = "Payer benefits verification (pharmacy), provider side calls payer"
VERSION = "/catalogs/benefits-verification/2.0.0/"
#: The widest order that ships, and the one with most phases beside each other.
LONG, TALL = "/catalogs/nurse-triage/1.0.0/", "/catalogs/respiratory-history/2.0.0/"

Check = Callable[[Page], None]
Enter = Callable[[Page], None]


@pytest.fixture
def open_catalogs(sign_in: SignIn, demo_passwords: dict[str, str]) -> Enter:
    """Return a function that signs in and goes to the list of catalogs by the navigation."""

    def to_the_list(page: Page) -> None:
        sign_in(page, "reviewer", demo_passwords["reviewer"])
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Catalogs").click()
        expect(page.get_by_role("heading", name="Catalogs", exact=True)).to_be_visible()

    return to_the_list


@pytest.fixture
def open_version(open_catalogs: Enter) -> Enter:
    """Return a function that opens the benefits catalog's version from the list."""

    def to_the_version(page: Page) -> None:
        open_catalogs(page)
        page.get_by_role("link", name="benefits-verification 2.0.0", exact=True).click()
        expect(page.get_by_role("heading", name=TITLE, exact=True)).to_be_visible()

    return to_the_version


def test_the_list_shows_versions_with_their_standing(page: Page, open_catalogs: Enter) -> None:
    open_catalogs(page)
    link = page.get_by_role("link", name="benefits-verification 2.0.0", exact=True)
    line = page.get_by_role("row").filter(has=link)
    for words in ("published", "2026-01-01", "critical by law", "1 of 11", "green", "none"):
        expect(line).to_contain_text(words)
    # The case and its four variants.
    expect(line.get_by_role("cell").nth(4)).to_have_text("5")


def test_the_picture_of_the_order_says_the_same_in_words_and_as_a_table(
    page: Page, open_version: Enter
) -> None:
    open_version(page)
    picture = page.get_by_role("img", name="Order of the 6 phases of benefits-verification 2.0.0")
    expect(picture.locator(".box")).to_have_count(6)
    expect(picture.locator(".is-critical")).to_have_count(1)
    expect(picture.locator(".curve-label")).to_have_text("◆ <")
    words = picture.locator("desc").text_content() or ""
    assert "Critical: PID must finish before CSV starts." in words
    page.get_by_text("The order as a table: 11 edges").click()
    row = page.get_by_role("row").filter(has_text="Coverage is PHI.")
    expect(row).to_contain_text("PID finishes before CSV starts (<), over the whole call")


def test_the_drawing_is_as_wide_as_its_letters_need(page: Page, open_catalogs: Enter) -> None:
    open_catalogs(page)
    for where in (VERSION, LONG, TALL):
        page.goto(where)
        outside = page.evaluate(
            """() => [...document.querySelectorAll('.box')].flatMap(box => {
                const room = box.querySelector('rect').getBBox();
                return [...box.querySelectorAll('text')]
                    .filter(text => text.getBBox().x + text.getBBox().width > room.x + room.width)
                    .map(text => text.textContent);
            })"""
        )
        assert outside == []


def test_a_phase_has_a_card_and_the_machines_patterns_are_a_step_away(
    page: Page, open_version: Enter
) -> None:
    open_version(page)
    page.get_by_role("navigation", name="Phases").get_by_role("link", name="DCC").click()
    card = page.get_by_role("article", name="DCC Drug copayment or coinsurance")
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("Owed when DRC has passed and restrictions is not true.")
    expect(card.get_by_text("asked by").or_(card.get_by_text("said by agent")).first).to_be_hidden()
    card.get_by_text("How the machine finds it").click()
    expect(card.get_by_text("said by agent").first).to_be_visible()


def test_the_text_is_downloaded_as_it_is_stored(page: Page, open_version: Enter) -> None:
    open_version(page)
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download the text").click()
    assert taken.value.suggested_filename == "benefits-verification-2.0.0.yaml"
    [source] = [path for path in SHIPPED_CATALOGS if path.stem == "benefits_verification"]
    assert Path(taken.value.path()).read_bytes() == source.read_bytes()


def test_a_call_leads_to_its_catalog_and_back(page: Page, open_version: Enter) -> None:
    open_version(page)
    page.get_by_role("link", name="5 calls judged").click()
    expect(page).to_have_url(re.compile(r"\?catalog=benefits-verification$"))
    page.get_by_role("link", name="benefits-verification 2.0.0").first.click()
    expect(page.get_by_role("heading", name=TITLE, exact=True)).to_be_visible()


def test_everything_works_without_javascript(
    open_context: OpenContext, open_version: Enter
) -> None:
    page = open_context(javascript=False).new_page()
    open_version(page)
    page.get_by_text("The order as a table: 11 edges").click()
    page.get_by_role("link", name="PID", exact=True).first.click()
    expect(page.locator("#phase-PID")).to_be_in_viewport()


@pytest.mark.parametrize("where", [VERSION, LONG, TALL])
def test_a_phase_card_takes_one_sheet_of_paper(
    page: Page, open_catalogs: Enter, where: str
) -> None:
    open_catalogs(page)
    page.goto(where)
    page.emulate_media(media="print")
    # A4 without its margins at 96 dots an inch.
    page.set_viewport_size({"width": 703, "height": 1017})
    heights = page.evaluate(
        "[...document.querySelectorAll('.phase-card')].map(card => card.offsetHeight)"
    )
    assert heights
    assert max(heights) <= 1017


def test_paper_is_white_also_for_people_who_look_in_the_dark(
    open_context: OpenContext, open_version: Enter
) -> None:
    page = open_context(Look(1280, "dark")).new_page()
    open_version(page)
    page.emulate_media(media="print", color_scheme="dark")
    ink = page.evaluate("getComputedStyle(document.querySelector('.box-id')).fill")
    fill = page.evaluate("getComputedStyle(document.querySelector('.box rect')).fill")
    assert (ink, fill) == ("rgb(20, 33, 46)", "rgb(255, 255, 255)")


def test_the_pages_look_right(
    open_context: OpenContext,
    look: Look,
    open_catalogs: Enter,
    complaints: list[str],
    check_accessible: Check,
) -> None:
    page = open_context(look).new_page()
    watch(page, complaints)
    open_catalogs(page)
    assert fits(page)
    check_accessible(page)
    for where in (VERSION, LONG, TALL):
        page.goto(where)
        assert fits(page)
        # What is there at first is a part of what is there with everything opened.
        if where == VERSION:
            check_accessible(page)
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert fits(page)
        # What axe finds in the long ones it finds at one width.
        if where == VERSION or look.width < 1000:
            check_accessible(page)
    assert not complaints


def test_a_wide_order_scrolls_inside_its_panel_on_a_narrow_screen(
    open_context: OpenContext, open_catalogs: Enter
) -> None:
    page = open_context(Look(400, "light")).new_page()
    open_catalogs(page)
    page.goto(LONG)
    scroller = page.get_by_role("region", name="Order graph, scrolls sideways")
    scroller.focus()
    expect(scroller).to_be_focused()
    last = scroller.locator(".box rect").last
    expect(last).not_to_be_in_viewport()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    expect(last).to_be_in_viewport()
    assert fits(page)
