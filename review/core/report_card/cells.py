"""Rows of signed calls that are alike, counted: all that a report card is made of.

A cell says what the machine proposed and what stands, never of which call: a year of calls is some
hundred cells, and no figure needs more.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from review.core.rows import Verdict


class Place(Enum):
    """The two ends of a row."""

    START = "start"
    FINISH = "finish"


class Offset(NamedTuple):
    """One end of a row, as proposed and as decided.

    `source` is the path of the matcher that gave the proposal, empty for none. `proposed` and
    `decided` say whether there is a turn; `turns` is the decided turn minus the proposed one, None
    unless there are both.
    """

    source: str
    proposed: bool
    decided: bool
    turns: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the proposed turn is the decided one."""
        return self.turns == 0

    @property
    def stands(self) -> bool:
        """Whether people left this end as it was, a turn or none."""
        return self.is_exact or not (self.proposed or self.decided)


class Cell(NamedTuple):
    """`number` rows of one phase that are alike.

    - `model` is the engine that proposed, `flagged` that it asked for a person.
    - `settled`: a person confirmed or changed the row; of others nobody knows whether they are
      right, so only counts of all rows use them.
    - `owed`: the phase was required. `same`: start, finish and verdict stand as proposed, also in
      whether an end that has no turn is never or unknown.
    """

    phase: str
    model: str
    settled: bool
    flagged: bool
    owed: bool
    same: bool
    start: Offset
    finish: Offset
    proposed: Verdict
    decided: Verdict
    number: int

    def at(self, place: Place) -> Offset:
        """Return one end of the rows."""
        return self.start if place is Place.START else self.finish


def settled_of(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells of rows that people settled: what precision and recall are counted over."""
    return tuple(one for one in cells if one.settled)
