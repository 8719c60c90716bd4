"""What authors and approvers do in the studio, as several browser tests play it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.functional.conftest import OpenContext, fits, watch

PASSWORD = "a password"


def enter(open_context: OpenContext, name: str, complaints: list[str]) -> Page:
    """Sign somebody in, in a window of their own."""
    page = open_context().new_page()
    watch(page, complaints)
    page.goto("/catalogs/")
    page.get_by_label("User name or email").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Catalogs", exact=True)).to_be_visible()
    return page


def look_at(page: Page, check_accessible: Callable[[Page], None]) -> None:
    """Look for what axe finds on a narrow screen, and that the page fits on either."""
    wide = page.viewport_size
    assert wide is not None
    assert fits(page)
    page.set_viewport_size({"width": 400, "height": 900})
    assert fits(page)
    check_accessible(page)
    page.set_viewport_size(wide)


def store(page: Page, text: str) -> None:
    """Put a text in the place of a draft's, and have it checked."""
    page.get_by_label("The catalog's text").fill(text)
    page.get_by_role("button", name="Store and check").click()


def publish(page: Page) -> None:
    """Waive calibration, wait for the rehearsal, approve and publish."""
    page.get_by_label("Why it goes without calibration for now").fill("Two raters come next week.")
    page.get_by_role("button", name="Record the waiver").click()
    gate = page.get_by_role("listitem").filter(has=page.get_by_text("Rehearsal", exact=True))
    for _ in range(30):
        if gate.get_by_text("done").count():
            break
        page.wait_for_timeout(1_000)
        page.reload()
    page.get_by_role("button", name="Approve this text").click()
    expect(page.get_by_text("Your approval of this text is kept.")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("It is published.")).to_be_visible()
