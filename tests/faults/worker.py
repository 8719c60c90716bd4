"""A Celery worker that kills itself: python -m tests.faults.worker STAGE MARKERS TIMES.

At STAGE the process that works at the call sends itself SIGKILL, TIMES times in all, each time on
a call it reaches later; the folder MARKERS counts. Leases and sweeps are short, so that a test does
not wait a minute for each death.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from oipsce_site import celery

LEASE_SECONDS = 2
#: Where in the code a stage begins (module and name, as its caller finds it), and the how manyeth
#: time that a process comes there is its last.
STAGES = {
    "claimed": ("review.tasks.prefills", "work_on_all", 2),
    "regex": ("review.core.cascade.pipeline", "Scan", 7),
    "rules": ("review.core.cascade.pipeline", "find_finish", 25),
    "before commit": ("review.actions.prefill", "_stored", 17),
    "after commit": ("review.tasks.prefills", "beat", 1),
    "import: sealed": ("review.actions.revising", "copy_turns", 1),
    "import: before commit": ("review.actions.batches", "_lines", 1),
    "import: after commit": ("review.tasks.imports", "ring_for_prefills", 1),
    "what-if: claimed": ("review.tasks.what_ifs", "compare_portion", 1),
    "what-if: before commit": ("review.actions.what_if_work", "_line", 3),
    "what-if: after commit": ("review.tasks.what_ifs", "beat", 1),
}


def main(stage: str, markers: Path, times: int) -> None:
    """Run the worker until somebody ends it."""
    celery.SWEEP_SECONDS = 1
    celery.app.conf.worker_hijack_root_logger = False
    shorten_leases()
    if stage:
        arm(stage, markers, times)
    words = ["worker", "--concurrency", "2", "--loglevel", "ERROR", "--without-mingle"]
    celery.app.worker_main([*words, "--without-gossip", "--without-heartbeat"])


def shorten_leases() -> None:
    """Let a lost worker's work be taken up after seconds instead of most of a minute."""
    celery.app.loader.import_default_modules()
    celery.app.finalize()
    modules = sys.modules
    for name in (
        *("review.actions.claims", "review.actions.batches"),
        *("review.actions.what_if_work",),
    ):
        vars(modules[name])["LEASE"] = timedelta(seconds=LEASE_SECONDS)
    vars(modules["review.tasks.prefills"])["_RENEW_AFTER"] = timedelta(seconds=1)


def arm(stage: str, markers: Path, times: int) -> None:
    """Put the kill in front of the first thing that the stage does."""
    module, name, last = STAGES[stage]
    original = vars(sys.modules[module])[name]
    vars(sys.modules[module])[name] = _deadly(original, markers, times, last)


def _deadly(
    original: Callable[..., Any], markers: Path, times: int, last: int
) -> Callable[..., Any]:
    passed = 0

    def work(*args: Any, **words: Any) -> Any:
        nonlocal passed
        passed += 1
        if passed >= last and _takes_a_marker(markers, times):
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*args, **words)

    return work


def _takes_a_marker(markers: Path, times: int) -> bool:
    for number in range(times):
        try:
            (markers / f"died-{number}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return True
    return False


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
