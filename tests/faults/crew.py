"""The product under fault: services of a profile of their own, workers and a site as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from oipsce_site import environment
from oipsce_site.services import databases, engines, layout, processes, valkey
from oipsce_site.services.children import Children, end_leftovers
from oipsce_site.services.layout import CHECKOUT, Profile
from tests import template_database

PROFILE = "faults"
DATABASE = "oip_faults"
PATIENCE_SECONDS = float(os.environ.get("OIPSCE_FAULT_PATIENCE", "120"))


@dataclass
class Crew:
    """Processes of the product on one database, and eyes on its tables."""

    profile: Profile
    children: Children
    folder: Path
    env: dict[str, str] = field(repr=False)

    def worker(self, stage: str = "", times: int = 1) -> subprocess.Popen[bytes]:
        """Start a worker; with a stage, one that kills itself there so many times."""
        quiet = "ignore:You're running the worker with superuser privileges"
        words = [sys.executable, "-W", quiet, "-m", "tests.faults.worker"]
        return self.children.spawn(
            [*words, stage, str(self.folder), str(times)], env=self.env, cwd=CHECKOUT
        )

    def run(self, script: str, *words: str) -> str:
        """Run one of the scripts beside this file; returns what it printed."""
        program = [sys.executable, "-m", f"tests.faults.{script}", *words]
        done = subprocess.run(
            program, env=self.env, cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def deaths(self) -> int:
        """Return how often a worker has killed itself."""
        return len(list(self.folder.glob("died-*")))

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query, asked on a connection of its own."""
        with psycopg.connect(
            host=str(self.profile.postgres_sockets),
            port=self.profile.postgres_port,
            dbname=DATABASE,
            user=self.profile.app_role,
            passfile=str(self.profile.passfile),
            connect_timeout=5,
        ) as connection:
            return connection.execute(query).fetchall()

    def number(self, query: str) -> int:
        """Return the one number that a query answers."""
        [[number]] = self.ask(query)
        return int(number)

    def wait_for(self, query: str, number: int) -> None:
        """Wait until a query answers this number; a database that is away answers nothing."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        found: object = None
        while time.monotonic() < deadline:
            try:
                found = self.number(query)
            except psycopg.OperationalError as error:
                found = error
            if found == number:
                return
            time.sleep(0.2)
        raise AssertionError(f"{query}: {found!r}, not {number}, after {PATIENCE_SECONDS:g} s")

    def broker_pid(self) -> int:
        """Return the process id of the broker."""
        return valkey.pid(self.profile)


@contextmanager
def crew(folder: Path) -> Iterator[Crew]:
    """Give a fresh database and an empty broker; ends every process that was started."""
    profile = layout.profile(PROFILE)
    engines.start(profile, owner=os.getpid())
    record = profile.run / "faults-children.json"
    # A worker of a run that was itself killed would do this one's work, unarmed.
    end_leftovers(record)
    databases.drop_database(profile, DATABASE)
    template_database.make_copy(profile, DATABASE)
    env = environment.inherited(
        DJANGO_SETTINGS_MODULE="oipsce_site.settings.faults",
        OIPSCE_DB_NAME=DATABASE,
        OIPSCE_LOG_LEVEL="CRITICAL",
        DATABASE_URL="",
        REDIS_URL="",
    )
    children = Children(record, patience_seconds=0.5)
    made = Crew(profile, children, folder, env)
    try:
        yield made
    finally:
        children.stop()
        engines.start(profile, owner=os.getpid())
        databases.drop_database(profile, DATABASE)


def kill(process: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal and wait until the process is gone."""
    os.kill(process, number)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while processes.is_running(process):
        assert time.monotonic() < deadline, f"process {process} does not end"
        time.sleep(0.05)
