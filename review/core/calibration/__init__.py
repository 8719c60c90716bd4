"""Calibration rounds: what a rater says of a row, where raters differ, and how well they agree."""

from review.core.calibration.checklists import MARKS, CheckedItem, pair_lists, read_items
from review.core.calibration.differing import Difference, Said, differences_of
from review.core.calibration.judging import edges_of, rated_calls
from review.core.calibration.rating import (
    ItemRating,
    Rating,
    RefusedRating,
    check_rating,
    rating_from_json,
    rating_to_json,
)
from review.core.calibration.rounds import (
    FEWEST_CALLS,
    FEWEST_RATERS,
    MOST_CALLS,
    MOST_RATERS,
    Calibrating,
    RoundState,
    check_size,
)
from review.core.calibration.summing import summary

__all__ = [
    "FEWEST_CALLS",
    "FEWEST_RATERS",
    "MARKS",
    "MOST_CALLS",
    "MOST_RATERS",
    "Calibrating",
    "CheckedItem",
    "Difference",
    "ItemRating",
    "Rating",
    "RefusedRating",
    "RoundState",
    "Said",
    "check_rating",
    "check_size",
    "differences_of",
    "edges_of",
    "pair_lists",
    "rated_calls",
    "rating_from_json",
    "rating_to_json",
    "read_items",
    "summary",
]
