"""`make demo`: services, migrations, worker, sample data and the site, until Ctrl-C.

    python -m oipsce_site.services.demo [--port 8000]

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 something could not start or died.
"""

import argparse
import errno
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from types import FrameType

from oipsce_site import environment
from oipsce_site.services import children, engines, layout
from oipsce_site.services.layout import CHECKOUT, Profile
from oipsce_site.services.processes import ServiceError

_PATIENCE_SECONDS = 60
_SETTINGS = "oipsce_site.settings.dev"


class DemoEnded(Exception):
    """Somebody asked the demo to end."""


def main(words: Sequence[str]) -> int:
    """Run the demo on the given or configured port and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m oipsce_site.services.demo")
    parser.add_argument("--port", type=int, default=environment.integer("PORT", 8000))
    port = parser.parse_args(words).port
    profile = layout.profile("demo")
    _end_on_signals()
    try:
        return _run(profile, port)
    except ServiceError as error:
        _say(str(error))
        return 1
    except DemoEnded:
        return 0


def _run(profile: Profile, port: int) -> int:
    _check_not_running(profile)
    began = time.monotonic()
    record = profile.run / "demo-children.json"
    children.end_leftovers(record)
    check_port(port)
    crew = children.Children(record)
    try:
        with engines.running(profile, owner=os.getpid()) as started:
            _say(started.sentence)
            try:
                return _serve(crew, port, began)
            except DemoEnded:
                _say("stopping")
                return 0
            finally:
                # A second Ctrl-C must not leave half of it running.
                _ignore_signals()
                crew.stop()
    finally:
        _say("stopped")


def _serve(crew: children.Children, port: int, began: float) -> int:
    """Bring the site up step by step; returns only when a child died, with code 1."""
    python = sys.executable
    env = environment.inherited(DJANGO_SETTINGS_MODULE=_SETTINGS, PYTHONUNBUFFERED="1")
    # The terminal is for what the demo says; each request's line would bury it.
    env.setdefault("OIPSCE_LOG_LEVEL", "WARNING")
    manage = [python, str(CHECKOUT / "manage.py")]
    server = [python, "-m", "gunicorn", "--config", "python:oipsce_site.gunicorn_conf"]
    server += ["oipsce_site.wsgi", "--bind", f"127.0.0.1:{port}"]
    # It loads its code beside the migrations; the address is told when the calls are there.
    web = crew.spawn(server, env=env, cwd=CHECKOUT)
    # The checks read the whole site; load_demo makes them.
    words = ["migrate", "--verbosity", "0", "--skip-checks"]
    _step(crew, [*manage, *words], {**env, "OIPSCE_DB_ROLE": "owner"})
    # As root Celery warns at each start; in the demo that is noise about somebody's container.
    quiet = "ignore:You're running the worker with superuser privileges"
    worker = [
        python,
        "-W",
        quiet,
        "-m",
        "celery",
        "--app",
        "oipsce_site.celery",
        "--quiet",
        "worker",
    ]
    worker += ["--concurrency", "2", "--loglevel", "WARNING", "--without-gossip"]
    crew.spawn([*worker, "--without-mingle"], env=env, cwd=CHECKOUT)
    _step(crew, [*manage, "load_demo"], env)
    _wait_until_up(port, lambda: web.poll() is None)
    _say(f"\nready after {time.monotonic() - began:.1f} s")
    _say(f"OIP-SCE Review is at http://localhost:{port} - Ctrl-C stops everything\n")
    died = crew.first_ended()
    raise ServiceError(f"a part of the demo ended by itself with code {died.returncode}")


def _step(crew: children.Children, words: list[str], env: dict[str, str]) -> None:
    code = crew.run(words, env=env, cwd=CHECKOUT)
    if code != 0:
        raise ServiceError(f"manage.py {words[2]} ended with code {code}; its words are above")


def _check_not_running(profile: Profile) -> None:
    held = engines.status(profile).lease
    if held is not None and held.is_held:
        raise ServiceError(
            f"the demo of this checkout is already running (process {held.owner.pid}): "
            "end it first, or run a second one from another checkout"
        )


def check_port(port: int) -> None:
    """Raise ServiceError when another program listens on the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the server itself binds: the closed connections of the last run do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ServiceError(
                    f"port {port} is taken by another program: choose another, "
                    f"as in `make demo PORT={port + 1}`"
                ) from error
            raise ServiceError(f"port {port} cannot be used: {error.strerror}") from error


def _wait_until_up(port: int, is_alive: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while is_alive() and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise ServiceError("the web server did not come up; its words are above")


def _end_on_signals() -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise DemoEnded

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
