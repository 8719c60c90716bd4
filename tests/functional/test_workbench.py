"""The call page under the hand: keys, two people, a lost line, an ended session, selections."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, watch
from tests.functional.site import Site
from tests.functional.workbench import Desk, make_desk, open_desk, sign_in

Check = Callable[[Page], None]


@pytest.fixture
def desk(site: Site, demo_passwords: dict[str, str], request: pytest.FixtureRequest) -> Desk:
    assert demo_passwords  # the demo has published the catalogs
    return make_desk(site, f"desk-{crc32(request.node.name.encode()):08x}")


def state(page: Page, words: str) -> None:
    expect(page.locator("#call-state")).to_contain_text(words)


def test_by_keys_alone_every_row_is_decided_in_few_presses(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    expect(page.locator("#pick-PID")).to_be_focused()
    presses = ["a", "a", "A", "Enter"]
    page.keyboard.press(presses[0])
    expect(page.locator("#pick-CSV")).to_be_focused()
    page.keyboard.press(presses[1])
    expect(page.locator("#said")).to_contain_text("decision 2")
    page.keyboard.press(presses[2])
    expect(page.get_by_role("dialog")).to_contain_text("CRN: ✓ pass, 104 to 107")
    page.keyboard.press(presses[3])
    state(page, "every row decided, ready to sign")
    assert len(presses) <= 10
    expect(page.locator("#verdict-banner")).to_contain_text("52 < 42 is false")


def test_from_the_queue_to_ready_to_sign_in_ten_presses_of_keys(page: Page, desk: Desk) -> None:
    page.goto("/accounts/login/")
    sign_in(page, desk.people[0])
    page.goto("/queue/")
    presses = 0

    def press(key: str) -> None:
        nonlocal presses
        presses += 1
        page.keyboard.press(key)

    expect(page.get_by_role("button", name="Next call")).to_be_focused()
    press("Enter")
    expect(page.locator("#pick-PID")).to_be_focused()
    expect(page.locator("#hold")).to_contain_text("You hold this call")
    press("a")
    press("a")
    expect(page.locator("#said")).to_contain_text("decision 2")
    press("A")
    press("Enter")
    state(page, "every row decided, ready to sign")
    assert presses <= 10
    # The verdict stands as it was proposed, and is now a person's.
    expect(page.locator("#verdict-banner")).to_contain_text("52 < 42 is false")


def test_a_contradiction_costs_one_act_more_than_a_confirmation(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.keyboard.press("n")
    expect(page.locator("#pick-CSV")).to_be_focused()
    page.keyboard.press("}")
    expect(page.get_by_role("button", name="It is on another turn.")).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator("#said")).to_contain_text("CSV saved, decision 1")
    expect(page.locator("#phase-row-CSV")).to_contain_text("82")
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("decision 2")
    expect(page.locator("#phase-row-CSV")).to_contain_text("81")
    page.keyboard.press("Z")
    expect(page.locator("#phase-row-CSV")).to_contain_text("82")


def test_a_critical_start_moved_later_asks_why_at_its_field(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.keyboard.press("n")
    for _ in range(2):
        page.keyboard.press("t")
    page.keyboard.press("s")
    expect(page.get_by_text("contradicts the proposal")).to_be_visible()
    why = page.get_by_label("Why", exact=True).first
    why.fill("Turn 42 only says what the call is for.")
    page.get_by_role("button", name="Set start").click()
    expect(page.locator("#phase-row-CSV")).to_contain_text("needs a second person")
    expect(page.locator("#t44 .gutter").first).to_contain_text("CSV")
    # The keys of the page mean nothing while somebody types.
    assert desk.decisions() == ["SET_START:CSV:44"]


def test_c11_five_edits_without_a_line_are_sent_once_and_in_order(
    open_context: OpenContext, desk: Desk
) -> None:
    context = open_context()
    page = context.new_page()
    open_desk(page, desk)
    context.set_offline(True)
    for key in "aaaaa":
        page.keyboard.press(key)
    expect(page.get_by_role("alert")).to_contain_text("5 decisions wait here")
    assert desk.decisions() == []
    kept = page.evaluate("Object.values(localStorage).join()")
    assert "Quillfeather" not in kept
    context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert [one.split(":")[0] for one in desk.decisions()] == ["CONFIRM"] * 5
    page.reload()
    assert len(desk.decisions()) == 5


def test_c14_an_ended_session_is_signed_in_beside_the_page_and_the_decision_goes_out(
    open_context: OpenContext, desk: Desk
) -> None:
    context = open_context()
    page = context.new_page()
    open_desk(page, desk)
    context.clear_cookies()
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your session has ended")
    assert page.locator("#rows form[action*='login']").count() == 0
    with context.expect_page() as opened:
        dialog.get_by_role("link", name="Sign in").click()
    beside = opened.value
    sign_in(beside, desk.people[0])
    beside.wait_for_url(lambda url: "login" not in url)
    beside.close()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("#said")).to_contain_text("PID saved, decision 1")
    assert desk.decisions() == ["CONFIRM:PID:"]


def test_c15_two_browsers_on_one_row_the_second_keeps_its_own_typing(
    open_context: OpenContext, desk: Desk, check_accessible: Check
) -> None:
    first, second = open_context().new_page(), open_context().new_page()
    open_desk(first, desk)
    open_desk(second, desk, who=1)
    second.keyboard.press("c")
    words = second.get_by_label("Doubt or comment")
    expect(words).to_be_focused()
    first.keyboard.press("a")
    expect(first.locator("#said")).to_contain_text("decision 1")
    words.fill("Is the date of birth hers?")
    ask = second.get_by_role("button", name="Ask a senior reviewer")
    ask.click()
    expect(second.get_by_text("holds this call until")).to_be_visible()
    expect(words).to_have_value("Is the date of birth hers?")
    first.reload()
    first.get_by_role("button", name="Give it back").click()
    ask.click()
    expect(second.get_by_role("alert")).to_contain_text("Stored now")
    expect(words).to_have_value("Is the date of birth hers?")
    check_accessible(second)
    second.get_by_role("button", name="Ask a senior reviewer").click()
    expect(second.locator("#phase-row-PID")).to_contain_text("in doubt")


def test_c13_a_double_click_applies_once(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.get_by_role("link", name="Decide this row").first.click()
    page.get_by_role("button", name="Confirm as shown").dblclick()
    expect(page.locator("#said")).to_contain_text("decision 1")
    assert desk.decisions() == ["CONFIRM:PID:"]


TAILS = ["", " \N{PILL}\N{PILL}", " e\N{COMBINING ACUTE ACCENT}", " אבג"]
_SELECT = """words => {
  const text = document.querySelector('#t52 > p');
  const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.indexOf(words);
    if (at < 0 || node.parentElement.closest('sup')) continue;
    getSelection().setBaseAndExtent(node, at, node, at + words.length);
    return;
  }
}"""


@pytest.mark.parametrize("tail", TAILS)
def test_selected_words_become_evidence(
    tail: str, page: Page, site: Site, demo_passwords: dict[str, str]
) -> None:
    assert demo_passwords
    desk = make_desk(site, f"selects-{TAILS.index(tail)}", tail=tail)
    open_desk(page, desk)
    words = tail.strip() or "matches"
    page.evaluate(_SELECT, words)
    page.keyboard.press("q")
    field = page.get_by_label("Words, as they stand in the turn")
    expect(field).to_have_value(words)
    page.get_by_role("button", name="Set evidence").click()
    expect(page.locator("#t52 mark").filter(has_text=words)).to_have_count(1)
    assert [one.split(":")[0] for one in desk.decisions()] == ["SET_EVIDENCE"]


@pytest.mark.parametrize("look", [LOOKS[1]], ids=str)
def test_its_dialogs_and_the_page_of_keys_are_accessible(
    open_context: OpenContext, desk: Desk, look: Look, check_accessible: Check
) -> None:
    page, complaints = open_context(look).new_page(), list[str]()
    watch(page, complaints)
    open_desk(page, desk)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("confirm the row as shown")
    check_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("A")
    check_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    check_accessible(page)
    page.goto("/keys/")
    check_accessible(page)
    assert not complaints


def test_c26_a_key_gets_another_place_but_never_one_that_is_taken(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.goto("/keys/")
    field = page.get_by_label("Key for: confirm the row as shown")
    field.fill("j")
    field.blur()
    expect(page.get_by_role("status")).to_contain_text("already does this: next row")
    expect(field).to_have_value("a")
    field.fill("w")
    field.blur()
    page.goto(desk.path)
    page.keyboard.press("a")
    page.keyboard.press("w")
    expect(page.locator("#said")).to_contain_text("PID saved, decision 1")
    page.goto("/keys/")
    page.get_by_label("Single keys on").uncheck()
    page.goto(desk.path)
    page.keyboard.press("w")
    page.keyboard.press("j")
    expect(page.locator("#pick-PID")).to_be_focused()
    assert desk.decisions() == ["CONFIRM:PID:"]
