"""Anchors: the earliest start of a phase and every later attempt. A correction never moves a start
later.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from catalogs.core.document import Phase, StartsOn
from review.core.evidence.instances import HitsOf
from review.core.rows import NEVER, UNKNOWN, Attempt, Point, made

_turn_of = attrgetter("turn")
_ANSWER = StartsOn.ANSWER  # bound once: a look-up of an enum member goes through its metaclass


class Started(NamedTuple):
    """When a phase was entered, by which matcher, and all attempts in the order of the call."""

    start: Point
    source: str | None
    attempts: tuple[Attempt, ...]


def find_start(phase: Phase, hits_of: HitsOf) -> Started:
    """Find the earliest start among a phase's anchors.

    `hits_of` gives the hits of the instance at hand. An anchor that cannot be placed makes the
    start UNKNOWN: it may be earlier than every other. Without any anchor the start is NEVER; the
    caller turns that into UNKNOWN for a call that has not ended.
    """
    on_answer = phase.starts_on is _ANSWER
    attempts: list[Attempt] = []
    unplaced = False
    for matcher in phase.starts:
        for hit in hits_of(matcher.path):
            source, opens, finishes, _, _, _, begin, end, asked, ask_span, event = hit
            # A question enters on its own turn unless the catalog says the answer's.
            turn = finishes if on_answer and asked else opens
            if isinstance(turn, int):
                if asked and turn == opens:
                    begin, end = ask_span
                named = None if event is None else event.id
                attempts.append(made(Attempt, (turn, source, begin, end, named)))
            elif turn is UNKNOWN:
                unplaced = True
    if len(attempts) > 1:
        attempts.sort(key=_turn_of)
    if unplaced:
        return Started(UNKNOWN, None, tuple(attempts))
    if not attempts:
        return Started(NEVER, None, ())
    return Started(attempts[0].turn, attempts[0].source, tuple(attempts))
