"""Backup and restore of one database by PostgreSQL's own programs.

A restore is one transaction: it is all there or nothing has changed. Both work on the embedded
server and on any other; the programs are those of the wheel, or Debian's where they fit better.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any

from psycopg.conninfo import make_conninfo

from oipsce_site import environment
from oipsce_site.services import postgres
from oipsce_site.services.processes import ServiceError

# Whoever still uses the database must be stopped first; the restore does not wait for them long.
_LOCK_PATIENCE = "10s"
_BEGIN = f"BEGIN;\nSET LOCAL lock_timeout = '{_LOCK_PATIENCE}';\n"
_EMPTY = "DROP OWNED BY CURRENT_USER CASCADE;\n"
# pg_restore 17 and later say it to every server; servers before 17 do not know it.
_TOO_NEW = b"SET transaction_timeout = 0;\n"
_KNOWS_TOO_NEW = 17
_DECISION_LOG = re.compile(r" TABLE audit entry ")


class BackupError(ServiceError):
    """A backup or restore that did not happen; the text says why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Target:
    """One database and how its owner reaches it; `major` is the server's version."""

    words: str
    major: int
    password: str = field(default="", repr=False)

    @property
    def env(self) -> dict[str, str]:
        """Return the environment of the programs: a command line is no place for a password."""
        return environment.inherited(**({"PGPASSWORD": self.password} if self.password else {}))


def target(settings: Mapping[str, Any], *, major: int) -> Target:
    """Return the database that Django's description names."""
    words = {
        "host": settings["HOST"],
        "port": settings["PORT"],
        "user": settings["USER"],
        "dbname": settings["NAME"],
        **settings["OPTIONS"],
    }
    given = {key: str(value) for key, value in words.items() if value not in ("", None)}
    return Target(make_conninfo(**given), major, str(settings["PASSWORD"] or ""))


def back_up(database: Target, path: Path) -> int:
    """Write the database to a new file that only its owner reads; returns its size in bytes.

    The file appears whole or not at all. Raises BackupError when it exists or pg_dump fails.
    """
    if path.exists():
        raise BackupError(f"{path} exists; name a new file, so that no older backup is lost")
    if not path.parent.is_dir():
        raise BackupError(f"{path.parent} is no folder")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    program = _nearest(database.major) / "pg_dump"
    words = [str(program), "--format=custom", "--no-owner", f"--dbname={database.words}"]
    # Made here first: pg_dump writes into it, and it is nobody else's from its first byte on.
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        _run([*words, f"--file={beside}"], env=database.env)
        # A link fails where a rename would overwrite what somebody else put there meanwhile.
        os.link(beside, path)
    finally:
        beside.unlink()
    return path.stat().st_size


def check_is_backup(path: Path) -> None:
    """Raise BackupError unless the file is a backup of this product's database."""
    if not path.is_file():
        raise BackupError(f"{path} is no file")
    with tempfile.TemporaryFile() as listing:
        words = [str(_newest() / "pg_restore"), "--list", str(path)]
        try:
            _run(words, env={}, output=listing)
        except BackupError as error:
            raise BackupError(f"{path} cannot be read as a backup: {error}") from error
        listing.seek(0)
        if not _DECISION_LOG.search(listing.read().decode(errors="replace")):
            raise BackupError(f"{path} is a dump of something else: it holds no decision log")


def restore(database: Target, path: Path, *, replace: bool) -> None:
    """Put the backup's content into the database; with `replace` in place of what is there.

    Runs in one transaction. Raises BackupError when anything fails; nothing has changed then.
    """
    programs = _newest()
    script = [str(programs / "pg_restore"), "--no-owner", "--file=-", str(path)]
    client = [str(programs / "psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    client.append(f"--dbname={database.words}")
    with (
        tempfile.TemporaryFile() as script_words,
        tempfile.TemporaryFile() as client_words,
        subprocess.Popen(script, stdout=subprocess.PIPE, stderr=script_words) as source,
        subprocess.Popen(
            client,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=client_words,
            env=database.env,
        ) as sink,
    ):
        _pour(source, sink, replace=replace, major=database.major)
        if sink.wait() != 0:
            raise BackupError(f"the database refused: {_last_error(client_words)}")
        if source.returncode != 0:
            raise BackupError(f"the backup is damaged: {_last_error(script_words)}")


def _pour(
    source: "subprocess.Popen[bytes]",
    sink: "subprocess.Popen[bytes]",
    *,
    replace: bool,
    major: int,
) -> None:
    """Feed the script to psql; COMMIT follows only when all of it came."""
    if source.stdout is None or sink.stdin is None:
        raise BackupError("no pipe to the programs")
    # psql ends early when the server refuses a statement; its own words say why.
    with suppress(BrokenPipeError):
        sink.stdin.write((_BEGIN + (_EMPTY if replace else "")).encode())
        for piece in _script(source.stdout, major):
            sink.stdin.write(piece)
        if source.wait() == 0:
            sink.stdin.write(b"COMMIT;\n")
    # What is left unread must not keep pg_restore waiting.
    source.stdout.close()
    source.wait()
    with suppress(BrokenPipeError):
        sink.stdin.close()


def _script(lines: IO[bytes], major: int) -> Iterator[bytes]:
    """Yield the script without what an older server does not know; only its head has that."""
    for line in lines:
        if line == _TOO_NEW and major < _KNOWS_TOO_NEW:
            break
        yield line
        if line.startswith(b"CREATE "):
            break
    while piece := lines.read(1 << 16):
        yield piece


def _run(words: list[str], *, env: Mapping[str, str], output: IO[bytes] | None = None) -> None:
    sink = output or subprocess.DEVNULL
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(words, env={**env}, stdout=sink, stderr=said, check=False)
        if done.returncode != 0:
            raise BackupError(f"{Path(words[0]).name}: {_last_error(said)}")


def _last_error(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode(errors="replace").splitlines()
    errors = [line for line in lines if "ERROR" in line or "error" in line or "FATAL" in line]
    return (errors or lines or ["it ended without a word"])[0].strip()[:400]


def _nearest(major: int) -> Path:
    """Return the programs for a dump: the oldest that know the server, as older ones read it."""
    fitting = {number: folder for number, folder in _programs().items() if number >= major}
    if not fitting:
        raise BackupError(
            f"no pg_dump here knows PostgreSQL {major}: install postgresql-client-{major}"
        )
    return fitting[min(fitting)]


def _newest() -> Path:
    """Return the programs for a restore: the newest read every older backup."""
    found = _programs()
    if not found:
        raise BackupError("no pg_restore here: run `make setup` or install postgresql-client")
    return found[max(found)]


@cache
def _programs() -> dict[int, Path]:
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin")]
    with suppress(ServiceError):
        folders.append(postgres.programs())
    found = {}
    for folder in folders:
        if all((folder / name).exists() for name in ("pg_dump", "pg_restore", "psql")):
            found[_major(folder / "pg_dump")] = folder
    return found


def _major(program: Path) -> int:
    done = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"(\d+)", done.stdout)
    return int(number.group(1)) if number else 0
