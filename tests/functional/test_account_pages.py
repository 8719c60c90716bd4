"""A person's own sign-in: second factor set up, used and removed; every page looked at."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, fits, watch
from tests.functional.site import Site

PASSWORD = "correct-horse-battery"
Check = Callable[[Page], None]
LookAt = Callable[[str], None]


@pytest.fixture
def username(site: Site) -> str:
    """Make a person for each test: a second factor stays with whoever set it up."""
    name = f"key-{uuid4().hex[:8]}"
    site.manage(
        "shell",
        "--command",
        "from oipsce_site.people.models import User\n"
        f"User.objects.create_user('{name}', 'Kay Keyes', password='{PASSWORD}')",
    )
    return name


@pytest.fixture
def looked_at(
    open_context: OpenContext, look: Look, complaints: list[str], check_accessible: Check
) -> Iterator[tuple[Page, LookAt]]:
    """Yield a page with a key in its device, and a function that checks the page of a heading."""
    page = open_context(look).new_page()
    watch(page, complaints)

    def check(heading: str) -> None:
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        assert fits(page), page.url
        check_accessible(page)

    yield page, check
    assert not complaints, f"the browser complained: {complaints}"


def code_of(secret: str, at: float) -> str:
    """Return the six digits of an authenticator app (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(at) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def sign_in(page: Page, username: str) -> None:
    """Type name and password at the door."""
    page.goto("/accounts/login/")
    page.get_by_label("User name or email").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def show_that_it_is_you(page: Page, check: LookAt) -> None:
    """Type the password once more."""
    expect(page.get_by_role("heading", name="Show that it is you")).to_be_visible()
    check("Show that it is you")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


@pytest.mark.parametrize("look", LOOKS[1:], ids=str)
def test_app_and_codes(looked_at: tuple[Page, LookAt], username: str) -> None:
    page, check = looked_at
    sign_in(page, username)
    page.goto("/accounts/2fa/")
    expect(page.get_by_role("heading", name="Your sign-in")).to_be_visible()
    check("Your sign-in")
    page.goto("/accounts/second-factor/")
    check("Set up a second factor")
    page.get_by_role("link", name="Set up the app").click()
    show_that_it_is_you(page, check)
    secret = page.get_by_label("Secret, to be typed").input_value()
    check("Set up an authenticator app")
    page.get_by_label("Six digits").fill("000000")
    page.get_by_role("button", name="Use this app").click()
    expect(page.get_by_text("Incorrect code")).to_be_visible()
    check("Set up an authenticator app")
    page.get_by_label("Six digits").fill(code_of(secret, time.time()))
    page.get_by_role("button", name="Use this app").click()
    expect(page.get_by_text("The authenticator app is in use.")).to_be_visible()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    codes = page.get_by_role("list", name="Unused codes").locator("code").all_inner_texts()
    assert len(codes) == 10
    expect(page.get_by_text("They are shown this once")).to_be_visible()
    check("Recovery codes")
    # While they are shown they are not made anew: the way there is from one's sign-in.
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Make new codes").click()
    check("Make new recovery codes")
    page.goto("/accounts/2fa/")
    expect(page.get_by_text("with a second factor")).to_be_visible()
    check("Your sign-in")
    page.get_by_role("link", name="Stop using it").click()
    check("Stop using the authenticator app")
    page.goto("/accounts/password/change/")
    check("Change your password")
    page.goto("/accounts/sessions/")
    expect(page.get_by_text("this one")).to_be_visible()
    check("Where you are signed in")

    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    sign_in(page, username)
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    check("Second step")
    page.get_by_label("Code", exact=True).fill(codes[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Calls", exact=True)).to_be_visible()


def test_keys(looked_at: tuple[Page, LookAt], username: str) -> None:
    page, check = looked_at
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    sign_in(page, username)
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_text("None yet")).to_be_visible()
    check("Security keys and passkeys")
    page.get_by_role("link", name="Add a key").click()
    show_that_it_is_you(page, check)
    check("Add a security key or passkey")
    page.get_by_label("Name of the key").fill("Blue key")
    page.get_by_label("Sign in with it alone").check()
    page.get_by_role("button", name="Add the key").click()
    expect(page.get_by_text("The key is added.")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_role("row", name="Blue key")).to_contain_text("passkey")
    check("Security keys and passkeys")
    page.get_by_role("link", name="Rename Blue key").click()
    check("Rename a key")
    page.get_by_label("Name of the key").fill("Red key")
    page.get_by_role("button", name="Store").click()

    page.get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Calls", exact=True)).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    page.get_by_role("link", name="Remove Red key").click()
    show_that_it_is_you(page, check)
    check("Remove Red key")
    page.get_by_role("button", name="Remove the key").click()
    expect(page.get_by_text("The key is removed.")).to_be_visible()
