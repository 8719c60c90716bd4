"""At which turn an event counts: exact where the source says so, else rounded against credit
(design 1.1, S14).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from review.core.rows import UNKNOWN, Point, made
from review.core.transcript import Call, Event


class Place(NamedTuple):
    """Where an event counts as a start and as a finish, and its position in the sequence of turns
    (-1: nowhere).
    """

    start: Point
    finish: Point
    position: int


class Timeline:
    """The turns of a call by number and by time."""

    def __init__(self, call: Call) -> None:
        """Index the turns by number; by time only once an event asks for it."""
        self._turns = call.turns
        self.position_of: dict[Point, int] = {
            turn.number: position for position, turn in enumerate(call.turns)
        }

    @cached_property
    def _timed(self) -> tuple[list[int], list[int]]:
        """The start times of the turns that have one, and the positions of these turns."""
        timed = [
            (turn.start_ms, position)
            for position, turn in enumerate(self._turns)
            if turn.start_ms is not None
        ]
        return [start for start, _ in timed], [position for _, position in timed]

    def place(self, event: Event) -> Place:
        """Place one event.

        An event with a turn is at that turn (a sequenced tool call is finished on its result's
        turn). One whose time lies inside a turn is at that turn. One between two turns starts at
        the earlier and finishes at the later; past the last turn its finish is UNKNOWN; without
        turn and time both are.
        """
        if event.turn is not None:
            # A result that is listed before its call proves nothing before the call.
            finish = max(event.turn, event.result_turn or event.turn)
            return made(Place, (event.turn, finish, self.position_of.get(event.turn, -1)))
        if event.at_ms is None or not self._timed[0]:
            return Place(UNKNOWN, UNKNOWN, -1)
        return self._place_by_time(event.at_ms)

    def _place_by_time(self, at_ms: int) -> Place:
        starts, positions = self._timed
        after = bisect_right(starts, at_ms)
        if after == 0:
            first = positions[0]
            return Place(self._turns[first].number, self._turns[first].number, first)
        position = positions[after - 1]
        turn = self._turns[position]
        if turn.end_ms is not None and at_ms <= turn.end_ms:
            return Place(turn.number, turn.number, position)
        if after == len(starts):
            return Place(turn.number, UNKNOWN, position)
        return Place(turn.number, self._turns[positions[after]].number, position)
