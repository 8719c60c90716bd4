"""A call signed in a browser: by passkey, and by password and code without JavaScript."""

from __future__ import annotations

import time
from collections.abc import Callable
from zlib import crc32

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.functional.conftest import LOOKS, Look, OpenContext, fits, watch
from tests.functional.site import Site
from tests.functional.test_account_pages import code_of
from tests.functional.workbench import PASSWORD, Desk, make_desk, open_desk

Check = Callable[[Page], None]
SECRET = "JBSWY3DPEHPK3PXP"
_LOOKED_AT_MS = 900
_APP = """
from oipsce_site.people.models import User
from tests.signers import with_app, read_and_decide
person = User.objects.get(username={name!r})
with_app(person)
read_and_decide({call_id!r}, person)
"""
_SIGNED = """
from review.models import SignOff
from review.core.signoff.record import decode_signoff
from oipsce_site.ledger.queries import verify
[stored] = SignOff.objects.filter(call_id={call_id!r})
made = decode_signoff(bytes(stored.record))
print("STORED", made.assurance.value, made.meaning.value, len(verify(stored.call_id)))
"""


def look_at(page: Page) -> None:
    """Wait as long as nobody signs in less: what comes sooner was not read."""
    page.wait_for_timeout(_LOOKED_AT_MS)


@pytest.fixture
def desk(site: Site, demo_passwords: dict[str, str], request: pytest.FixtureRequest) -> Desk:
    assert demo_passwords  # the demo has published the catalogs
    return make_desk(site, f"sign-{crc32(request.node.name.encode()):08x}")


def stored(desk: Desk) -> list[str]:
    """Return how the call was signed, in which meaning, and what is wrong with its chain."""
    given = _SIGNED.format(call_id=desk.call_id)
    return desk.site.manage("shell", given=given).rpartition("STORED")[2].split()


def insert_key(page: Page) -> CDPSession:
    """Put a passkey's home into the device."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    made = device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    device.send(
        "WebAuthn.setUserVerified",
        {"authenticatorId": made["authenticatorId"], "isUserVerified": True},
    )
    return device


def add_passkey(page: Page) -> None:
    """Set up a passkey as a person does."""
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Name of the key").fill("Blue key")
    page.get_by_label("Sign in with it alone").check()
    page.get_by_role("button", name="Add the key").click()
    expect(page.get_by_text("The key is added.")).to_be_visible()


def decide_all(page: Page, desk: Desk) -> None:
    """Decide every row of Case B by keys."""
    page.goto(desk.path)
    expect(page.locator("#pick-PID")).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator("#said")).to_contain_text("decision 1")
    page.keyboard.press("a")
    expect(page.locator("#said")).to_contain_text("decision 2")
    page.keyboard.press("A")
    page.keyboard.press("Enter")
    expect(page.locator("#call-state")).to_contain_text("every row decided, ready to sign")


def test_case_b_is_signed_by_passkey_and_by_keys_alone(
    page: Page, desk: Desk, check_accessible: Check
) -> None:
    open_desk(page, desk)
    insert_key(page)
    add_passkey(page)
    decide_all(page, desk)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Your signature")).to_be_visible()
    check_accessible(page)
    content = page.get_by_role("region", name="What is signed")
    expect(content.get_by_role("row", name="CSV")).to_contain_text("42")
    expect(page.get_by_text("binds me as my handwritten one would")).to_be_visible()
    way = page.get_by_role("form", name="By passkey")
    # Refused at its field, before any key is asked.
    way.get_by_label("Your password").fill(PASSWORD)
    look_at(page)
    way.get_by_role("button", name="Go on to the passkey").click()
    expect(way.get_by_text("Choose what your signature says")).to_have_count(2)
    way.get_by_label("Meaning of your signature").select_option("approved")
    way.get_by_label("Your password").fill("not this one")
    look_at(page)
    way.get_by_role("button", name="Go on to the passkey").click()
    expect(way.get_by_text("This is not your password.")).to_be_visible()
    way.get_by_label("Your password").fill(PASSWORD)
    # Proposed, for the call is in the reader's hands.
    expect(way.get_by_label("Then take the next call")).to_be_checked()
    way.get_by_label("Then take the next call").uncheck()
    look_at(page)
    way.get_by_role("button", name="Go on to the passkey").click()
    signatures = page.get_by_role("region", name="Signatures")
    expect(signatures).to_contain_text("approved")
    expect(signatures).to_contain_text("signed with the signer's own key")
    expect(page).to_have_url(f"{desk.site.url}{desk.path}")
    expect(page.locator("#call-state")).to_contain_text("signed")
    assert stored(desk) == ["signer-key", "approved", "0"]
    check_accessible(page)


def test_a_passkey_that_says_no_signs_nothing(
    page: Page, desk: Desk, check_accessible: Check
) -> None:
    open_desk(page, desk)
    device = insert_key(page)
    add_passkey(page)
    decide_all(page, desk)
    device.send("WebAuthn.disable")
    page.goto(f"{desk.path}sign/")
    way = page.get_by_role("form", name="By passkey")
    way.get_by_label("Meaning of your signature").select_option("reviewed")
    way.get_by_label("Your password").fill(PASSWORD)
    page.add_init_script(
        "navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    )
    look_at(page)
    way.get_by_role("button", name="Go on to the passkey").click()
    expect(page.get_by_text("The passkey did not sign")).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="Do not sign").click()
    expect(page.get_by_role("region", name="Signatures")).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS[1:], ids=str)
def test_case_b_is_signed_by_password_and_code_without_javascript(
    open_context: OpenContext, desk: Desk, look: Look, complaints: list[str]
) -> None:
    page = open_context(look, javascript=False).new_page()
    watch(page, complaints)
    open_desk(page, desk)
    desk.site.manage("shell", given=_APP.format(name=desk.people[0], call_id=desk.call_id))
    page.goto(desk.path)
    page.locator("[data-sign]").click()
    way = page.get_by_role("form", name="By password and code")
    expect(way).to_contain_text("server-attested")
    assert fits(page)
    way.get_by_label("Meaning of your signature").select_option("reviewed")
    way.get_by_label("Your password").fill(PASSWORD)
    way.get_by_label("Six digits").fill("000000")
    look_at(page)
    way.get_by_role("button", name="Sign", exact=True).click()
    expect(way.get_by_text("This code is wrong")).to_be_visible()
    way.get_by_label("Your password").fill(PASSWORD)
    way.get_by_label("Six digits").fill(code_of(SECRET, time.time()))
    way.get_by_label("Then take the next call").uncheck()
    look_at(page)
    way.get_by_role("button", name="Sign", exact=True).click()
    expect(page.get_by_role("region", name="Signatures")).to_contain_text("server-attested")
    assert stored(desk) == ["server-attested", "reviewed", "0"]
    page.goto(f"{desk.path}sign/")
    page.get_by_label("Why", exact=True).fill("A document came late.")
    page.get_by_role("button", name="Ask to reopen the call").click()
    expect(page.get_by_text("A document came late.")).to_be_visible()
    assert fits(page)
    assert not complaints


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_the_signing_page_is_accessible_at_both_widths(
    open_context: OpenContext, desk: Desk, look: Look, check_accessible: Check
) -> None:
    page = open_context(look).new_page()
    open_desk(page, desk)
    page.goto(f"{desk.path}sign/")
    expect(page.get_by_text("A call is signed while it is in review")).to_be_visible()
    check_accessible(page)
    desk.site.manage("shell", given=_APP.format(name=desk.people[0], call_id=desk.call_id))
    page.goto(f"{desk.path}sign/")
    expect(page.get_by_role("form", name="By password and code")).to_be_visible()
    check_accessible(page)
    assert fits(page)
    page.goto("/signing/")
    expect(page.get_by_role("heading", name="No call can be signed together")).to_be_visible()
    check_accessible(page)
    assert fits(page)
