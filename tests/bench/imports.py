"""`make bench-imports`: calls of 100 turns from file to `awaiting review`, beside a bare COPY.

Log and provenance are on, and PostgreSQL waits for the disk (the profile of the fault tests). One
Celery worker of two processes does the work. The clock starts when the files are received, before
they are sealed, and ends with the last stored pre-fill. CPU is that of the worker and of
PostgreSQL, every process of theirs: on a machine with other work it says more than the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from oipsce_site.services import engines, layout, postgres
from oipsce_site.services.layout import CHECKOUT, Profile
from tests.bench.processes import cpu_seconds
from tests.faults.crew import DATABASE, PROFILE, Crew, crew

_CALLS = 1_000
_TARGET = 150
_CORES = 2
_PROCESSES = 2
_ROUNDS = 3
_PATIENCE_SECONDS = 600
_WAITING = "SELECT count(*) FROM review_call WHERE state = 'AWAITING_REVIEW'"
_SECONDS = """
SELECT extract(epoch FROM (SELECT max(finished_at) FROM review_prefillrun)
                        - (SELECT min(received_at) FROM review_importbatch))::float
"""
# An executor that has begun: the first task of each process loads the product.
_WARM = "SELECT count(*) FROM review_workerbeat"


def main(words: list[str]) -> int:
    """Print the figures; returns 1 where calls a second are below the target."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.imports")
    parser.add_argument("--calls", type=int, default=_CALLS)
    calls = parser.parse_args(words).calls
    profile = layout.profile(PROFILE)
    try:
        with tempfile.TemporaryDirectory() as folder, crew(Path(folder)) as team:
            return _measure(team, calls)
    finally:
        engines.stop(profile, owner=os.getpid())


def _measure(team: Crew, calls: int) -> int:
    process = start_worker(team)
    team.wait_for(_WARM, 1)
    roots = (process.pid, postgres.pid(team.profile))
    before = [cpu_seconds(root) for root in roots]
    late = time.perf_counter() + _PATIENCE_SECONDS
    hand_in(team, calls)
    # The times are the database's own: asked seldom, the question takes nothing from the work.
    while team.number(_WAITING) < calls and time.perf_counter() < late:
        time.sleep(2)
    team.wait_for(_WAITING, calls)
    used = [
        1000 * (cpu_seconds(root) - was) / calls for root, was in zip(roots, before, strict=True)
    ]
    [[seconds]] = team.ask(_SECONDS)
    team.run("verify")
    rate = calls / seconds
    copied = min(_bare_copy(team.profile) for _ in range(_ROUNDS))
    worker, database = used
    _say(
        f"imports: {rate:.0f} calls/s from file to awaiting review ({calls} calls, {_TARGET} asked)"
    )
    _say(f"imports: {seconds / copied:.0f} x a bare COPY of their turns ({calls / copied:,.0f}/s)")
    _say(
        f"imports: {worker + database:.1f} ms of CPU a call (worker {worker:.1f}, PostgreSQL "
        f"{database:.1f}): {1000 * _CORES / (worker + database):.0f} calls/s on {_CORES} idle cores"
    )
    return 0 if rate >= _TARGET else 1


def start_worker(team: Crew) -> subprocess.Popen[bytes]:
    """Start a Celery worker as the documentation says."""
    quiet = "ignore:You're running the worker with superuser privileges"
    words = [sys.executable, "-W", quiet, "-m", "celery", "--app", "oipsce_site.celery", "worker"]
    options = ["--concurrency", str(_PROCESSES), "--loglevel", "ERROR"]
    return team.children.spawn([*words, *options], env=team.env, cwd=CHECKOUT)


def hand_in(team: Crew, calls: int, phases: int = 6) -> None:
    """Hand in so many calls of 100 turns, to be judged by 6 or by 12 phases."""
    subprocess.run(
        [sys.executable, "-m", "tests.bench.hand_in", str(calls), str(phases)],
        env=team.env,
        cwd=CHECKOUT,
        check=True,
    )


def _bare_copy(profile: Profile) -> float:
    """Return the seconds that the turns take into a table without index or constraint."""
    with psycopg.connect(
        host=str(profile.postgres_sockets),
        port=profile.postgres_port,
        dbname=DATABASE,
        user=profile.owner_role,
        passfile=str(profile.passfile),
    ) as connection:
        with connection.cursor() as cursor, cursor.copy("COPY review_turn TO STDOUT") as copy:
            blocks = [bytes(block) for block in copy]
        connection.execute("CREATE TABLE bare_turn (LIKE review_turn)")
        connection.commit()
        begun = time.perf_counter()
        with connection.cursor() as cursor, cursor.copy("COPY bare_turn FROM STDIN") as copy:
            for block in blocks:
                copy.write(block)
        connection.commit()
        seconds = time.perf_counter() - begun
        connection.execute("DROP TABLE bare_turn")
    return seconds


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
