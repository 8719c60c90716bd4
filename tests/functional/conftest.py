"""Browser tests: a running site and Debian's chromium; only this machine is reachable.

Run as a pytest call of their own: pytest tests/functional
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from pytest_socket import enable_socket, socket_allow_hosts

from tests import servers
from tests.functional.site import Site, running_site

CHROMIUM = Path("/usr/bin/chromium")
# Without these chromium calls its maker's hosts on every start and refuses to run as root.
LAUNCH_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
]
PATIENCE_MS = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """One way the pages are looked at."""

    width: int
    scheme: str

    def __str__(self) -> str:
        return f"{self.width}-{self.scheme}"


LOOKS = [Look(width, scheme) for width in (1280, 400) for scheme in ("light", "dark")]


def pytest_runtest_setup() -> None:
    """Open this machine's own address again, after the rule for all tests closed everything."""
    enable_socket()
    socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """Yield the running site; its services stop with this pytest if it started them."""
    profile = servers.profile()
    servers.start(profile, owner=os.getpid())
    with running_site(profile) as site:
        yield site


@pytest.fixture(scope="session")
def demo_passwords(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Load the demo once through the real import and worker; return everybody's password."""
    file = tmp_path_factory.mktemp("demo") / "credentials.json"
    site.manage("load_demo", "--credentials", str(file))
    return {str(name): str(word) for name, word in json.loads(file.read_text()).items()}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one chromium for all tests; each test gets a context of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_FLAGS)
        yield browser
        browser.close()


OpenContext = Callable[..., BrowserContext]


@pytest.fixture
def open_context(browser: Browser, site: Site) -> Iterator[OpenContext]:
    """Yield a function that opens a context: look=Look(1280, "light"), javascript=True."""
    opened: list[BrowserContext] = []

    def open_one(look: Look = LOOKS[0], *, javascript: bool = True) -> BrowserContext:
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": look.width, "height": 900},
            color_scheme="dark" if look.scheme == "dark" else "light",
            reduced_motion="reduce",
            java_script_enabled=javascript,
        )
        context.set_default_timeout(PATIENCE_MS)
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def complaints() -> list[str]:
    """Return the list that `page` collects the browser's complaints in."""
    return []


@pytest.fixture
def page(open_context: OpenContext, complaints: list[str]) -> Iterator[Page]:
    """Yield a wide, light page; at its end the browser must not have complained.

    A refused script or style (content security policy), a missing file and an uncaught error
    are all complaints.
    """
    page = open_context().new_page()
    watch(page, complaints)
    yield page
    assert not complaints, f"the browser complained: {complaints}"


def watch(page: Page, complaints: list[str]) -> None:
    """Collect the page's console errors and uncaught errors.

    A form that is refused or meets another version (422, 409) is an answer and no error, though
    browsers say so of every such status.
    """

    def listen(said: ConsoleMessage) -> None:
        # Browsers ask for this one on their own where a page names no icon.
        answered = re.search(r"status of (409|422)", said.text)
        is_icon = said.location["url"].endswith("/favicon.ico")
        if said.type == "error" and not is_icon and not answered:
            complaints.append(f"{said.text} ({said.location['url']})")

    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(str(error)))


@pytest.fixture(params=LOOKS, ids=str)
def look(request: pytest.FixtureRequest) -> Look:
    """Return each width and colour scheme in turn."""
    found = request.param
    assert isinstance(found, Look)
    return found


@pytest.fixture
def check_accessible() -> Callable[[Page], None]:
    """Return a function that fails with every accessibility violation axe finds on the page."""

    def check(page: Page) -> None:
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()

    return check
