"""The guided tour of docs/tour.md, walked on the demo's data.

With OIPSCE_TAKE_PICTURES=1 its pictures are taken anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from oipsce_site.services.layout import CHECKOUT
from tests.functional.conftest import SignIn
from tests.functional.site import Site
from tests.functional.workbench import make_desk, open_desk

TOUR = CHECKOUT / "docs" / "tour.md"
PICTURES = CHECKOUT / "docs" / "images"
TAKE_PICTURES = "OIPSCE_TAKE_PICTURES"


def take(page: Page, name: str, tmp_path: Path) -> None:
    """Take a picture: into the docs where they are to be renewed, and away otherwise."""
    folder = PICTURES if os.environ.get(TAKE_PICTURES) == "1" else tmp_path
    page.mouse.move(0, 0)
    # As it is: what is switched off for a picture leaves styles behind, which the policy refuses.
    page.screenshot(path=folder / f"{name}.png", caret="initial")
    assert (PICTURES / f"{name}.png").exists(), f"take it with {TAKE_PICTURES}=1"


def test_the_tour_is_as_it_is_told(
    page: Page, sign_in: SignIn, demo_passwords: dict[str, str], site: Site, tmp_path: Path
) -> None:
    sign_in(page, "reviewer", demo_passwords["reviewer"])
    page.goto("/queue/")
    expect(page.get_by_role("button", name="Next call")).to_be_visible()
    take(page, "tour-queue", tmp_path)
    page.get_by_role("button", name="Sign out").click()
    # The demo's own Case B stays as it came: others look at it.
    open_desk(page, make_desk(site, "tour"))
    expect(page.locator("#verdict-banner")).to_contain_text("52 < 42 is false")
    take(page, "tour-call", tmp_path)
    page.keyboard.press("n")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="It is on another turn.")).to_be_visible()
    take(page, "tour-reason", tmp_path)
    page.keyboard.press("2")
    expect(page.locator("#phase-row-CSV")).to_contain_text("fail")
    expect(page.locator("#call-state")).to_contain_text("for a second person")
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("decision 2")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("confirm the row as shown")
    take(page, "tour-keys", tmp_path)


def test_the_tour_shows_pictures_that_are_there() -> None:
    named = re.findall(r"\(images/(tour-[a-z-]+)\.png\)", TOUR.read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (PICTURES / f"{name}.png").exists()] == []
