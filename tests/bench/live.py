"""`make bench-live`: a turn told of a running call until its live state is back, by its length.

Through the whole stack but the socket, on engines that wait for the disk: key and quota, the answer
kept under its key, the part sealed and stored, the log's entry, and the judgement. The last 100
turns of each call are timed. Another process goes on once, which has heard nothing of the call.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from oipsce_site.services import engines, layout
from oipsce_site.services.layout import CHECKOUT
from tests.faults.crew import PROFILE, crew


def main() -> int:
    """Print the figures; returns 1 where a median is above its target."""
    try:
        with tempfile.TemporaryDirectory() as folder, crew(Path(folder)) as team:
            words = [sys.executable, "-m", "tests.bench.tell_turns"]
            return subprocess.run(words, env=team.env, cwd=CHECKOUT, check=False).returncode
    finally:
        engines.stop(layout.profile(PROFILE), owner=os.getpid())


if __name__ == "__main__":
    sys.exit(main())
