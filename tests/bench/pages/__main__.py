"""`make bench-pages`: every page budget of the product, or of another one, beside its target.

    python -m tests.bench.pages                      our own product, with a list of 100,000 calls
    python -m tests.bench.pages --base-url http://localhost:8080 --product other.json

The JSON file has the fields of `tests.bench.pages.product.Product`: the paths of pages, a user and
a password. Exit codes: 0 every target is met, 1 some are missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from statistics import median

from tests.bench.pages.browsing import Browsing, Loaded, browsing
from tests.bench.pages.figures import Figure, say
from tests.bench.pages.fill import CALLS
from tests.bench.pages.own_site import own_site
from tests.bench.pages.product import Product, read_product
from tests.bench.pages.serving import time_page

_LOADS = 5
_KB = 1000


def main(words: list[str]) -> int:
    """Measure and print every figure; returns 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages")
    parser.add_argument("--base-url", default="", help="another product's address")
    parser.add_argument("--product", type=Path, help="a JSON file that says what to measure of it")
    parser.add_argument("--calls", type=int, default=CALLS, help="calls in our own list")
    given = parser.parse_args(words)
    if bool(given.base_url) != bool(given.product):
        parser.error("--base-url and --product go together")
    missed = 0
    with _chosen(given) as product, browsing(product) as person:
        for figure in measure(product, person):
            say(figure.line())
            missed += not figure.is_met
    say(f"{missed} target(s) missed" if missed else "every target is met")
    return 1 if missed else 0


def _chosen(given: argparse.Namespace) -> AbstractContextManager[Product]:
    if given.base_url:
        return nullcontext(read_product(given.product, given.base_url))
    return own_site(given.calls)


def measure(product: Product, person: Browsing) -> Iterator[Figure]:
    """Yield the figures of every page that the product names."""
    if product.call:
        yield from _call_page(product, person)
    if product.call_500:
        yield from _long_calls(product, person)
    if product.evidence:
        yield _evidence(product, person)
    yield from _lists(product, person)


def _call_page(product: Product, person: Browsing) -> Iterator[Figure]:
    served = time_page(product, product.call, person.cookie)
    times = f"{served.times}, 95 of 100 within {served.p95_ms:.1f} ms"
    yield Figure("call of 120 turns: server, median", served.median_ms, "ms", 40, note=times)
    if "call" in product.queries:
        yield Figure("call of 120 turns: queries", product.queries["call"], "", 15)
    loads = [person.load(product.call) for _ in range(_LOADS)]
    saved = 0 if served.is_compressed else served.html_bytes - served.gzip_bytes
    yield from _cold([cold for cold, _ in loads], saved)
    yield from _warm([warm for _, warm in loads], saved)
    own = {product.base_url.split("/")[2]}
    others = set().union(*(one.hosts for pair in loads for one in pair)) - own
    yield Figure("other hosts that were asked", len(others), "", 0, note=", ".join(sorted(others)))


def _cold(loads: list[Loaded], saved: int) -> Iterator[Figure]:
    wire, script = loads[0].wire_bytes, loads[0].script_bytes
    yield Figure("opened cold: requests", len(loads[0].requests), "", 6)
    yield Figure("opened cold: on the wire", wire / _KB, "kB", 60, note=_if(saved, wire))
    yield Figure("opened cold: of that JavaScript", script / _KB, "kB", 25)
    yield Figure("opened cold: visible, median", median(one.visible_s for one in loads), "s", 0.4)


def _warm(loads: list[Loaded], saved: int) -> Iterator[Figure]:
    wire = loads[0].wire_bytes
    yield Figure("opened warm: requests", len(loads[0].requests), "", 1)
    yield Figure("opened warm: on the wire", wire / _KB, "kB", 12, note=_if(saved, wire))
    yield Figure("opened warm: visible, median", median(one.visible_s for one in loads), "s", 0.4)


def _if(saved: int, wire_bytes: float) -> str:
    """Say what the page would take where the server does not compress it."""
    return f"{(wire_bytes - saved) / _KB:.1f} kB if the page were compressed" if saved else ""


def _long_calls(product: Product, person: Browsing) -> Iterator[Figure]:
    served = time_page(product, product.call_500, person.cookie, rounds=10)
    note = f"{served.gzip_bytes / _KB:.1f} kB compressed, server median {served.median_ms:.0f} ms"
    yield Figure("call of 500 turns: HTML", served.html_bytes / _KB, "kB", 150, note=note)
    for turns, path in ((500, product.call_500), (1500, product.call_1500)):
        if path:
            pages, coming, paging = person.page_through(path)
            note = f"{pages} pages; while it came {_longest(coming)}"
            name = f"call of {turns:,} turns: tasks over 50 ms while paging"
            yield Figure(name, len(paging), "", 0, note=f"longest {_longest(paging)}, {note}")


def _longest(tasks: list[float]) -> str:
    return f"{max(tasks):.0f} ms" if tasks else "none"


def _evidence(product: Product, person: Browsing) -> Figure:
    missing = [page for page, place in product.evidence if not person.is_in_view(page, place)]
    found, total = len(product.evidence) - len(missing), len(product.evidence)
    name = f"first flagged row's evidence in view, of {total} calls"
    return Figure(name, found, "", least=total, note=", ".join(missing[:3]))


def _lists(product: Product, person: Browsing) -> Iterator[Figure]:
    for name, path in product.lists.items():
        served = time_page(product, path, person.cookie)
        note = f"{served.times}, HTML {served.html_bytes / _KB:.1f} kB"
        yield Figure(f"list, {name}: server, median", served.median_ms, "ms", 60, note=note)
    for name in ("list", "queue"):
        if name in product.queries:
            yield Figure(f"{name}: queries", product.queries[name], "", 15)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
