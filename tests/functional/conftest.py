"""Browser tests: a running site and Debian's chromium; only this machine is reachable.

Run as a pytest call of their own: pytest tests/functional. With xdist each worker has a site, a
database and a browser of its own.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)
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


#: Each width once: what depends on the colours alone, `check_accessible` looks at in both schemes.
LOOKS = [Look(1280, "light"), Look(400, "dark")]
#: The rules of axe that colours can break; what else it finds is the same in both schemes.
_COLOUR_RULES = """axe.run({
  runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations']
})"""


def pytest_runtest_setup() -> None:
    """Open this machine's own address again, after the rule for all tests closed everything."""
    enable_socket()
    socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, services_owner: int) -> Iterator[Site]:
    """Yield this worker's running site; the run that started its services stops them."""
    profile = servers.profile()
    servers.start(profile, owner=services_owner)
    worker = getattr(request.config, "workerinput", {"workerid": "gw0"})["workerid"]
    with running_site(profile, number=int(worker.removeprefix("gw"))) as site:
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
    """Return each width in turn, once light and once dark."""
    found = request.param
    assert isinstance(found, Look)
    return found


@pytest.fixture
def check_accessible() -> Callable[[Page], None]:
    """Return a function that fails with every accessibility violation axe finds on the page, in
    both colour schemes.
    """

    def check(page: Page) -> None:
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        page.emulate_media(color_scheme="light" if is_dark else "dark")
        # Axe is in the page by now.
        colours = AxeResults(page.evaluate(_COLOUR_RULES))
        page.emulate_media(color_scheme="null")
        assert colours.violations_count == 0, colours.generate_report()

    return check


def fits(page: Page) -> bool:
    """Say whether nothing reaches beyond the window's right edge."""
    page.wait_for_load_state()
    script = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(page.evaluate(script))


SignIn = Callable[[Page, str, str], None]


@pytest.fixture(scope="session")
def cookies_of() -> dict[str, list[Any]]:
    """Return the cookies of everybody who has signed in at this worker's site."""
    return {}


@pytest.fixture
def sign_in(cookies_of: dict[str, list[Any]]) -> SignIn:
    """Return a function that takes name and password and ends on the first page, signed in.

    Each person types once; the door has tests of its own. Who signs out must have typed.
    """

    def enter(page: Page, username: str, password: str) -> None:
        if username in cookies_of:
            page.context.add_cookies(cookies_of[username])
            page.goto("/")
        else:
            type_in(page, username, password)
            cookies_of[username] = page.context.cookies()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    return enter


def type_in(page: Page, username: str, password: str) -> None:
    """Sign in as a person does."""
    page.goto("/")
    page.get_by_label("User name or email").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
