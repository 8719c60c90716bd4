"""A second reading in the browser, by keys alone: the door, the desk, both readings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, fits, type_in, watch
from tests.functional.site import Site

Check = Callable[[Page], None]
#: Reads a micro call of a site of its own and has it drawn; prints its id and who reads it blind.
_READ_FIRST = """
from uuid import uuid4
from tests.blind import read_first
from tests.factories import Role, make_person, make_site, prefilled, raw_micro, read
site = make_site("blind")
name = f"blind-{uuid4().hex[:8]}"
call_id = prefilled(read(raw_micro(id=name)), site)
read_first(call_id, make_person(Role.REVIEWER, site=site))
make_person(Role.SENIOR_REVIEWER, site=site, username=name)
print(call_id, name)
"""
ROWS = (("PID", "3"), ("CSV", "1"), ("DCC", "2"))


@pytest.mark.parametrize("look", LOOKS[1:], ids=str)
def test_a_call_is_read_blind_and_both_readings_are_shown(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    check_accessible: Check,
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    call_id, name = site.manage("shell", given=_READ_FIRST).split()[-2:]
    page = open_context(look).new_page()
    watch(page, complaints)
    type_in(page, name, "a password")
    page.goto(f"/calls/{call_id}/")
    expect(page).to_have_url(f"{site.url}/calls/{call_id}/reading/")
    check_state(page, check_accessible)
    # The button has the focus: Enter takes the reading.
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Transcript")).to_be_visible()
    check_state(page, check_accessible)
    page.get_by_label("Start turn").fill("early")
    page.get_by_role("button", name="Keep and go on").click()
    expect(page.get_by_text("Write a turn number, never, or ?.").first).to_be_visible()
    check_state(page, check_accessible)
    for phase, start in ROWS:
        answer_by_keys(page, phase, start)
    expect(page.get_by_text("3 of 3 rows answered")).to_be_visible()
    page.get_by_role("button", name="Close the reading").press("Enter")
    expect(page.get_by_role("heading", name="Two readings")).to_be_visible()
    check_state(page, check_accessible)
    page.goto("/readings/")
    check_state(page, check_accessible)
    page.goto("/queue/?kind=different")
    expect(page.get_by_text("the readings differ").first).to_be_visible()
    check_state(page, check_accessible)
    assert not complaints


def answer_by_keys(page: Page, phase: str, start: str) -> None:
    """Answer the row that is chosen by the keyboard alone: it failed, and began at this turn."""
    expect(page.locator("#answer-title")).to_contain_text(phase)
    page.get_by_label("Required here").focus()
    page.keyboard.type("yes")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type(start)
    page.keyboard.press("Tab")
    page.keyboard.type("never")
    page.keyboard.press("Tab")
    page.keyboard.type("fail")
    page.get_by_role("button", name="Keep and go on").press("Enter")
    expect(page.get_by_text(f"{phase}: kept.")).to_be_visible()


def check_state(page: Page, check_accessible: Check) -> None:
    """Check one state of a page: nothing beyond the window's edge, and open to everybody."""
    assert fits(page), page.url
    check_accessible(page)
