"""What it costs to begin: python -m tests.footprint [--port 8470]

Clones this repository's last commit into a temporary folder, installs what the product runs on,
starts the demo and prints what was measured, one line each. Exits 1 when a line is over its budget.
A machine that does other work meanwhile measures that work; the CPU time beside each line tells.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from oipsce_site.services.layout import CHECKOUT

_SETUP_SECONDS, _ENVIRONMENT_MB, _DEMO_SECONDS = 90.0, 400.0, 20.0


def main(words: Sequence[str]) -> int:
    """Measure all three; returns 1 when one is over its budget."""
    parser = argparse.ArgumentParser(prog="python -m tests.footprint")
    parser.add_argument("--port", type=int, default=8470)
    port = parser.parse_args(words).port
    with tempfile.TemporaryDirectory(prefix="oip-footprint-") as name:
        clone = Path(name) / "clone"
        git = shutil.which("git") or "git"
        subprocess.run([git, "clone", "--quiet", str(CHECKOUT), str(clone)], check=True)
        lines = [
            _line("set-up, s", *_with_cpu(lambda: _set_up(clone)), _SETUP_SECONDS),
            _line("run-time environment, MB", _megabytes(clone / ".venv"), "", _ENVIRONMENT_MB),
            _line("demo ready, s", *_with_cpu(lambda: _demo(clone, port)), _DEMO_SECONDS),
        ]
    load = os.getloadavg()[1]
    sys.stdout.write(f"load of this machine over five minutes: {load:.1f}\n")
    return 0 if all(lines) else 1


def _with_cpu(measure: Callable[[], float]) -> tuple[float, str]:
    """Return what was measured, and the CPU time that all of it took, its end included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = measure()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return found, f"; CPU {spent:.1f} s"


def _line(what: str, found: float, beside: str, budget: float) -> bool:
    sys.stdout.write(f"{what}: {found:.1f} (at most {budget:g}{beside})\n")
    sys.stdout.flush()
    return found <= budget


def _set_up(clone: Path) -> float:
    began = time.monotonic()
    words = ["make", "--silent", ".venv/.installed-app", ".venv/.collected-static"]
    subprocess.run(words, cwd=clone, check=True)
    return time.monotonic() - began


def _megabytes(folder: Path) -> float:
    files = [path.lstat() for path in folder.rglob("*") if path.is_file()]
    return sum(found.st_blocks * 512 for found in files) / 2**20


def _demo(clone: Path, port: int) -> float:
    words = [".venv/bin/python", "-m", "oipsce_site.services.demo", "--port", str(port)]
    with subprocess.Popen(words, cwd=clone, stdout=subprocess.PIPE, text=True) as demo:
        said = []
        for line in demo.stdout or ():
            said.append(line)
            if found := re.match(r"ready after ([\d.]+) s", line):
                demo.send_signal(signal.SIGTERM)
                demo.communicate()
                return float(found.group(1))
    raise SystemExit("the demo did not come up:\n" + "".join(said[-20:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
