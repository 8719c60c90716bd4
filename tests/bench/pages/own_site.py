"""Our own product as the bench starts it: production's static files, a database of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from oipsce_site.services import engines, layout
from oipsce_site.services.layout import CHECKOUT
from tests.bench.pages.figures import say
from tests.bench.pages.product import Product, product_from
from tests.functional.site import running_site

_SETTINGS = "tests.bench.pages.settings"
_DATABASE = "oip_bench_pages"


@contextmanager
def own_site(calls: int) -> Iterator[Product]:
    """Keep the product up, filled with `calls` calls and those that are opened."""
    profile = layout.profile("test")
    with (
        engines.running(profile, owner=os.getpid()),
        running_site(profile, settings=_SETTINGS, database=_DATABASE) as site,
    ):
        say(f"filling the list with {calls:,} calls, which takes a minute")
        words = [sys.executable, "-m", "tests.bench.pages.fill", str(calls)]
        done = subprocess.run(
            words, env=site.env, cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        yield product_from({**json.loads(done.stdout), "server": site.server}, site.url)
