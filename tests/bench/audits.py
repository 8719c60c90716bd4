"""`python -m tests.bench.audits`: signed calls of 100 turns, exported in full and verified.

The calls are handed in, judged and signed first; that is not timed. The export then runs in one
process of its own, as in a worker, the verifier in another one. Memory is the proportional share
(PSS) of every process: that of the export with PostgreSQL, summed at each look. A target is met by
the clock alone. The CPU is printed beside it, and the load: where the clock missed the target on a
busy machine that says neither met nor missed, and it is told so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from oipsce_site.services import engines, layout, postgres
from oipsce_site.services.layout import CHECKOUT
from tests.bench.imports import hand_in, start_worker
from tests.bench.processes import cpu_seconds, memory_bytes
from tests.faults.crew import PROFILE, Crew, crew

_CALLS = 1_000
_MOST_EXPORT_SECONDS = 30.0
_MOST_VERIFY_SECONDS = 15.0
_MOST_BYTES = 300_000_000
_CORES = 2
#: From what load on other work ran beside the export and its database.
_BUSY = 3.5
_WAITING = "SELECT count(*) FROM review_call WHERE state = 'AWAITING_REVIEW'"
_SIGNED = "SELECT count(*) FROM review_call WHERE state = 'SIGNED'"


def main(words: list[str]) -> int:
    """Print the figures; returns 1 where one is over its bound on as many idle cores."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.audits")
    parser.add_argument("--calls", type=int, default=_CALLS)
    calls = parser.parse_args(words).calls
    profile = layout.profile(PROFILE)
    try:
        with tempfile.TemporaryDirectory() as folder, crew(Path(folder)) as team:
            team.env["SIGNING_KEY_DIR"] = f"{folder}/keys"
            _prepare(team, calls)
            path = Path(folder) / "bench.oipaudit.zip"
            root, is_exported = _export(team, path, calls)
            return 0 if _verify(team, path, root, calls) and is_exported else 1
    finally:
        engines.stop(profile, owner=os.getpid())


def _prepare(team: Crew, calls: int) -> None:
    process = start_worker(team)
    hand_in(team, calls)
    team.wait_for(_WAITING, calls)
    process.terminate()
    process.wait()
    subprocess.run(
        [sys.executable, "-m", "tests.bench.sign_all"], env=team.env, cwd=CHECKOUT, check=True
    )
    team.wait_for(_SIGNED, calls)


def _export(team: Crew, path: Path, calls: int) -> tuple[str, bool]:
    database = postgres.pid(team.profile)
    before = cpu_seconds(database)
    words = [sys.executable, "-m", "tests.bench.export_once", str(path)]
    process = subprocess.Popen(words, env=team.env, cwd=CHECKOUT, stdout=subprocess.PIPE)
    watch = _Watch(process.pid, database)
    watch.start()
    said = json.loads(process.communicate()[0])
    watch.join()
    stages: dict[str, float] = said["stages"]
    stages["PostgreSQL"] = cpu_seconds(database) - before
    cpu = sum(stages.values())
    shares = ", ".join(f"{name} {100 * one / cpu:.0f} %" for name, one in stages.items())
    _say(
        f"audit: {calls} calls, {path.stat().st_size / 1e6:.0f} MB, exported in "
        f"{said['seconds']:.1f} s by the clock ({_MOST_EXPORT_SECONDS:.0f} asked), "
        f"{cpu:.1f} s of CPU"
    )
    is_quick = _is_met(said["seconds"], cpu / _CORES, _MOST_EXPORT_SECONDS)
    _say(f"audit: of the CPU {shares}")
    _say(
        f"audit: at most {watch.both / 1e6:.0f} MB over all processes ({_MOST_BYTES / 1e6:.0f} "
        f"asked), {watch.own / 1e6:.0f} MB of them the worker's"
    )
    return said["root"], said["calls"] == calls and is_quick and watch.both <= _MOST_BYTES


def _verify(team: Crew, path: Path, root: str, calls: int) -> bool:
    words = [sys.executable, "-m", "review.core.verify", str(path), "--root", root, "--json"]
    begun = time.perf_counter()
    process = subprocess.Popen(words, env=team.env, cwd=CHECKOUT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    told = json.loads(process.stdout.read())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, cpu = time.perf_counter() - begun, used.ru_utime + used.ru_stime
    _say(
        f"audit: verified in {seconds:.1f} s by the clock, {cpu:.1f} s of CPU "
        f"({_MOST_VERIFY_SECONDS:.0f} asked), {used.ru_maxrss / 1024:.0f} MB"
    )
    is_whole = process.returncode == 0 and len(told["calls"]) == calls
    return _is_met(seconds, cpu, _MOST_VERIFY_SECONDS) and is_whole


def _is_met(seconds: float, least: float, most: float) -> bool:
    """Say whether the clock kept the bound; `least` is what its CPU would take on idle cores."""
    load = os.getloadavg()[0]
    if seconds <= most:
        _say(f"audit: met by the clock (load {load:.1f})")
    elif load > _BUSY and least <= most:
        _say(
            f"audit: not met by the clock, on a busy machine (load {load:.1f} of {_CORES} cores); "
            f"its CPU alone would be {least:.1f} s: measure again on a quiet one"
        )
    else:
        _say(f"audit: missed by the clock (load {load:.1f})")
    return seconds <= most


class _Watch(threading.Thread):
    """Looks ten times a second how much memory the export and PostgreSQL have."""

    def __init__(self, root: int, database: int) -> None:
        super().__init__(daemon=True)
        self._root, self._database = root, database
        self.own = self.both = 0

    def run(self) -> None:
        """Look until the export has ended."""
        while own := memory_bytes(self._root):
            self.own = max(self.own, own)
            self.both = max(self.both, own + memory_bytes(self._database))
            time.sleep(0.1)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
