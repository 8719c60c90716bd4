"""Candidates by wording under the hand: one key takes one, as its button does without script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, fits, watch
from tests.functional.site import Site
from tests.functional.workbench import Desk, open_desk

_MAKE = """
from django.test.utils import override_settings
from review.core.cascade.adjudication import is_shown_blind
from review.tasks import find_candidates
from tests import wording
from tests.adjudicated import ASKED, BORN
from tests.factories import Role, make_person, make_site, prefilled, raw_micro, read
site = make_site({site!r})
make_person(Role.REVIEWER, site=site, username={site!r})
told = ("agent", "Good news, the plan takes care of the scan.")
share = ("agent", "Your part comes to a quarter of the bill.")
turns = (ASKED, BORN, told, share, ("agent", "Anything else today?"))
said = [
    {{"n": place, "speaker": speaker, "kind": "speech", "text": text}}
    for place, (speaker, text) in enumerate(turns, start=1)
]
number = 0
while True:
    number += 1
    named = f"{site!r}-{{number}}"
    call_id = prefilled(read(raw_micro(id=named, turns=said, events=[])), site)
    if not any(is_shown_blind(str(call_id), phase) for phase in ("CSV", "DCC")):
        break
from review.actions.candidates import claim_search
with override_settings(SEMANTIC_ENCODER=wording.NAME):
    from review.models import CandidateTurns
    while not CandidateTurns.objects.filter(call=call_id).exists():
        assert find_candidates()
print(call_id)
"""


@pytest.fixture
def make(site: Site, demo_passwords: dict[str, str]) -> Callable[[str], Desk]:
    """Return a function that makes a call with candidates, at a site of its own."""
    assert demo_passwords  # the demo has published the catalogs

    def made(name: str) -> Desk:
        given = _MAKE.format(site=name)
        return Desk(site, site.manage("shell", given=given).split()[-1], (name,))

    return made


def test_one_key_takes_a_candidate_and_the_item_is_shown(
    page: Page, make: Callable[[str], Desk]
) -> None:
    desk = make("taken-by-key")
    open_desk(page, desk)
    card = page.locator("#card-DCC")
    page.locator("#pick-DCC").click()
    expect(card.get_by_text("Candidates by wording")).to_be_visible()
    words = card.locator(".candidates q").nth(1).inner_text()
    page.keyboard.press("2")
    expect(card.locator(".candidates")).to_have_count(0)
    expect(card.locator(".items")).to_contain_text(words)
    expect(card.locator(".items > li .mark").first).to_contain_text("shown")
    assert [one.split(":")[:2] for one in desk.decisions()] == [["SET_EVIDENCE", "DCC"]]
    # Taken back by its key, and there are candidates again.
    page.keyboard.press("z")
    expect(card.get_by_text("Candidates by wording")).to_be_visible()


def test_a_button_takes_a_candidate_without_javascript(
    open_context: OpenContext, make: Callable[[str], Desk]
) -> None:
    desk = make("taken-by-button")
    page = open_context(javascript=False).new_page()
    open_desk(page, desk)
    page.goto(f"{desk.path}?row=DCC#row-DCC")
    page.locator("#card-DCC").get_by_role("button", name="Take turn").first.click()
    expect(page.locator("#card-DCC")).to_contain_text("candidate 1 by wording")
    assert [one.split(":")[:2] for one in desk.decisions()] == [["SET_EVIDENCE", "DCC"]]


def test_candidates_are_accessible_and_fit_every_look(
    open_context: OpenContext,
    make: Callable[[str], Desk],
    check_accessible: Callable[[Page], None],
    complaints: list[str],
) -> None:
    desk = make("candidates-seen")
    for look in LOOKS:
        assert isinstance(look, Look)
        page = open_context(look).new_page()
        watch(page, complaints)
        open_desk(page, desk)
        page.goto(f"{desk.path}?row=DCC#row-DCC")
        expect(page.locator("#card-DCC .candidates")).to_be_visible()
        assert fits(page)
        check_accessible(page)
    assert not complaints
