"""Files are handed in and become calls, watched with and without scripts, in every look."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from review.shipped import SHIPPED_CASES
from tests.functional.conftest import LOOKS, Look, OpenContext, fits, watch
from tests.functional.site import Site

PASSWORD = "a password"
#: Long enough for three questions of a page that asks every two seconds.
_THREE_QUESTIONS_MS = 6500
_IMPORT_MS = 30_000
IMPORTS = reverse("review:imports")
_MAKE_OFFICER = """
from tests.factories import Role, make_person, make_site
make_person(Role.COMPLIANCE_OFFICER, site=make_site({name!r}), username={name!r})
"""
#: Received and paused in one transaction: no worker sees it before somebody resumes it.
_MAKE_PAUSED = """
import json
from uuid import uuid4
from django.db import transaction
from django.utils import timezone
from oipsce_site.people.models import Site, User
from review.actions.batches import Upload, pause_batch, receive_batch
batch_id, by, now = uuid4(), User.objects.get(username={name!r}), timezone.now()
with transaction.atomic():
    receive_batch(
        batch_id=batch_id, site=Site.objects.get(slug={name!r}), by=by, at=now,
        uploads=[Upload("night.jsonl", {data!r}.encode())],
    )
    pause_batch(batch_id=batch_id, by=by, at=now)
print(batch_id)
"""

Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def with_catalogs(demo_passwords: dict[str, str]) -> None:
    """Have the demo's catalogs published, so that imported calls are read."""
    assert demo_passwords


@pytest.fixture
def officer(site: Site, with_catalogs: None, request: pytest.FixtureRequest) -> str:
    """Make a compliance officer of a site where nothing was imported; return both their name."""
    letters = (letter if letter.isalnum() else "-" for letter in request.node.name.lower())
    name = "".join(letters).replace("test-", "")[:48].strip("-")
    site.manage("shell", given=_MAKE_OFFICER.format(name=name))
    return name


@pytest.fixture
def hosts() -> set[str]:
    """Return the set that `visit` collects the asked hosts in."""
    return set()


@pytest.fixture
def visit(
    open_context: OpenContext, complaints: list[str], hosts: set[str], site: Site
) -> Iterator[Callable[..., Page]]:
    """Yield a function that signs an officer in; nobody else may be asked for anything."""

    def sign_in(officer: str, look: Look = LOOKS[0], *, javascript: bool = True) -> Page:
        context: BrowserContext = open_context(look, javascript=javascript)
        context.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page = context.new_page()
        watch(page, complaints)
        page.goto(IMPORTS)
        page.get_by_label("User name or email").fill(officer)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("heading", name="Imports", exact=True)).to_be_visible()
        return page

    yield sign_in
    assert hosts == {urlsplit(site.url).netloc}


def calls_of(*names: str) -> bytes:
    """Return a file of calls, one a line."""
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_micro"]
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return "\n".join(json.dumps({**raw, "id": name}) for name in names).encode()


def files(officer: str) -> list[FilePayload]:
    """Return a file of three calls, and one that is broken."""
    good = calls_of(*(f"{officer}-{number}" for number in range(3)))
    kind = "application/json"
    return [
        {"name": "night.jsonl", "mimeType": kind, "buffer": good},
        {"name": "broken.json", "mimeType": kind, "buffer": b"{"},
    ]


def hand_in(page: Page, officer: str) -> None:
    """Choose files and import them; ends on the page of the batch."""
    page.get_by_label("Files of calls").set_input_files(files(officer))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="night.jsonl and 1 more")).to_be_visible()


def paused_batch(site: Site, officer: str, calls: int = 3) -> str:
    """Store a paused batch; return the path of its page."""
    data = calls_of(*(f"{officer}-{number}" for number in range(calls))).decode()
    printed = site.manage("shell", given=_MAKE_PAUSED.format(name=officer, data=data))
    return reverse("review:import_batch", args=[printed.split()[-1]])


def check_state(page: Page, check_accessible: Check) -> None:
    """Check one state of a page: nothing beyond the window's edge, and open to everybody."""
    assert fits(page), page.url
    check_accessible(page)


def test_the_pages_and_their_states_look_right(
    visit: Callable[..., Page],
    officer: str,
    look: Look,
    site: Site,
    complaints: list[str],
    check_accessible: Check,
) -> None:
    page = visit(officer, look)
    expect(page.get_by_role("heading", name="Nothing has been imported here yet.")).to_be_visible()
    check_state(page, check_accessible)

    page.evaluate("for (const form of document.forms) form.noValidate = true")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Choose one or more files of calls.")).to_be_visible()
    check_state(page, check_accessible)

    hand_in(page, officer)
    check_state(page, check_accessible)
    expect(page.get_by_text("done", exact=True)).to_be_visible(timeout=_IMPORT_MS)
    page.get_by_role("link", name="Show what became of each call").click()
    expect(page.get_by_role("row").filter(has_text="created")).to_have_count(3)
    expect(page.get_by_role("row").filter(has_text="bad_json")).to_contain_text("refused")
    check_state(page, check_accessible)

    page.get_by_role("link", name="unchanged 0").click()
    expect(
        page.get_by_role("heading", name="No call of this import was unchanged.")
    ).to_be_visible()
    check_state(page, check_accessible)

    page.goto(paused_batch(site, officer))
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    check_state(page, check_accessible)
    page.get_by_role("main").get_by_role("link", name="Imports").click()
    expect(page.get_by_text("paused", exact=True)).to_be_visible()
    check_state(page, check_accessible)
    assert not complaints


def test_progress_moves_by_itself_until_it_is_done_and_then_asks_no_more(
    visit: Callable[..., Page], officer: str, site: Site, complaints: list[str]
) -> None:
    path = paused_batch(site, officer)
    watcher, other = visit(officer), visit(officer)
    asked: list[str] = []
    watcher.on("request", lambda request: asked.append(urlsplit(request.url).path))
    watcher.goto(path)
    with watcher.expect_response(lambda answer: answer.url.endswith("/progress")):
        expect(watcher.get_by_text("paused", exact=True)).to_be_visible()
    assert asked.count(path) == 1

    other.goto(path)
    other.get_by_role("button", name="Resume").click()
    region = watcher.get_by_role("region", name="Progress")
    expect(region).to_contain_text("done", timeout=_IMPORT_MS)
    expect(region).to_contain_text("3 created")
    assert asked.count(path) == 1, "the page itself was not loaded again"

    asked.clear()
    watcher.wait_for_timeout(_THREE_QUESTIONS_MS)
    assert asked == []
    assert not complaints


def test_everything_works_without_scripts(
    visit: Callable[..., Page], officer: str, site: Site
) -> None:
    page = visit(officer, javascript=False)
    hand_in(page, officer)
    done = page.get_by_text("done", exact=True)
    for _ in range(60):
        if done.is_visible():
            break
        page.wait_for_timeout(500)
        page.get_by_role("region", name="Progress").get_by_role("link").click()
    expect(done).to_be_visible()
    page.get_by_role("link", name="refused 1").click()
    expect(page.get_by_role("row").filter(has_text="broken.json")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="night.jsonl")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the list (CSV)").click()
    rows = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 3 + 1

    page.goto(paused_batch(site, officer))
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)
