"""Run a program on throw-away servers from Debian's packages: PostgreSQL and Redis on loopback.

    python -m tests.external -- python -m pytest -q -n 2

Both live in a temporary folder, on free ports of 127.0.0.1, and are gone when the program ends.
The program finds them by the addresses that tests/servers.py names. Needs the packages postgresql
and redis-server; the system's own servers are neither used nor touched.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from oipsce_site import environment
from oipsce_site.services import processes
from oipsce_site.services.postgres import write_private
from oipsce_site.services.processes import Account, ServiceError

_PATIENCE_SECONDS = 30
_ADMIN = "admin"
_ROLES = ("oip_owner", "oip_app")


@dataclass(frozen=True, slots=True)
class Postgres:
    """The throw-away server: where it listens and its passwords by role."""

    port: int
    passwords: dict[str, str]

    def url(self, role: str, database: str = "postgres") -> str:
        """Return the address for a role."""
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"


def main(words: Sequence[str]) -> int:
    """Run the program between starting and stopping the servers; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.external")
    parser.add_argument("program", nargs="+", help="the program and its words, after --")
    program = parser.parse_args(words).program
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory(prefix="oip-external-") as name:
            return _run(Path(name), program)
    except ServiceError as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _run(folder: Path, program: list[str]) -> int:
    account = processes.postgres_account()
    folder.chmod(0o711)
    with _postgres(folder, account) as server, _redis(folder) as redis_url:
        sys.stderr.write(f"{_versions(server, redis_url)}\n")
        env = environment.inherited(
            DATABASE_URL=server.url("oip_app"),
            DATABASE_OWNER_URL=server.url("oip_owner"),
            DATABASE_ADMIN_URL=server.url(_ADMIN),
            REDIS_URL=redis_url,
        )
        return subprocess.run(program, env=env, check=False).returncode


@contextmanager
def _postgres(folder: Path, account: Account) -> Iterator[Postgres]:
    programs = _newest_programs()
    server = Postgres(_free_port(), {role: secrets.token_hex(16) for role in (_ADMIN, *_ROLES)})
    data = folder / "postgres"
    processes.own_folder(data, mode=0o700, account=account)
    password = folder / "password"
    write_private(password, server.passwords[_ADMIN])
    os.chown(password, account.uid, account.gid)
    words = [str(programs / "initdb"), "-D", str(data), "-U", _ADMIN, f"--pwfile={password}"]
    words += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]
    processes.run_as(account, words, where=folder / "initdb.log")
    options = f"-c listen_addresses=127.0.0.1 -c port={server.port} -c fsync=off"
    options += " -c unix_socket_directories='' -c timezone=UTC"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-s"]
    log = ["-l", str(data / "server.log"), "-o", options]
    processes.run_as(account, [*control, *log, "start"], where=folder / "pg_ctl.log")
    try:
        _make_roles(server)
        yield server
    finally:
        processes.run_as(account, [*control, "-m", "fast", "stop"], where=folder / "pg_ctl.log")


def _newest_programs() -> Path:
    found = [
        path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()
    ]
    if not found:
        raise ServiceError("no PostgreSQL server of Debian's here: apt-get install postgresql")
    return max(found, key=lambda path: int(path.parent.name))


def _make_roles(server: Postgres) -> None:
    with psycopg.connect(server.url(_ADMIN), autocommit=True) as connection:
        for role in _ROLES:
            statement = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            password = sql.Literal(server.passwords[role])
            connection.execute(statement.format(sql.Identifier(role), password))
        connection.execute("ALTER ROLE oip_app SET synchronous_commit = on")


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    program = shutil.which("redis-server")
    if program is None:
        raise ServiceError("no redis-server here: apt-get install redis-server")
    port = _free_port()
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    words += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
    with (folder / "redis.log").open("wb") as log:
        server = subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True)
    try:
        _wait_for_redis(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=_PATIENCE_SECONDS)


def _wait_for_redis(port: int) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    with redis.Redis(port=port) as client:
        while time.monotonic() < deadline:
            try:
                client.ping()
            except redis.RedisError:
                time.sleep(0.05)
            else:
                return
    raise ServiceError(f"redis-server did not answer within {_PATIENCE_SECONDS} s")


def _versions(server: Postgres, redis_url: str) -> str:
    with psycopg.connect(server.url(_ADMIN)) as connection, redis.Redis.from_url(redis_url) as bell:
        number = connection.info.server_version
        version = bell.info("server")["redis_version"]
    return f"on PostgreSQL {number // 10000}.{number % 10000} and Redis {version}"


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
