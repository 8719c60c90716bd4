"""What agreement is reported for, apart (design 4.6), and the tables of ratings it is made of.

| measure | units | agree when |
| --- | --- | --- |
| required | rows | both say yes, no, or that it cannot be told |
| verdict | rows | both say pass, fail or unknown |
| start | rows | the same turn, both never, or both not known |
| start_near | rows | the same, or turns next to each other |
| finish | rows | as start |
| edge | critical edges | the edge came out the same: held, violated or open |

Never is a category like any turn: a phase that one rater did not see at all is a difference, not a
row that drops out. Rows that a rater did not rate are missing and are counted as left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import eq
from typing import NamedTuple

from review.core.agreement.coefficients import Rating, Same, Table
from review.core.rows import Absent, Point, Verdict

Edge = tuple[str, str]


class Rated(NamedTuple):
    """One row as a rater has it; `required` None is "cannot be told"."""

    required: bool | None
    start: Point
    finish: Point
    verdict: Verdict


class RatedCall(NamedTuple):
    """One call as every rater has it, in one order of raters: rows by phase, edges by their ends.

    The outcome of an edge is True (held), False (violated) or None (open).
    """

    phases: tuple[str, ...]
    rows: tuple[Mapping[str, Rated], ...]
    edges: tuple[Mapping[Edge, bool | None], ...]


class Measure(NamedTuple):
    """What is compared, its name in words, what counts as the same, and the closed scale if any."""

    id: str
    name: str
    same: Same
    scale: tuple[Rating, ...]


def near(one: Rating, other: Rating) -> bool:
    """Say whether two points are the same, or turns next to each other."""
    both_turns = isinstance(one, int) and isinstance(other, int)
    return one == other or (both_turns and abs(one - other) <= 1)  # type: ignore[operator]


_OWED = {True: "yes", False: "no", None: "cannot be told"}
_HELD = {True: "held", False: "violated", None: "open"}

MEASURES: tuple[Measure, ...] = (
    Measure("required", "Required", eq, tuple(_OWED.values())),
    Measure("verdict", "Verdict", eq, tuple(one.value for one in Verdict)),
    Measure("start", "Start, same turn", eq, ()),
    Measure("start_near", "Start, within one turn", near, ()),
    Measure("finish", "Finish, same turn", eq, ()),
    Measure("edge", "Critical edges", eq, tuple(_HELD.values())),
)


def tables_of(calls: Sequence[RatedCall], measure: Measure) -> list[Table]:
    """Return one table of ratings a call, its units in the order of phases or edges."""
    if measure.id == "edge":
        return [_edges(call) for call in calls]
    return [
        [[_rating(rows.get(phase), measure.id) for rows in call.rows] for phase in call.phases]
        for call in calls
    ]


def _edges(call: RatedCall) -> Table:
    known = dict.fromkeys(edge for rater in call.edges for edge in rater)
    return [
        [_HELD[rater[edge]] if edge in rater else None for rater in call.edges] for edge in known
    ]


def _rating(row: Rated | None, measure: str) -> Rating | None:
    if row is None:
        return None
    match measure:
        case "required":
            return _OWED[row.required]
        case "verdict":
            return row.verdict.value
        case "finish":
            return _point(row.finish)
        case _:
            return _point(row.start)


def _point(point: Point) -> Rating:
    return point.value if isinstance(point, Absent) else point
