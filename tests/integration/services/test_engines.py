"""Starting, attaching to and stopping embedded services, in a temporary checkout."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from oipsce_site.services import engines, lease, postgres, processes, valkey
from oipsce_site.services.layout import Profile
from oipsce_site.services.processes import ServiceError

pytestmark = pytest.mark.services

_SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose cluster the tests of this module share: initdb takes a while."""
    return tmp_path_factory.mktemp("checkout")


@pytest.fixture
def profile(checkout: Path) -> Iterator[Profile]:
    """Yield a profile with nothing running before and after."""
    profile = Profile("test", checkout)
    yield profile
    engines.stop(profile, owner=0, force=True)


@pytest.fixture
def bystander() -> Iterator[int]:
    """Yield the id of a living process that can own services."""
    with subprocess.Popen(_SLEEPER) as process:
        yield process.pid
        process.kill()


def _current_user(profile: Profile, user: str, **changes: str) -> str:
    given = {
        "host": str(profile.postgres_sockets),
        "port": str(profile.postgres_port),
        "dbname": profile.database,
        "user": user,
        "passfile": str(profile.passfile),
        **changes,
    }
    with psycopg.connect(**given) as connection:  # type: ignore[arg-type]  # all are strings
        row = connection.execute("SELECT current_user").fetchone()
        return str(row[0]) if row else ""


def test_started_services_answer_and_stop_with_their_owner(profile: Profile) -> None:
    assert engines.start(profile, owner=os.getpid()).how == "started"
    assert engines.status(profile).is_up
    with redis.Redis(unix_socket_path=str(profile.valkey_socket)) as client:
        assert client.ping()
    assert engines.stop(profile, owner=os.getpid())
    now = engines.status(profile)
    assert (now.postgres, now.valkey, now.lease) == (0, 0, None)
    assert not engines.stop(profile, owner=os.getpid()), "a second stop finds nothing"


def test_starting_twice_keeps_the_same_processes(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    before = engines.status(profile)
    engines.start(profile, owner=os.getpid())
    assert engines.status(profile) == before


def test_who_attaches_never_stops(profile: Profile, bystander: int) -> None:
    engines.start(profile, owner=bystander)
    assert engines.start(profile, owner=os.getpid()).how == "attached"
    assert not engines.stop(profile, owner=os.getpid())
    assert engines.status(profile).is_up
    with pytest.raises(ServiceError, match=f"running process {bystander}"):
        engines.stop_by_hand(profile, force=False)


def test_services_started_by_hand_stay_until_stopped_by_hand(profile: Profile) -> None:
    engines.start(profile, owner=0)
    with engines.running(profile, owner=os.getpid()) as started:
        assert started.how == "attached"
    assert engines.status(profile).is_up
    assert engines.stop_by_hand(profile, force=False)
    assert not engines.status(profile).is_up


def test_the_next_takes_over_from_a_killed_owner(profile: Profile) -> None:
    with subprocess.Popen(_SLEEPER) as owner:
        engines.start(profile, owner=owner.pid)
        owner.kill()
    with engines.running(profile, owner=os.getpid()) as started:
        assert started.how == "adopted"
    assert not engines.status(profile).is_up


def test_an_owner_who_leaves_first_hands_over(profile: Profile, bystander: int) -> None:
    engines.start(profile, owner=os.getpid())
    assert engines.start(profile, owner=bystander).how == "attached"
    assert not engines.stop(profile, owner=os.getpid()), "the guest still uses them"
    assert engines.status(profile).is_up
    assert engines.stop(profile, owner=bystander)


def test_a_guest_whose_host_was_killed_stops_them_as_it_leaves(
    profile: Profile, bystander: int
) -> None:
    with subprocess.Popen(_SLEEPER) as owner:
        engines.start(profile, owner=owner.pid)
        engines.start(profile, owner=bystander)
        owner.kill()
    assert engines.stop(profile, owner=bystander)


def test_a_dead_guest_keeps_nothing_up(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    with subprocess.Popen(_SLEEPER) as guest:
        engines.start(profile, owner=guest.pid)
        guest.kill()
    assert engines.stop(profile, owner=os.getpid())


def test_a_reused_process_id_is_not_the_owner(profile: Profile, bystander: int) -> None:
    assert lease.holder(bystander).is_alive
    assert not lease.Holder(bystander, birth="1").is_alive


def test_killed_engines_come_back_with_their_data(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    before = engines.status(profile)
    for pid in (before.postgres, before.valkey):
        os.kill(pid, signal.SIGKILL)
    _wait_for(lambda: not engines.status(profile).is_up)
    engines.start(profile, owner=os.getpid())
    assert engines.status(profile).postgres not in {0, before.postgres}
    assert _current_user(profile, profile.app_role) == "oip_app"


def test_engines_that_are_just_being_killed_are_not_taken_for_living(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    for _ in range(3):
        before = engines.status(profile)
        for pid in (before.valkey, before.postgres):
            os.kill(pid, signal.SIGKILL)
        # At once: either may still have its process.
        engines.start(profile, owner=os.getpid())
        now = engines.status(profile)
        assert now.postgres not in {0, before.postgres}
        assert now.valkey not in {0, before.valkey}
        assert _current_user(profile, profile.app_role) == "oip_app"


def test_a_stale_pid_file_with_a_strangers_id_does_not_count(
    profile: Profile, bystander: int
) -> None:
    engines.start(profile, owner=os.getpid())
    engines.stop(profile, owner=os.getpid())
    (profile.postgres_data / "postmaster.pid").write_text(f"{bystander}\n")
    (profile.run / "valkey.pid").write_text(f"{bystander}\n")
    assert postgres.pid(profile) == 0
    assert valkey.pid(profile) == 0
    assert engines.start(profile, owner=os.getpid()).how == "started"
    assert processes.is_running(bystander), "a stranger's process was ended"


def test_both_roles_need_their_password(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    for role in ("oip_owner", "oip_app"):
        assert _current_user(profile, role) == role
        with pytest.raises(psycopg.OperationalError, match="password"):
            _current_user(profile, role, password="wrong", passfile=os.devnull)


def test_nobody_else_can_read_secrets_or_reach_sockets(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    secrets = (profile.passfile, profile.superuser_passfile, profile.secret_key_file)
    folders = (profile.run, profile.postgres_sockets, profile.valkey_socket.parent)
    assert {_mode(path) for path in secrets} == {0o600}
    assert {_mode(path) for path in (*folders, profile.postgres_data)} == {0o700}


def test_no_port_is_open(profile: Profile) -> None:
    engines.start(profile, owner=os.getpid())
    now = engines.status(profile)
    listening = {line.split()[9] for line in _tcp_lines() if line.split()[3] == "0A"}
    for pid in (now.postgres, now.valkey):
        assert not listening & _socket_inodes(pid)


def test_the_command_line_tells_what_runs(profile: Profile, tmp_path: Path) -> None:
    """`status` of the real checkout changes nothing and its exit code says whether it runs."""
    words = [sys.executable, "-m", "oipsce_site.services", "status", "--profile", "demo"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}
    assert done.stdout.startswith("demo: postgres ")


def test_run_keeps_the_programs_exit_code() -> None:
    words = [sys.executable, "-m", "oipsce_site.services", "run", "--profile", "test", "--"]
    done = subprocess.run([*words, "sh", "-c", "exit 7"], capture_output=True, check=False)
    assert done.returncode == 7


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _tcp_lines() -> list[str]:
    lines = []
    for name in ("tcp", "tcp6"):
        path = Path("/proc/net") / name
        if path.exists():
            lines += path.read_text().splitlines()[1:]
    return lines


def _socket_inodes(pid: int) -> set[str]:
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "did not happen within 10 s"
        time.sleep(0.05)
