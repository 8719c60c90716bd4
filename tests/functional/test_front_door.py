"""The door: sign-in by name, closed sign-up, the address that passkeys need."""

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import OpenContext
from tests.functional.site import Site

PROTECTED = "/accounts/password/change/"
PASSWORD = "correct-horse-battery"
MAKE_PERSON = f"""
from oipsce_site.people.models import User
User.objects.create_user("fay", "Fay Door", password="{PASSWORD}", email="fay@example.org")
"""


@pytest.fixture(scope="module")
def person(site: Site) -> str:
    """Return the user name of somebody who can sign in."""
    site.manage("shell", "--command", MAKE_PERSON)
    return "fay"


def test_a_stranger_is_sent_to_the_sign_in_page(site: Site, page: Page) -> None:
    page.goto(PROTECTED)
    expect(page).to_have_url(f"{site.url}/accounts/login/?next={PROTECTED}")


def test_the_address_redirects_to_the_name(site: Site, page: Page) -> None:
    page.goto(f"{site.numeric_url}/accounts/login/")
    expect(page).to_have_url(f"{site.url}/accounts/login/")


@pytest.mark.parametrize("name", ["fay", "fay@example.org"])
def test_a_person_signs_in_by_name_or_address(
    site: Site, page: Page, person: str, name: str
) -> None:
    page.goto(PROTECTED)
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    expect(page).to_have_url(site.url + PROTECTED)
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert cookies["sessionid"]["httpOnly"]


def test_nobody_signs_up(open_context: OpenContext) -> None:
    page = open_context().new_page()
    page.goto("/accounts/signup/")
    expect(page.locator("input[name=password1]")).to_have_count(0)
