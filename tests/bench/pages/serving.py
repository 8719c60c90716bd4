"""How long the server takes, and how large its answers are: one connection, kept open.

Where the machine does other work meanwhile the clock measures that too; the CPU time of the
server's own processes, without the database's, does not.
"""

from __future__ import annotations

import gzip
import http.client
import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from urllib.parse import urlsplit

from tests.bench.pages.product import Product

ROUNDS = 30
_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class Served:
    """A page asked for many times: milliseconds, and bytes as they are and compressed.

    `cpu_ms` is None where the server's process is not known.
    """

    median_ms: float
    p95_ms: float
    best_ms: float
    cpu_ms: float | None
    html_bytes: int
    gzip_bytes: int
    is_compressed: bool

    @property
    def times(self) -> str:
        """The best time, and the CPU time where it is known."""
        cpu = "" if self.cpu_ms is None else f", CPU {self.cpu_ms:.1f} ms"
        return f"best {self.best_ms:.1f} ms{cpu}"


def time_page(product: Product, path: str, cookie: str, rounds: int = ROUNDS) -> Served:
    """Ask for a page again and again. Raises AssertionError when it is not a page."""
    base_url = product.base_url
    parts = urlsplit(base_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=60)
    headers = {"Cookie": cookie, "Accept-Encoding": "gzip"}
    times = []
    body, encoding = b"", ""
    spent = 0.0
    for turn in range(rounds + _WARM_UP):
        spent = _cpu_ms(product.server) if turn == _WARM_UP else spent
        start = perf_counter()
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        taken = (perf_counter() - start) * 1000
        assert answer.status == 200, f"{path} answered {answer.status}"
        encoding = answer.headers.get("Content-Encoding", "")
        if turn >= _WARM_UP:
            times.append(taken)
    connection.close()
    spent = _cpu_ms(product.server) - spent
    plain = gzip.decompress(body) if encoding == "gzip" else body
    return Served(
        median_ms=median(times),
        p95_ms=quantiles(times, n=20)[-1],
        best_ms=min(times),
        cpu_ms=spent / rounds if product.server else None,
        html_bytes=len(plain),
        gzip_bytes=len(body) if encoding else len(gzip.compress(plain, 6)),
        is_compressed=bool(encoding),
    )


def _cpu_ms(server: int) -> float:
    """Return the CPU time of a process and its children so far; 0 for no process."""
    if not server:
        return 0
    children = Path(f"/proc/{server}/task/{server}/children").read_text(encoding="ascii").split()
    return sum(_own_cpu_ms(process) for process in (str(server), *children))


def _own_cpu_ms(process: str) -> float:
    # The name in brackets may hold spaces; user and system time are the twelfth and next behind it.
    words = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
