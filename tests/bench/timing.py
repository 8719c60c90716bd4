"""Timing two ways of the same work in turns, in processor time: what else a busy machine does
stands in neither.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

ROUNDS = 15


def ratio(work: Callable[[], object], baseline: Callable[[], object]) -> tuple[float, float, float]:
    """Return how many times faster `work` is than `baseline`, and the best seconds of each."""
    best_work = best_baseline = float("inf")
    for _ in range(ROUNDS):
        best_work = min(best_work, _seconds(work))
        best_baseline = min(best_baseline, _seconds(baseline))
    return best_baseline / best_work, best_work, best_baseline


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
