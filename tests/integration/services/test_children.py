"""Child processes of the demo: none outlives its parent, not even a killed one."""

import os
import subprocess
import sys
import time
from pathlib import Path

from oipsce_site import environment
from oipsce_site.services import children, processes
from oipsce_site.services.layout import CHECKOUT

# A child with a child of its own, both deaf to a polite request.
_STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
inner = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
print(subprocess.Popen([sys.executable, "-c", inner]).pid, flush=True)
open(sys.argv[1], "w").write("ready")
time.sleep(600)
"""
_SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_a_child_leads_a_group_of_its_own_and_ends_with_stop(tmp_path: Path) -> None:
    crew = children.Children(tmp_path / "record.json")
    child = crew.spawn(_SLEEPER, env=environment.inherited(), cwd=tmp_path)
    assert os.getpgid(child.pid) == child.pid
    crew.stop()
    assert not processes.is_running(child.pid)
    assert not (tmp_path / "record.json").exists()


def test_stubborn_grandchildren_are_killed(tmp_path: Path) -> None:
    crew = children.Children(tmp_path / "record.json", patience_seconds=1)
    words = [sys.executable, "-c", _STUBBORN, str(tmp_path / "ready")]
    child = crew.spawn(words, env=environment.inherited(), cwd=tmp_path)
    _wait_for_file(tmp_path / "ready")
    crew.stop()
    assert not processes.is_running(child.pid)
    assert not processes.group_members(child.pid)


def test_what_a_killed_parent_left_is_ended_by_the_next(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    crew = children.Children(record)
    child = crew.spawn(_SLEEPER, env=environment.inherited(), cwd=tmp_path)
    assert children.end_leftovers(record) == 1
    assert child.wait(timeout=10) != 0
    assert children.end_leftovers(record) == 0


def test_a_strangers_process_with_a_reused_id_is_left_alone(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with subprocess.Popen(_SLEEPER, start_new_session=True) as stranger:
        record.write_text(f'[[{stranger.pid}, "1"]]')
        assert children.end_leftovers(record) == 0
        assert processes.is_running(stranger.pid)
        stranger.kill()


def test_a_taken_port_is_one_clear_sentence(tmp_path: Path) -> None:
    """The demo looks at the port before it starts anything."""
    program = "import sys; from oipsce_site.services import demo; demo.check_port(int(sys.argv[1]))"
    holder = (
        "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen();"
        "print(s.getsockname()[1], flush=True); time.sleep(600)"
    )
    words = [sys.executable, "-c", holder]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        asked = [sys.executable, "-c", program, port]
        done = subprocess.run(asked, cwd=CHECKOUT, capture_output=True, text=True, check=False)
        server.kill()
    assert f"port {port} is taken by another program" in done.stderr


def _wait_for_file(path: Path) -> None:
    deadline = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.05)
