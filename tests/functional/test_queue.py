"""The queue in a browser: every look, without scripts, and two reviewers beside each other."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, watch
from tests.functional.site import Site

PASSWORD = "a password"
_MAKE = """
from review.models import Call
from tests.factories import Role, case, make_person, make_site, prefilled, raw_micro, read
site = make_site({name!r})
for who, role in (("ann", Role.REVIEWER), ("ben", Role.REVIEWER), ("sue", Role.SENIOR_REVIEWER)):
    person = make_person(role, site=site, username=who + "-" + {name!r})
    person.printed_name = who.capitalize() + " Example"
    person.save()
prefilled(case("case_b_call"), site)
for number in range(3):
    prefilled(read(raw_micro(id=f"short-{{number}}")), site)
# All came at the same time: so that Case B is the first, the others are less grave.
Call.objects.filter(site=site, external_id__startswith="short").update(queue_class=2)
"""
_END_HOLDS = """
from datetime import timedelta
from django.utils import timezone
from review.models import Call
held = Call.objects.filter(site__slug={name!r}, held_by__isnull=False)
held.update(held_until=timezone.now() - timedelta(minutes=1))
"""

Check = Callable[[Page], None]
Visit = Callable[..., Page]


@pytest.fixture
def place(site: Site, demo_passwords: dict[str, str], request: pytest.FixtureRequest) -> str:
    """Make a site of its own with three people and four calls; returns its slug."""
    assert demo_passwords  # the demo has published the catalogs
    # What tells the looks of one test apart stands at the end of its name.
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")[-40:].strip("-")
    site.manage("shell", given=_MAKE.format(name=name))
    return name


@pytest.fixture
def visit(open_context: OpenContext, complaints: list[str], place: str) -> Visit:
    """Return a function that signs one of the three in and opens the queue by the navigation."""

    def sign_in(who: str, look: Look = LOOKS[0], *, javascript: bool = True) -> Page:
        page = open_context(look, javascript=javascript).new_page()
        watch(page, complaints)
        page.goto("/")
        page.get_by_label("User name or email").fill(f"{who}-{place}")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        # The first entry of the navigation.
        page.get_by_role("navigation", name="Main").get_by_role("link").first.click()
        expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_visible()
        return page

    return sign_in


def check_state(page: Page, check_accessible: Check) -> None:
    """Check one state of a page: nothing beyond the window's edge, and open to everybody."""
    page.wait_for_load_state()
    script = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(script), page.url
    check_accessible(page)


def test_the_queue_and_its_states_look_right(
    visit: Visit, look: Look, site: Site, place: str, check_accessible: Check
) -> None:
    ann, sue = visit("ann", look), visit("sue", look)
    check_state(ann, check_accessible)
    ann.get_by_role("button", name="Next call").click()
    expect(ann.get_by_text("You hold this call until")).to_be_visible()
    check_state(ann, check_accessible)

    sue.reload()
    expect(sue.get_by_text(re.compile(r"Ann Example, until \d\d:\d\d UTC"))).to_be_visible()
    check_state(sue, check_accessible)
    sue.get_by_role("link", name="More about who reads case-b-benefits").click()
    expect(sue.get_by_role("button", name="Give back to the queue")).to_be_visible()
    check_state(sue, check_accessible)
    sue.get_by_role("button", name="Give back to the queue").click()
    expect(sue.get_by_text("Write down why")).to_be_visible()
    check_state(sue, check_accessible)
    sue.get_by_label("Why").first.fill("She is at lunch.")
    sue.get_by_role("button", name="Take over and open").click()
    expect(sue.get_by_text("You hold the call now")).to_be_visible()

    ann.goto("/queue/")
    expect(ann.get_by_text("Sue Example took case-b-benefits over")).to_be_visible()
    check_state(ann, check_accessible)
    ann.goto("/queue/?kind=doubt")
    expect(ann.get_by_role("heading", name="No call of the queue is like this.")).to_be_visible()
    check_state(ann, check_accessible)


def test_a_reviewer_works_through_the_queue_without_scripts(visit: Visit) -> None:
    page = visit("ann", javascript=False)
    page.get_by_role("button", name="Next call").click()
    # Case B comes first: its order is violated. The row that put it here has the forms.
    expect(page).to_have_url(re.compile(r"/calls/[0-9a-f-]{36}/\?row=(PID|CSV)#t42$"))
    expect(page.get_by_role("region", name=re.compile("^Decide (PID|CSV)$"))).to_be_visible()
    page.get_by_role("link", name="Pass it over").click()
    page.get_by_label("Why").fill("I was the one who called.")
    page.get_by_role("button", name="Pass over", exact=True).click()
    expect(page.get_by_text("at the end of your queue")).to_be_visible()
    page.get_by_role("button", name="Next call").click()
    expect(page.get_by_role("main")).to_contain_text("short-")
    page.get_by_role("button", name="Give it back").click()
    expect(page.get_by_text("The call is back in the queue.")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Critical")).click()
    expect(page).to_have_url(re.compile(r"\?kind=critical$"))
    page.get_by_role("searchbox").fill("short-1")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("row").filter(has_text="short-")).to_have_count(1)
    page.get_by_role("button", name="Review short-1").click()
    expect(page.get_by_text("You hold this call until")).to_be_visible()


def test_c01_two_reviewers_who_press_next_are_at_two_calls(
    visit: Visit, site: Site, place: str
) -> None:
    ann, ben = visit("ann"), visit("ben")
    ann.get_by_role("button", name="Next call").click()
    ben.get_by_role("button", name="Next call").click()
    for page in (ann, ben):
        expect(page.get_by_text("You hold this call until")).to_be_visible()
    first, second = (page.url.partition("?")[0] for page in (ann, ben))
    assert first != second
    # Ben looks at hers: it says who is at it, and nobody else's hold changes by looking.
    ben.goto(first)
    expect(ben.get_by_text("Ann Example holds this call until")).to_be_visible()
    site.manage("shell", given=_END_HOLDS.format(name=place))
    ben.goto("/queue/")
    ben.get_by_role("button", name="Next call").click()
    assert ben.url.startswith(first)
    ann.reload()
    expect(ann.get_by_text("Ben Example claimed the call at")).to_be_visible()
    ann.get_by_role("button", name="Put away").click()
    expect(ann.get_by_text("Ben Example claimed the call at")).to_have_count(0)
    assert ann.url.startswith(first)
