"""What a rater says of one row, from nothing: required, start, finish, verdict, and each item."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from review.core.row_values import point_from_json, point_to_json
from review.core.rows import NEVER, Evidence, Point, Row, Verdict

Plain = dict[str, Any]


class RefusedRating(Exception):
    """The rating makes no sense as given; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class ItemRating(NamedTuple):
    """One acceptance item: the turn on which it was shown, NEVER, or UNKNOWN."""

    item: str
    shown: Point


class Rating(NamedTuple):
    """One row as a rater reads it; `required` None is "cannot be told"."""

    required: bool | None
    start: Point
    finish: Point
    verdict: Verdict
    items: tuple[ItemRating, ...] = ()

    def as_row(self, phase: str, rater: str) -> Row:
        """Return the row that the predicates judge; what the rater points at is its evidence."""
        source = f"rater:{rater}"
        pieces = tuple(
            Evidence(one.item, one.shown, 0, 0, source)
            for one in self.items
            if isinstance(one.shown, int)
        )
        if not pieces and isinstance(self.finish, int):
            pieces = (Evidence("", self.finish, 0, 0, source),)
        return Row(phase, self.start, self.finish, self.verdict, pieces)


def check_rating(
    rating: Rating, turns: Collection[int], *, ended: bool, may_volunteer: bool
) -> None:
    """Check that a rating makes sense as a whole. Raises RefusedRating with the field to correct.

    `turns` are the call's turn numbers; `may_volunteer` allows a finish before the start.
    """
    _check_turns(rating, turns, ended=ended)
    start, finish = rating.start, rating.finish
    if rating.verdict is Verdict.PASS:
        if not isinstance(finish, int):
            raise RefusedRating(
                "A pass needs the turn on which the phase was complete: write it down.", "finish"
            )
        open_items = [one.item for one in rating.items if not isinstance(one.shown, int)]
        if open_items:
            raise RefusedRating(
                "A pass needs every item: write the turn that shows it, or choose another verdict.",
                f"item_{open_items[0]}",
            )
    if rating.verdict is Verdict.FAIL and isinstance(finish, int):
        raise RefusedRating("What failed was never complete: write never as finish.", "finish")
    if isinstance(finish, int) and start is NEVER:
        raise RefusedRating(
            f"What was finished at turn {finish} was also begun at some turn.", "start"
        )
    if isinstance(start, int) and isinstance(finish, int) and finish < start and not may_volunteer:
        raise RefusedRating(f"The finish would come before the start, turn {start}.", "finish")


def _check_turns(rating: Rating, turns: Collection[int], *, ended: bool) -> None:
    points = [("start", rating.start), ("finish", rating.finish)]
    points += [(f"item_{one.item}", one.shown) for one in rating.items]
    for field, point in points:
        if isinstance(point, int) and point not in turns:
            ends = f" It has turns {min(turns)} to {max(turns)}." if turns else ""
            raise RefusedRating(f"The call has no turn {point}.{ends}", field)
        if point is NEVER and not ended:
            raise RefusedRating(
                "It is not known that the call has ended, so nothing is missing for ever yet. "
                "Write ? instead.",
                field,
            )


def rating_to_json(rating: Rating) -> Plain:
    """Write a rating as plain values: codes and turn numbers, no words of the call."""
    return {
        "required": rating.required,
        "start": point_to_json(rating.start),
        "finish": point_to_json(rating.finish),
        "verdict": rating.verdict.value,
        "items": [[one.item, point_to_json(one.shown)] for one in rating.items],
    }


def rating_from_json(plain: Mapping[str, Any]) -> Rating:
    """Read a rating back. Raises KeyError, TypeError or ValueError for another shape."""
    return Rating(
        plain["required"],
        point_from_json(plain["start"]),
        point_from_json(plain["finish"]),
        Verdict(plain["verdict"]),
        tuple(ItemRating(item, point_from_json(shown)) for item, shown in plain["items"]),
    )
