"""Where raters differ, item by item: one difference for each row of a call on which any two do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review.core.calibration.rating import Rating
from review.core.row_values import point_to_json

_OWED = {True: "yes", False: "no", None: "cannot be told"}


class Said(NamedTuple):
    """What was said on one question, in the order of the raters; None for who said nothing.

    `name` is "Required", "Start" and so on, or the id of an acceptance item (then `is_item`).
    """

    name: str
    said: tuple[str | None, ...]
    is_item: bool = False

    @property
    def differs(self) -> bool:
        """Whether any two said differently."""
        return len(set(self.said)) > 1


class Difference(NamedTuple):
    """One row of one call on which raters differ: everything they said on it, side by side."""

    phase: str
    lines: tuple[Said, ...]

    @property
    def named(self) -> tuple[str, ...]:
        """What they differ in."""
        return tuple(line.name for line in self.lines if line.differs)


def differences_of(
    phases: Sequence[str], ratings: Sequence[Mapping[str, Rating]]
) -> tuple[Difference, ...]:
    """Return the rows on which these raters differ, in the catalog's order.

    A row that one rater did not rate and another did is a difference too.
    """
    found = (Difference(phase, _lines([rater.get(phase) for rater in ratings])) for phase in phases)
    return tuple(one for one in found if one.named)


def _lines(said: Sequence[Rating | None]) -> tuple[Said, ...]:
    items = dict.fromkeys(
        item.item for rating in said if rating is not None for item in rating.items
    )
    return (
        Said("Required", tuple(None if one is None else _OWED[one.required] for one in said)),
        Said("Start", tuple(None if one is None else _point(one, "start") for one in said)),
        Said("Finish", tuple(None if one is None else _point(one, "finish") for one in said)),
        Said("Verdict", tuple(None if one is None else one.verdict.value for one in said)),
        *(Said(item, tuple(_item(one, item) for one in said), True) for item in items),
    )


def _point(rating: Rating, field: str) -> str:
    return str(point_to_json(rating.start if field == "start" else rating.finish))


def _item(rating: Rating | None, item: str) -> str | None:
    if rating is None:
        return None
    shown = {one.item: point_to_json(one.shown) for one in rating.items}
    return None if item not in shown else str(shown[item])
