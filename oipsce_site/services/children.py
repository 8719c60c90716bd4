"""Child processes that must not outlive their parent.

Each child leads a process group of its own: a Ctrl-C in the terminal reaches the parent alone,
which then ends the groups in order. A file names the groups, so that the next run can end what
a killed parent left behind.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from oipsce_site.services import processes

_PATIENCE_SECONDS = 15


class Children:
    """The processes one parent started, youngest ended first."""

    def __init__(self, record: Path, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        """Take the file that names the groups while they live, and how long to ask politely."""
        self._record = record
        self._patience = patience_seconds
        self._children: list[subprocess.Popen[bytes]] = []

    def spawn(
        self, words: Sequence[str], *, env: Mapping[str, str], cwd: Path
    ) -> "subprocess.Popen[bytes]":
        """Start a child in a group of its own and write it down."""
        child = subprocess.Popen(
            [*words], env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, start_new_session=True
        )
        self._children.append(child)
        self._write_down()
        return child

    def run(self, words: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> int:
        """Start a child, wait for its end and return its exit code."""
        child = self.spawn(words, env=env, cwd=cwd)
        code = child.wait()
        self._children.remove(child)
        self._write_down()
        return code

    def first_ended(self) -> "subprocess.Popen[bytes]":
        """Wait until any child ends and return it."""
        while True:
            for child in self._children:
                if child.poll() is not None:
                    return child
            time.sleep(0.2)

    def stop(self) -> None:
        """End every child and its descendants, youngest child first."""
        for child in reversed(self._children):
            _end_group(child.pid, child, self._patience)
            # Nothing of the group lives: this only takes its exit code off the system's table.
            child.wait(timeout=self._patience)
        self._children.clear()
        self._record.unlink(missing_ok=True)

    def _write_down(self) -> None:
        entries = [[child.pid, processes.birth(child.pid)] for child in self._children]
        self._record.write_text(json.dumps(entries), encoding="ascii")


def end_leftovers(record: Path) -> int:
    """End the groups that a killed parent left behind; returns how many still lived."""
    try:
        entries = json.loads(record.read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return 0
    ended = 0
    for pid, birth in entries:
        if processes.is_running(pid) and processes.birth(pid) == birth:
            _end_group(pid, None, _PATIENCE_SECONDS)
            ended += 1
    record.unlink(missing_ok=True)
    return ended


def _end_group(group: int, leader: "subprocess.Popen[bytes] | None", patience: float) -> None:
    for request in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(group, request)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if leader is not None:
                leader.poll()
            if not processes.group_members(group):
                return
            time.sleep(0.05)
