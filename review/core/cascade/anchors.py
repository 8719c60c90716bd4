"""Anchors: the earliest start of a phase and every later attempt. A correction never moves a start
later.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

from catalogs.core.document import Phase, StartsOn
from review.core.evidence.scan import Hit, Scan
from review.core.rows import NEVER, UNKNOWN, Attempt, Point

_turn_of = attrgetter("turn")


class Started(NamedTuple):
    """When a phase was entered, by which matcher, and all attempts in the order of the call."""

    start: Point
    source: str | None
    attempts: tuple[Attempt, ...]


def find_start(phase: Phase, scan: Scan, counts: Callable[[Hit], bool]) -> Started:
    """Find the earliest start among a phase's anchors.

    `counts` says whether a hit belongs to the instance at hand. An anchor that cannot be placed
    makes the start UNKNOWN: it may be earlier than every other. Without any anchor the start is
    NEVER; the caller turns that into UNKNOWN for a call that has not ended.
    """
    attempts: list[Attempt] = []
    unplaced = False
    for matcher in phase.starts:
        for hit in scan.of(matcher.path):
            if not counts(hit):
                continue
            turn = _entered(phase.starts_on, hit)
            if isinstance(turn, int):
                attempts.append(_attempt(hit, turn))
            unplaced = unplaced or turn is UNKNOWN
    if len(attempts) > 1:
        attempts.sort(key=_turn_of)
    if unplaced:
        return Started(UNKNOWN, None, tuple(attempts))
    if not attempts:
        return Started(NEVER, None, ())
    return Started(attempts[0].turn, attempts[0].source, tuple(attempts))


def _entered(starts_on: StartsOn, hit: Hit) -> Point:
    """Choose the turn that enters the phase: for a question, its own turn unless the catalog says
    the answer's.
    """
    return hit.finishes if hit.asked and starts_on is StartsOn.ANSWER else hit.opens


def _attempt(hit: Hit, turn: int) -> Attempt:
    on_question = hit.asked and turn == hit.opens
    start, end = hit.ask_span if on_question else (hit.start, hit.end)
    return Attempt(turn, hit.source, start, end, hit.event.id if hit.event else None)
