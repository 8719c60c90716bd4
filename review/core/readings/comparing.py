"""Two readings side by side: which rows differ, in what, and the raw agreement (design 4.6).

| compared | the same when |
| --- | --- |
| required | both say yes, no, or that it cannot be told |
| verdict | both say pass, fail or unknown |
| start, finish | the same turn, both never, or both not known |
| start_near | the same, or turns next to each other |
| edge | the critical edge came out the same: held, violated or open |

Of a row that neither owes nothing but `required` is compared. Only what both have read counts: an
edge whose two rows are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from review.core.readings.answering import (
    Answer,
    Plain,
    answer_from_json,
    answer_to_json,
)

#: What a row may differ in, in the order of a page.
FIELDS = ("required", "start", "finish", "verdict")
#: What agreement is reported for, apart (design 4.6).
MEASURES = ("required", "verdict", "start", "start_near", "finish", "edge")

Edge = tuple[str, str]


class Pair(NamedTuple):
    """One row as the first reading has it, and as the second."""

    phase: str
    first: Answer
    second: Answer

    @property
    def compared(self) -> tuple[str, ...]:
        """What is compared of the row."""
        unowed = self.first.required is False and self.second.required is False
        return ("required",) if unowed else FIELDS

    @property
    def differs_in(self) -> tuple[str, ...]:
        """What the two say differently."""
        return tuple(
            name
            for name in self.compared
            if getattr(self.first, name) != getattr(self.second, name)
        )


class EdgePair(NamedTuple):
    """How a critical edge came out: True it held, False it was violated, None it is open."""

    parent: str
    child: str
    first: bool | None
    second: bool | None


class Compared(NamedTuple):
    """Two readings of one call: every row, and every critical edge between them."""

    pairs: tuple[Pair, ...]
    edges: tuple[EdgePair, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The phases whose rows differ."""
        return tuple(pair.phase for pair in self.pairs if pair.differs_in)


class Raw(NamedTuple):
    """Raw agreement: how many of `n` are the same."""

    same: int
    n: int


def compare(
    first: Mapping[str, Answer],
    second: Mapping[str, Answer],
    first_edges: Mapping[Edge, bool | None],
    second_edges: Mapping[Edge, bool | None],
) -> Compared:
    """Compare the rows and edges that both readings have, in the order of the second."""
    return Compared(
        tuple(Pair(phase, first[phase], said) for phase, said in second.items() if phase in first),
        tuple(
            EdgePair(*edge, ok, second_edges[edge])
            for edge, ok in first_edges.items()
            if edge in second_edges and set(edge) <= set(second)
        ),
    )


class Unit(NamedTuple):
    """What two readings say on one row or critical edge; an edge is "PARENT→CHILD"."""

    name: str
    first: object
    second: object
    same: bool


def units_of(compared: Compared, measure: str) -> tuple[Unit, ...]:
    """Return what both readings of a call say on a measure, in the catalog's order."""
    if measure == "edge":
        return tuple(
            Unit(f"{edge.parent}→{edge.child}", edge.first, edge.second, edge.first == edge.second)
            for edge in compared.edges
        )
    field = "start" if measure == "start_near" else measure
    same = _near if measure == "start_near" else _same
    said = (
        (pair.phase, getattr(pair.first, field), getattr(pair.second, field))
        for pair in compared.pairs
        if field in pair.compared
    )
    return tuple(Unit(phase, first, second, same(first, second)) for phase, first, second in said)


def raw_agreement(compared: Sequence[Compared]) -> dict[str, Raw]:
    """Return the raw agreement by measure, over all these readings together."""
    return {name: _raw(compared, name) for name in MEASURES}


def _raw(compared: Sequence[Compared], name: str) -> Raw:
    told = [unit.same for one in compared for unit in units_of(one, name)]
    return Raw(sum(told), len(told))


def _same(one: object, other: object) -> bool:
    return one == other


def _near(one: object, other: object) -> bool:
    both_turns = isinstance(one, int) and isinstance(other, int)
    return one == other or (both_turns and abs(one - other) == 1)  # type: ignore[operator]


def compared_to_json(compared: Compared) -> Plain:
    """Write a comparison as plain values."""
    return {
        "pairs": [
            [pair.phase, answer_to_json(pair.first), answer_to_json(pair.second)]
            for pair in compared.pairs
        ],
        "edges": [list(edge) for edge in compared.edges],
    }


def compared_from_json(plain: Mapping[str, Any]) -> Compared:
    """Read a comparison back. Raises KeyError, TypeError or ValueError for another shape."""
    read: Callable[[Plain], Answer] = answer_from_json
    return Compared(
        tuple(Pair(phase, read(one), read(two)) for phase, one, two in plain["pairs"]),
        tuple(EdgePair(*edge) for edge in plain["edges"]),
    )
