"""Masked identifiers and the figures in a browser: by hand, without JavaScript, in every look."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import Look, OpenContext, fits, watch
from tests.functional.site import Site
from tests.functional.workbench import Desk, make_desk, open_desk

_MASK = """
from oipsce_site.people.models import Site
print(Site.objects.filter(slug={slug!r}).update(masks_identifiers=True))
"""
_SPANS = """
from review.models import Decision
made = Decision.objects.filter(call_id={call_id!r}).order_by("number")
print("STORED", *(f"{{one.value.get('turn', '')}}:{{one.value.get('start', '')}}:"
                  f"{{one.value.get('end', '')}}:{{one.evidence_seen}}:{{one.spent_ms is not None}}"
                  for one in made))
"""
#: The patient's name as it is masked, and the word after it.
_SELECT = """() => {
  const text = document.querySelector("#t50 p"), range = document.createRange();
  const pieces = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  range.setStart(pieces.nextNode(), 0);
  for (let node = pieces.currentNode; node; node = pieces.nextNode()) {
    const at = node.data.indexOf("born");
    if (at >= 0) { range.setEnd(node, at + 4); break; }
  }
  getSelection().removeAllRanges(); getSelection().addRange(range);
}"""
Check = Callable[[Page], None]


@pytest.fixture
def desk(site: Site, demo_passwords: dict[str, str], request: pytest.FixtureRequest) -> Desk:
    assert demo_passwords  # the demo has published the catalogs
    name = f"mask-{crc32(request.node.name.encode()):08x}"
    made = make_desk(site, name)
    site.manage("shell", given=_MASK.format(slug=name))
    return made


def stored(desk: Desk) -> list[str]:
    """Return turn:start:end:seen:timed of each decision."""
    said = desk.site.manage("shell", given=_SPANS.format(call_id=desk.call_id))
    return said.rpartition("STORED")[2].split()


def test_identifiers_are_revealed_with_a_reason_and_hidden_again(
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    desk: Desk,
    check_accessible: Check,
) -> None:
    page = open_context(look, javascript=False).new_page()
    watch(page, complaints)
    open_desk(page, desk)
    line = page.locator("#masking")
    expect(line).to_contain_text("Identifiers are masked at this site")
    expect(page.locator("#t50")).not_to_contain_text("Quillfeather")
    page.get_by_text("Show them…").click()
    page.get_by_role("button", name="Show identifiers").click()
    expect(line).to_contain_text("Choose what you need the identifiers for.")
    assert fits(page)
    page.get_by_label("What you need them for").select_option("JUDGE")
    page.get_by_role("button", name="Show identifiers").click()
    expect(page.locator("#t50")).to_contain_text("Rowan Quillfeather, born")
    page.get_by_role("button", name="Hide them again").click()
    expect(page.locator("#t50")).not_to_contain_text("Quillfeather")
    assert fits(page)


def test_the_masked_page_is_accessible(page: Page, desk: Desk, check_accessible: Check) -> None:
    open_desk(page, desk)
    page.get_by_text("Show them…").click()
    expect(page.locator("#t50").get_by_role("img", name="name, masked")).to_be_visible()
    check_accessible(page)


def test_a_selection_over_masked_words_is_stored_at_the_true_ones(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.evaluate(_SELECT)
    page.keyboard.press("q")
    field = page.get_by_label("Words, as they stand in the turn")
    expect(field).to_have_value("█████ ████████████, born")
    page.get_by_role("button", name="Set evidence").click()
    expect(page.locator("#said")).to_contain_text("decision 1")
    [one] = stored(desk)
    assert one.split(":")[:3] == ["50", "0", str(len("Rowan Quillfeather, born"))]


def test_a_row_confirmed_by_hand_keeps_what_the_page_saw(page: Page, desk: Desk) -> None:
    open_desk(page, desk)
    page.goto(f"{desk.path}?row=PID#row-PID")
    page.locator("#card-PID").get_by_role("button", name="Confirm").first.click()
    expect(page.locator("#said")).to_contain_text("decision 1")
    [one] = stored(desk)
    assert one.split(":")[3:] in (["True", "True"], ["False", "True"])


def test_the_figures_fit_and_are_accessible(
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    desk: Desk,
    check_accessible: Check,
) -> None:
    page = open_context(look).new_page()
    watch(page, complaints)
    open_desk(page, desk)
    page.goto("/figures/")
    expect(page.get_by_role("heading", name="Nobody has decided a row")).to_be_visible()
    check_accessible(page)
    page.goto(f"{desk.path}?row=PID#row-PID")
    page.locator("#card-PID").get_by_role("button", name="Confirm").first.click()
    expect(page.locator("#said")).to_contain_text("decision 1")
    page.goto("/figures/")
    expect(page.get_by_role("heading", name="Time per row")).to_be_visible()
    assert fits(page)
    check_accessible(page)
    page.get_by_role("link", name="last 90 days").click()
    expect(page.get_by_role("link", name="last 90 days")).to_have_attribute("aria-current", "true")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download as CSV").click()
    assert waiting.value.suggested_filename.startswith("figures-")
