"""Whether a share fell: the difference of two independent shares with its interval.

Newcombe's hybrid score interval without continuity correction (R. G. Newcombe, Statistics in
Medicine 17, 1998, 873-890, method 10) from Wilson's intervals of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import sqrt
from typing import NamedTuple, TypeVar

from catalogs.core.document import Matcher
from review.core.figures import Share, share_of
from review.core.report_card.cells import Cell, Place

Key = TypeVar("Key")


class Difference(NamedTuple):
    """A share now minus the same before; all from -1 to 1, at 95 percent."""

    value: float
    low: float
    high: float


class Drop(NamedTuple):
    """A share that fell. `is_sure`: the whole interval of the difference lies below nothing."""

    before: Share
    now: Share
    difference: Difference

    @property
    def is_sure(self) -> bool:
        """Whether chance alone hardly makes such a drop."""
        return self.difference.high < 0


def difference_of(now: Share, before: Share) -> Difference | None:
    """Return how far a share rose, negative where it fell; None where either is of nothing.

    >>> from review.core.figures import share_of
    >>> [round(one, 4) for one in difference_of(share_of(56, 70), share_of(48, 80))]
    [0.2, 0.0524, 0.3339]
    """
    if now.value is None or now.low is None or now.high is None:
        return None
    if before.value is None or before.low is None or before.high is None:
        return None
    value = now.value - before.value
    down = sqrt((now.value - now.low) ** 2 + (before.high - before.value) ** 2)
    up = sqrt((now.high - now.value) ** 2 + (before.value - before.low) ** 2)
    return Difference(value, max(-1.0, value - down), min(1.0, value + up))


def drops(now: Mapping[Key, Share], before: Mapping[Key, Share]) -> dict[Key, Drop]:
    """Return the shares that fell, those that fell for sure first, then by how far.

    What is known of one side alone is not compared.
    """
    found: dict[Key, Drop] = {}
    for key, share in now.items():
        difference = difference_of(share, before[key]) if key in before else None
        if difference is not None and difference.value < 0:
            found[key] = Drop(before[key], share, difference)
    order = sorted(found.items(), key=lambda one: (not one[1].is_sure, one[1].difference.value))
    return dict(order)


def matcher_identity(matchers: Iterable[Matcher]) -> dict[str, str]:
    """Return by a matcher's path what makes it the same one in another version: its phase and all
    that it says. A matcher that only moved in its list keeps its figures.
    """
    return {one.path: f"{phase_of(one.path)} {replace(one, path='')!r}" for one in matchers}


def phase_of(path: str) -> str:
    """Return the phase that a path begins with.

    >>> phase_of("CSV.starts[0]")
    'CSV'
    """
    return path.partition(".")[0]


def precisions_by_matcher(
    cells: Iterable[Cell], place: Place, identities: Mapping[str, str]
) -> dict[str, Share]:
    """Return the precision of what each matcher proposed, by its identity; what came of a path
    that has none is left out.
    """
    tallies: dict[str, list[int]] = {}
    for one in cells:
        end = one.at(place)
        identity = identities.get(end.source)
        if one.settled and end.proposed and identity is not None:
            tally = tallies.setdefault(identity, [0, 0])
            tally[0] += one.number if end.is_exact else 0
            tally[1] += one.number
    return {identity: share_of(*tally) for identity, tally in tallies.items()}
