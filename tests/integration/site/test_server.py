"""The site as production runs it: gunicorn and a worker with the production settings."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection

from oipsce_site import environment
from oipsce_site.services.layout import CHECKOUT
from tests import servers

pytestmark = pytest.mark.django_db(transaction=True)

_PATIENCE_SECONDS = 60
_HOST = "oip.example"
_ID = "proxy-id-0123456789"


class _OverSocket(http.client.HTTPConnection):
    """Speaks http over a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__(_HOST, timeout=_PATIENCE_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(str(self._path))


class Running:
    """The running server; each request is one of its own, as from a proxy that speaks TLS."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers in lower case and body."""
        ask = _OverSocket(self._path)
        given = {"X-Forwarded-Proto": "https", "X-Request-Id": _ID}
        ask.request(
            "GET", url, headers=given | {k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = ask.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        body = answer.read()
        ask.close()
        return answer.status, found, body


class _Environment(dict[str, str]):
    """Not shown when a test fails: it holds whatever the machine was started with."""

    def __repr__(self) -> str:
        return "<environment>"


@pytest.fixture
def env(transactional_db: None, tmp_path: Path) -> dict[str, str]:
    """Return the environment of production, with static files collected in a temporary folder."""
    static = tmp_path / "static"
    (tmp_path / "production_here.py").write_text(
        f"from oipsce_site.settings.prod import *\nSTATIC_ROOT = {str(static)!r}\n"
    )
    changes = _Environment(
        DJANGO_SETTINGS_MODULE="production_here",
        PYTHONPATH=str(tmp_path),
        SECRET_KEY="only-here-" + "x" * 50,
        ALLOWED_HOSTS=_HOST,
        DATABASE_URL=servers.app_url(str(connection.settings_dict["NAME"])),
        REDIS_URL=servers.broker_url(servers.profile(), number=1),
        SEALING_KEY_FILE=str(tmp_path / "sealing.json"),
        OIPSCE_BEHIND_PROXY="1",
        OIPSCE_BIND=f"unix:{tmp_path / 'site.sock'}",
        OIPSCE_WORKERS="1",
        OIPSCE_LOG_LEVEL="INFO",
        OIPSCE_DB_ROLE="app",
    )
    env = _Environment(environment.inherited(**changes))
    words = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(words, cwd=CHECKOUT, env=env, check=True)
    return env


@contextmanager
def running(words: list[str], env: dict[str, str], log: Path) -> Iterator[None]:
    """Keep a program up; its standard error goes to the file."""
    with log.open("wb") as sink:
        program = [sys.executable, "-m", *words]
        child = subprocess.Popen(
            program, cwd=CHECKOUT, env=env, stdout=subprocess.DEVNULL, stderr=sink
        )
        try:
            yield
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(timeout=_PATIENCE_SECONDS)


def wait_for(log: Path, words: str) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while words not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()[-2000:]
        time.sleep(0.1)


def test_the_site_as_production_serves_it(env: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    server = ["gunicorn", "--config", "python:oipsce_site.gunicorn_conf", "oipsce_site.wsgi"]
    site = Running(tmp_path / "site.sock")
    with running(server, env, log):
        wait_for(log, "Booting worker")
        assert site.get("/healthz", X_Forwarded_Proto="http")[0] == 200
        status, headers, _ = site.get("/accounts/login/", X_Forwarded_Proto="http")
        assert (status, headers["location"]) == (301, f"https://{_HOST}/accounts/login/")
        status, headers, body = site.get("/accounts/login/", Accept_Encoding="gzip")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert "no-store" in headers["cache-control"]
        assert headers["x-request-id"] == _ID
        assert "max-age=31536000" in headers["strict-transport-security"]
        assert "__Host-csrftoken" in headers["set-cookie"]
        [style] = re.findall(r'href="(/static/css/app\.\w+\.css)"', gzip.decompress(body).decode())
        _check_static(site, style)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    answered = [line for line in lines if line["event"] == "answered"]
    assert {(one["path"], one["status"]) for one in answered} == {
        ("/accounts/login/", "301"),
        ("/accounts/login/", "200"),
        (style, "200"),
    }
    assert {one["request_id"] for one in answered} == {_ID}


def _check_static(site: Running, style: str) -> None:
    """The name holds the content's digest: kept for ever, sent compressed, and readable plain."""
    status, headers, packed = site.get(style, Accept_Encoding="gzip")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert "immutable" in headers["cache-control"]
    _, headers, plain = site.get(style)
    assert "content-encoding" not in headers
    assert gzip.decompress(packed) == plain


def test_a_worker_writes_lines_of_the_same_form(env: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    words = ["celery", "--app", "oipsce_site.celery", "--quiet", "worker", "--concurrency", "1"]
    env["PYTHONWARNINGS"] = "ignore"
    with running([*words, "--loglevel", "INFO", "--without-mingle"], env, log):
        wait_for(log, " ready.")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {"celery.apps.worker"} <= {line["logger"] for line in lines}


def test_source_maps_are_served_as_they_are(env: dict[str, str], tmp_path: Path) -> None:
    collected = {path.name for path in (tmp_path / "static").rglob("*")}
    assert [name for name in collected if name.endswith(".map.gz")] == []
    assert [name for name in collected if name.endswith(".css.gz")] != []


def test_the_probe_says_when_nothing_answers() -> None:
    words = [sys.executable, "-m", "oipsce_site.probe", "readyz"]
    env = environment.inherited(OIPSCE_BIND="127.0.0.1:9")
    done = subprocess.run(words, cwd=CHECKOUT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (
        1,
        "readyz: no answer on port 9 (ConnectionRefusedError)\n",
    )
