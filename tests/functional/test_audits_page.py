"""A signed call is exported in the browser, and a stranger's one file verifies what came down."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from review.actions.standalone import program
from tests.functional.conftest import LOOKS, Look, OpenContext, watch
from tests.functional.site import Site

PASSWORD = "a password"
_BUILD_MS = 60_000
#: Signs a Case B of a site of its own: the demo's is for others to look at.
_SIGN = """
from django.utils import timezone
from oipsce_site.signing.store import open_store
from review.models import Call
from tests.factories import Role, case, make_person, make_site, prefilled
from tests.signed import sign_stored
call = Call.objects.filter(site__slug="audited").first()
if call is None:
    site = make_site("audited")
    call_id = prefilled(case("case_b_call"), site)
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=site))
    make_person(Role.COMPLIANCE_OFFICER, site=site, username="audit-officer")
    call = Call.objects.get(pk=call_id)
print(call.pk, open_store(at=timezone.now()).root_id())
"""


@pytest.mark.parametrize("look", LOOKS[1:], ids=str)
def test_a_signed_call_is_exported_and_a_stranger_verifies_it(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    look: Look,
    check_accessible: Callable[[Page], None],
    tmp_path: Path,
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    call_id, root_id = site.manage("shell", given=_SIGN).split()[-2:]
    page = open_context(look).new_page()
    watch(page, complaints)
    page.goto(reverse("review:audits"))
    page.get_by_label("User name or email").fill("audit-officer")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Signed audits")).to_be_visible()
    check_state(page, check_accessible)
    page.get_by_label("Recipient").fill("State board")
    page.get_by_label("Purpose").fill("Inspection")
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("heading", name="Audit for State board")).to_be_visible()
    link = page.get_by_role("link", name="Download")
    expect(link).to_be_visible(timeout=_BUILD_MS)
    check_state(page, check_accessible)
    with page.expect_download() as download:
        link.click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    verify_on_the_page(page, file, root_id)
    check_state(page, check_accessible)
    (tmp_path / "oip_verify.py").write_bytes(program("verifier"))
    words = [sys.executable, "-I", str(tmp_path / "oip_verify.py"), str(file), "--root", root_id]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("VERIFIED\n"), done.stdout + done.stderr
    assert f"{call_id} coverage pass, order fail, call success fail" in done.stdout


def verify_on_the_page(page: Page, file: Path, root_id: str) -> None:
    page.goto(reverse("review:audits"))
    page.get_by_role("link", name="Verify an audit").click()
    expect(page.get_by_role("heading", name="Verify an audit")).to_be_visible()
    page.get_by_label("Audit", exact=True).set_input_files(file)
    page.get_by_label("Fingerprint of the root key").fill(root_id)
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.get_by_text("VERIFIED")).to_be_visible(timeout=_BUILD_MS)


def check_state(page: Page, check_accessible: Callable[[Page], None]) -> None:
    """Check one state of a page: nothing beyond the window's edge, and open to everybody."""
    script = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(script), page.url
    check_accessible(page)
