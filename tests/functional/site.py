"""The running site that browser tests visit: gunicorn and a Celery worker of its own.

Playwright's synchronous API breaks later ORM calls in one process, so the server, the worker and
every change of data run in processes of their own, on a database of their own.
"""

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from oipsce_site import environment
from oipsce_site.services import databases
from oipsce_site.services.children import Children, end_leftovers
from oipsce_site.services.layout import CHECKOUT, Profile
from tests import servers, template_database

SETTINGS = "oipsce_site.settings.test"
DATABASE = "oip_functional"
# Integration tests use the broker's number 0; each site has its own behind it.
_FIRST_BROKER_NUMBER = 1
_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Site:
    """Where the site answers, and how to run a command on its data; `server` is its process."""

    port: int
    # Not shown when a test fails: it holds whatever the machine was started with.
    env: dict[str, str] = field(repr=False)
    server: int = 0

    @property
    def url(self) -> str:
        """The address of the first page, by the name that passkeys know."""
        return f"http://localhost:{self.port}"

    @property
    def numeric_url(self) -> str:
        """The same by address, where only the health endpoints answer."""
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *words: str, given: str = "") -> str:
        """Run a management command on the site's database; returns what it printed.

        `given` is its standard input. Raises AssertionError with its words when it fails.
        """
        program = [sys.executable, str(CHECKOUT / "manage.py"), *words]
        done = subprocess.run(
            program, env=self.env, input=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{words[0]} ended with {done.returncode}:\n{done.stderr}"
        return done.stdout


@contextmanager
def running_site(
    profile: Profile, *, settings: str = SETTINGS, database: str = DATABASE, number: int = 0
) -> Iterator[Site]:
    """Keep the site up on a fresh database; the embedded services must run.

    Sites beside each other have numbers of their own.
    """
    record = profile.run / f"functional-children-{number}.json"
    end_leftovers(record)
    database = f"{database}_{number}"
    databases.drop_database(profile, database)
    template_database.make_copy(profile, database)
    # A fresh database knows nothing of what an earlier one was sealed with.
    shutil.rmtree(_keys(profile, number), ignore_errors=True)
    broker = servers.broker_url(profile, number=_FIRST_BROKER_NUMBER + number)
    site = Site(_free_port(), _environment(broker, settings, database, _keys(profile, number)))
    if settings != SETTINGS:
        site.manage("collectstatic", "--noinput", "--clear", "--verbosity", "0")
    crew = Children(record)
    try:
        crew.spawn(_worker(), env=site.env, cwd=CHECKOUT)
        server = crew.spawn(_server(site.port), env=site.env, cwd=CHECKOUT)
        _wait_until_up(site)
        yield replace(site, server=server.pid)
    finally:
        crew.stop()
        databases.drop_database(profile, database)


def _environment(broker: str, settings: str, database: str, keys: Path) -> dict[str, str]:
    return environment.inherited(
        DJANGO_SETTINGS_MODULE=settings,
        OIPSCE_DB_NAME=database,
        REDIS_URL=broker,
        OIPSCE_LOG_LEVEL="WARNING",
        SIGNING_KEY_DIR=str(keys),
    )


def _keys(profile: Profile, number: int) -> Path:
    return profile.run / f"functional-signing-{number}"


def _worker() -> list[str]:
    # "root is discouraged" is about production; a build machine runs everything as root.
    quiet = "ignore:You're running the worker with superuser privileges"
    words = [sys.executable, "-W", quiet, "-m", "celery", "--app", "oipsce_site.celery", "--quiet"]
    return [*words, "worker", "--concurrency", "1", "--loglevel", "WARNING", "--without-mingle"]


def _server(port: int) -> list[str]:
    words = [sys.executable, "-m", "gunicorn", "oipsce_site.wsgi", "--no-control-socket"]
    return [*words, "--bind", f"127.0.0.1:{port}", "--threads", "8", "--log-level", "warning"]


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(site: Site) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{site.numeric_url}/readyz", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the site did not come up within {_PATIENCE_SECONDS} s")
