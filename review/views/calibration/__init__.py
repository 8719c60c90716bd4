"""The pages of calibration: all rounds, one round, the rater's desk, and the differences."""

from review.views.calibration.differences import calibration_close, calibration_decide, differing
from review.views.calibration.opening import calibration_open
from review.views.calibration.rating import calibration_done, calibration_rate, rating
from review.views.calibration.rounds import (
    calibration,
    calibration_off,
    calibration_waive,
    calibrations,
)

__all__ = [
    "calibration",
    "calibration_close",
    "calibration_decide",
    "calibration_done",
    "calibration_off",
    "calibration_open",
    "calibration_rate",
    "calibration_waive",
    "calibrations",
    "differing",
    "rating",
]
