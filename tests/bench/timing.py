"""Timing two ways of the same work in turns, so that a busy machine slows both."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

ROUNDS = 7


def ratio(work: Callable[[], object], baseline: Callable[[], object]) -> tuple[float, float, float]:
    """Return how many times faster `work` is than `baseline`, and the best seconds of each."""
    best_work = best_baseline = float("inf")
    for _ in range(ROUNDS):
        best_work = min(best_work, _seconds(work))
        best_baseline = min(best_baseline, _seconds(baseline))
    return best_baseline / best_work, best_work, best_baseline


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
