"""A calibration round in the browser: opened, rated blind by two people, talked over, closed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, fits, type_in, watch
from tests.functional.site import Site

Check = Callable[[Page], None]
#: A site of its own with two calls and a version in review; prints who opens and who rates.
_PREPARE = """
from uuid import uuid4
from tests.factories import *
site = make_site("calibrating-" + VERSION.replace(".", "-"))
for number in range(2):
    prefilled(read(raw_micro(id=f"cal-{uuid4().hex[:8]}")), site)
source = catalog_source("micro", ("version: 2.0.0", f"version: {VERSION}"))
in_review(source, make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER))
names = [f"cal-{uuid4().hex[:8]}" for _ in range(3)]
make_person(Role.SENIOR_REVIEWER, site=site, username=names[0])
for name in names[1:]:
    rater = make_person(Role.REVIEWER, site=site, username=name)
    rater.printed_name = f"Rater {name}"
    rater.save(update_fields=["printed_name"])
print(*names)
"""
PHASES = ("PID", "CSV", "DCC")


@pytest.mark.parametrize("look", LOOKS[1:], ids=str)
def test_two_people_rate_blind_and_the_round_is_closed_with_its_figures(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    check_accessible: Check,
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    version = f"2.7.{look.width}"
    prepared = f"VERSION = {version!r}\n{_PREPARE}"
    holder, first, second = site.manage("shell", given=prepared).split()[-3:]
    pages = {}
    for name in (holder, first, second):
        pages[name] = open_context(look).new_page()
        watch(pages[name], complaints)
        type_in(pages[name], name, "a password")

    round_at = open_round(pages[holder], version, check_accessible)
    for name in (first, second):
        rate_all(pages[name], round_at, differs=name == second)
        check_state(pages[name], check_accessible)

    page = pages[holder]
    page.goto(round_at)
    page.get_by_role("link", name="Differences").click()
    expect(page.get_by_text("1 row rated differently, 1 to decide.")).to_be_visible()
    expect(page.get_by_role("button", name="Close the round")).to_be_disabled()
    check_state(page, check_accessible)
    page.get_by_label("Who was right").select_option("none")
    page.get_by_label("Why").fill("Neither of the two had the words.")
    page.get_by_role("button", name="Write down").click()
    page.get_by_role("button", name="Close the round").click()
    expect(page.get_by_role("heading", name="Agreement")).to_be_visible()
    expect(page.get_by_role("row", name="Verdict").first).to_contain_text("0.83")
    check_state(page, check_accessible)
    assert not complaints


def open_round(page: Page, version: str, check_accessible: Check) -> str:
    """Open a round of the two calls, rated by the two reviewers; returns its address."""
    page.goto("/calibration/open/")
    page.get_by_label("Catalog version").select_option(label=label_of(page, version))
    page.get_by_role("button", name="Choose calls and raters").click()
    check_state(page, check_accessible)
    for box in page.get_by_role("checkbox", name=re.compile("cal-")).all():
        box.check()
    page.get_by_role("button", name="Open the round").click()
    expect(page.get_by_role("heading", name="Raters")).to_be_visible()
    check_state(page, check_accessible)
    return page.url


def label_of(page: Page, version: str) -> str:
    options = page.get_by_label("Catalog version").get_by_role("option").all_text_contents()
    [found] = [one for one in options if version in one]
    return found


def rate_all(page: Page, round_at: str, *, differs: bool) -> None:
    """Rate every row of both calls as failed; who differs cannot tell the first row of all."""
    for position in (1, 2):
        page.goto(round_at)
        page.get_by_role("link", name=f"Call {position}", exact=False).first.click()
        for number, phase in enumerate(PHASES, start=1):
            expect(page.locator("#answer-title")).to_contain_text(phase)
            unsure = differs and (position, phase) == (1, PHASES[0])
            rate_one(page, "unknown" if unsure else "fail")
            expect(page.locator(".state")).to_contain_text(f"{number} of 3 rows rated")
    page.goto(round_at)
    page.get_by_role("button", name="I have rated every row").click()
    expect(page.locator(".messages li.success")).to_be_visible()


def rate_one(page: Page, verdict: str) -> None:
    page.get_by_label("Is it required in this call?").select_option("yes")
    page.get_by_label("Start turn").fill("1")
    page.get_by_label("Finish turn").fill("never")
    page.get_by_label("Verdict").select_option(verdict)
    for box in page.locator(".rated-items input").all():
        box.fill("never")
    page.get_by_role("button", name="Keep and go on").click()


def check_state(page: Page, check_accessible: Check) -> None:
    """Check one state of a page: nothing beyond the window's edge, and open to everybody."""
    assert fits(page), page.url
    check_accessible(page)
