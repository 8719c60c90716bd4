"""What a browser sees of a page: requests, bytes on the wire, when it shows, what is in view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.pages.product import Product
from tests.functional.conftest import CHROMIUM, LAUNCH_FLAGS

WINDOW = {"width": 1400, "height": 900}

_WATCH_TASKS = """
window.longTasks = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
}).observe({type: 'longtask', buffered: true});
"""
_IN_VIEW = """async selector => {
  const element = document.querySelector(selector);
  if (!element) return false;
  return await new Promise(resolve => new IntersectionObserver((entries, observer) => {
    observer.disconnect();
    resolve(entries[0].intersectionRatio > 0.5);
  }, {threshold: [0, 0.5, 1]}).observe(element));
}"""
_PAGE_ON = """selector => {
  const pane = document.querySelector(selector);
  const inner = pane && pane.scrollHeight > pane.clientHeight + 1;
  const moved = inner ? pane : document.scrollingElement;
  const before = moved.scrollTop;
  moved.scrollBy(0, moved.clientHeight * 0.9);
  return moved.scrollTop > before;
}"""


@dataclass(slots=True)
class Loaded:
    """One load of a page: what went over the wire, and seconds until the call showed."""

    requests: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    wire_bytes: float = 0
    script_bytes: float = 0
    html_bytes: float = 0
    visible_s: float = 0


class Browsing:
    """A signed-in person at one product, with one browser."""

    def __init__(self, browser: Browser, product: Product) -> None:
        """Sign in once; every cold load starts from the cookies of that."""
        self._browser, self._product = browser, product
        with self._fresh(state=None) as context:
            page = context.new_page()
            page.goto(product.base_url + product.sign_in)
            page.locator("input[type=text], input[type=email]").first.fill(product.user)
            page.locator("input[type=password]").first.fill(product.password)
            page.locator("input[type=password]").first.press("Enter")
            page.wait_for_url(lambda url: product.sign_in not in url)
            self._state: Any = context.storage_state()

    @property
    def cookie(self) -> str:
        """The Cookie header of the signed-in person."""
        return "; ".join(f"{one['name']}={one['value']}" for one in self._state["cookies"])

    def load(self, path: str) -> tuple[Loaded, Loaded]:
        """Load a page with nothing kept, and then once more beside what is kept now."""
        with self._fresh(self._state) as context:
            return self._load(context, path), self._load(context, path)

    def is_in_view(self, path: str, selector: str) -> bool:
        """Open a page and say whether an element is in view without anybody scrolling."""
        with self._fresh(self._state) as context:
            page = context.new_page()
            page.goto(self._product.base_url + path)
            return bool(page.evaluate(_IN_VIEW, selector))

    def page_through(self, path: str) -> tuple[int, list[float], list[float]]:
        """Page to the end; returns how many pages there were, and the tasks over 50 ms in
        milliseconds while the page came and while it was paged through.
        """
        with self._fresh(self._state) as context:
            context.add_init_script(_WATCH_TASKS)
            page = context.new_page()
            page.goto(self._product.base_url + path)
            page.wait_for_timeout(500)
            coming = _tasks(page)
            pages = 1
            while page.evaluate(_PAGE_ON, self._product.scroll):
                page.wait_for_timeout(40)
                pages += 1
            page.wait_for_timeout(300)
            return pages, coming, _tasks(page)

    @contextmanager
    def _fresh(self, state: Any) -> Iterator[BrowserContext]:
        context = self._browser.new_context(viewport=WINDOW, storage_state=state)  # type: ignore[arg-type]
        try:
            yield context
        finally:
            context.close()

    def _load(self, context: BrowserContext, path: str) -> Loaded:
        page = context.new_page()
        loaded = Loaded()
        _record(context, page, loaded)
        start = perf_counter()
        page.goto(self._product.base_url + path, wait_until="commit")
        page.locator(self._product.visible).first.wait_for(state="visible")
        loaded.visible_s = perf_counter() - start
        page.wait_for_load_state("networkidle")
        page.close()
        return loaded


def _record(context: BrowserContext, page: Page, loaded: Loaded) -> None:
    """Count what comes from the server: the browser's own cache costs nothing."""
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    kinds: dict[str, tuple[str, str]] = {}
    kept: set[str] = set()

    def asked(event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if url.startswith("http"):
            loaded.hosts.add(url.split("/")[2])

    def answered(event: dict[str, Any]) -> None:
        answer = event["response"]
        kinds[event["requestId"]] = (event["type"], answer["url"])
        if answer.get("fromDiskCache"):
            kept.add(event["requestId"])

    def finished(event: dict[str, Any]) -> None:
        name = event["requestId"]
        kind, url = kinds.get(name, ("", ""))
        if name in kept or not url.startswith("http"):
            return
        loaded.requests.append(url)
        loaded.wire_bytes += event["encodedDataLength"]
        loaded.script_bytes += event["encodedDataLength"] if kind == "Script" else 0
        loaded.html_bytes += event["encodedDataLength"] if kind == "Document" else 0

    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.responseReceived", answered)
    wire.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    wire.on("Network.loadingFinished", finished)


def _tasks(page: Page) -> list[float]:
    """Return the long tasks since the last time."""
    found: list[float] = page.evaluate("window.longTasks.splice(0)")
    return found


@contextmanager
def browsing(product: Product) -> Iterator[Browsing]:
    """Open a browser and sign in."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_FLAGS)
        try:
            yield Browsing(browser, product)
        finally:
            browser.close()
