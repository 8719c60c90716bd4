"""Which turns come nearest to the wording of an open item; the nearest few, and no measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Final, NamedTuple

from review.core.cascade.candidates.encoding import Vector
from review.core.cascade.candidates.seeking import Sought
from review.core.transcript import Turn

#: How many turns are shown for an item.
FIRST: Final = 3
#: What the turn before adds: an answer is told by its question.
_BEFORE: Final = 0.5
#: Two turns that differ by less than a rounding of the model's are equally near.
_DIGITS: Final = 5


class Candidates(NamedTuple):
    """The turns that come nearest to an open item, the nearest first."""

    phase: str
    item: str
    turns: tuple[int, ...]


def rank_turns(
    sought: Sequence[Sought],
    turns: Sequence[Turn],
    said: Sequence[Vector],
    wording: Mapping[str, Vector],
) -> tuple[Candidates, ...]:
    """Return the first three turns for each item that anybody who can show it says anything for.

    `said` are the vectors of the turns, `wording` those of the catalog's texts. A turn is as near
    as the nearest of the item's texts, and half as near as the turn before it is besides. Of two
    that are equally near the earlier comes first. Raises KeyError for a text without a vector.
    """
    nearness = {
        text: [_product(one, wording[text]) for one in said]
        for text in dict.fromkeys(text for one in sought for text in one.texts)
    }
    ranked = (_rank(one, turns, nearness) for one in sought)
    return tuple([one for one in ranked if one.turns])


def _rank(
    sought: Sought, turns: Sequence[Turn], nearness: Mapping[str, Sequence[float]]
) -> Candidates:
    nearest = [max(each) for each in zip(*(nearness[one] for one in sought.texts), strict=True)]
    before = [0.0, *nearest[:-1]]
    by_nearness = sorted(
        (-round(own + _BEFORE * earlier, _DIGITS), turn.number)
        for own, earlier, turn in zip(nearest, before, turns, strict=False)
        if turn.role in sought.roles
    )
    first = tuple([number for _, number in by_nearness[:FIRST]])
    return Candidates(sought.phase, sought.item, first)


def _product(one: Vector, other: Vector) -> float:
    return float(sum(map(mul, one, other)))
