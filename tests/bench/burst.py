"""`make bench-burst`: from the API's POST until a call's rows are visible, in a day's flow and in a
burst of 200.

The whole product: gunicorn with two processes, a Celery worker with two, on engines that wait for
the disk, all on this machine. Calls have 100 turns and come one a request. The flow is that of
10,000 calls a day and goes on during the burst; the burst is handed in by eight connections as fast
as they are answered. A call's time begins before its request is sent, and ends when another
connection to the database first sees that it awaits review, asked forty times a second.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from statistics import median, quantiles
from typing import Final

import orjson
import psycopg

from oipsce_site.services import engines, layout
from oipsce_site.services.layout import CHECKOUT, Profile
from tests.bench.imports import start_worker
from tests.bench.synthetic import cut
from tests.faults.crew import DATABASE, PROFILE, Crew, crew
from tests.golden.judged import raw_case

BURST: Final = 200
A_DAY: Final = 10_000
TARGET_SECONDS: Final = 2.0
_FLOW_SECONDS: Final = 60
_CONNECTIONS: Final = 8
_BETWEEN_LOOKS: Final = 0.025
_PATIENCE_SECONDS: Final = 120
_WARM = "SELECT count(*) FROM review_workerbeat"
_SEEN = "SELECT external_id FROM review_call WHERE state = 'AWAITING_REVIEW'"

Times = dict[str, float]


def main() -> int:
    """Print the figures; returns 1 where the 95th percentile is above its target."""
    profile = layout.profile(PROFILE)
    try:
        with tempfile.TemporaryDirectory() as folder, crew(Path(folder)) as team:
            return _measure(team)
    finally:
        engines.stop(profile, owner=os.getpid())


def _measure(team: Crew) -> int:
    key = _make_key(team)
    port = _start_site(team)
    start_worker(team)
    team.wait_for(_WARM, 1)
    raw = cut(raw_case("case_b_call"))
    sender = _Sender(port, key, raw)
    with _looking(team.profile) as seen:
        sender.send(["warm-1", "warm-2"])
        flow = [f"flow-{number}" for number in range(_FLOW_SECONDS * A_DAY // 86_400 * 2)]
        flowing = threading.Thread(target=sender.send_slowly, args=(flow, 86_400 / A_DAY))
        flowing.start()
        time.sleep(_FLOW_SECONDS)
        burst = [f"burst-{number}" for number in range(BURST)]
        begun = time.perf_counter()
        sender.send_at_once(burst)
        answered = time.perf_counter() - begun
        flowing.join()
        _wait(seen, [*burst, *flow])
    sys.stdout.write(f"burst: {BURST} calls of 100 turns were answered within {answered:.1f} s\n")
    late = [_say("flow", [seen[one] - sender.sent[one] for one in flow])]
    late.append(_say("burst", [seen[one] - sender.sent[one] for one in burst]))
    return int(any(late))


def _say(name: str, seconds: Sequence[float]) -> bool:
    last = quantiles(seconds, n=20, method="inclusive")[-1]
    sys.stdout.write(
        f"{name}: {len(seconds)} calls, from POST to rows visible: median {median(seconds):.2f} s, "
        f"95th percentile {last:.2f} s ({TARGET_SECONDS:g} asked), longest {max(seconds):.2f} s\n"
    )
    return last > TARGET_SECONDS


class _Sender:
    """Hands in calls, one a request, and notes when each began to be sent."""

    def __init__(self, port: int, key: str, raw: dict[str, object]) -> None:
        self._port, self._raw = port, raw
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            # Any other name is led to this one (middleware.py).
            "Host": f"localhost:{port}",
        }
        self.sent: Times = {}

    def send(self, names: Sequence[str]) -> None:
        """Send calls one after the other on one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        for name in names:
            self._one(connection, name)
        connection.close()

    def send_slowly(self, names: Sequence[str], between: float) -> None:
        """Send calls with so many seconds between them, each on a connection of its own."""
        for name in names:
            self.send([name])
            time.sleep(between)

    def send_at_once(self, names: Sequence[str]) -> None:
        """Send calls on several connections, each the next as soon as one was answered."""
        left: SimpleQueue[str] = SimpleQueue()
        for name in names:
            left.put(name)
        threads = [threading.Thread(target=self._drain, args=(left,)) for _ in range(_CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _drain(self, left: SimpleQueue[str]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        while not left.empty():
            self._one(connection, left.get())
        connection.close()

    def _one(self, connection: http.client.HTTPConnection, name: str) -> None:
        body = orjson.dumps({"format": "oip-call/1", **self._raw, "id": name}, default=float)
        self.sent[name] = time.perf_counter()
        headers = {**self._headers, "Idempotency-Key": name}
        connection.request("POST", "/api/v1/calls", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        assert answer.status == 201, (answer.status, said)


@contextmanager
def _looking(profile: Profile) -> Iterator[Times]:
    """Note when each call was first seen awaiting review, while this lasts."""
    seen: Times = {}
    over = threading.Event()
    thread = threading.Thread(target=_look, args=(profile, seen, over))
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def _look(profile: Profile, seen: Times, over: threading.Event) -> None:
    with psycopg.connect(
        host=str(profile.postgres_sockets),
        port=profile.postgres_port,
        dbname=DATABASE,
        user=profile.app_role,
        passfile=str(profile.passfile),
        autocommit=True,
    ) as connection:
        while not over.wait(_BETWEEN_LOOKS):
            found = connection.execute(_SEEN).fetchall()
            now = time.perf_counter()
            for (name,) in found:
                seen.setdefault(name, now)


def _wait(seen: Times, names: Sequence[str]) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while not seen.keys() >= set(names):
        assert time.monotonic() < until, f"{len(set(names) - seen.keys())} calls are not filled"
        time.sleep(0.1)


def _make_key(team: Crew) -> str:
    words = [sys.executable, "-m", "tests.bench.api_key"]
    done = subprocess.run(
        words, env=team.env, cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    return done.stdout.split()[-1]


def _start_site(team: Crew) -> int:
    port = _free_port()
    env = {**team.env, "OIPSCE_BIND": f"127.0.0.1:{port}"}
    words = [sys.executable, "-m", "gunicorn", "--config", "python:oipsce_site.gunicorn_conf"]
    team.children.spawn([*words, "oipsce_site.wsgi"], env=env, cwd=CHECKOUT)
    until = time.monotonic() + _PATIENCE_SECONDS
    while not _answers(port):
        assert time.monotonic() < until, "the site does not start"
        time.sleep(0.1)
    return port


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
