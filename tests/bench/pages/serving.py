"""How long the server takes, and how large its answers are: one connection, kept open."""

from __future__ import annotations

import gzip
import http.client
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter
from urllib.parse import urlsplit

ROUNDS = 30
_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class Served:
    """A page asked for many times: milliseconds, and bytes as they are and compressed."""

    median_ms: float
    p95_ms: float
    best_ms: float
    html_bytes: int
    gzip_bytes: int
    is_compressed: bool


def time_page(base_url: str, path: str, cookie: str, rounds: int = ROUNDS) -> Served:
    """Ask for a page again and again. Raises AssertionError when it is not a page."""
    parts = urlsplit(base_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=60)
    headers = {"Cookie": cookie, "Accept-Encoding": "gzip"}
    times = []
    body, encoding = b"", ""
    for turn in range(rounds + _WARM_UP):
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
    plain = gzip.decompress(body) if encoding == "gzip" else body
    return Served(
        median_ms=median(times),
        p95_ms=quantiles(times, n=20)[-1],
        best_ms=min(times),
        html_bytes=len(plain),
        gzip_bytes=len(body) if encoding else len(gzip.compress(plain, 6)),
        is_compressed=bool(encoding),
    )
