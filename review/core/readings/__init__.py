"""Blind readings: which calls are read twice, what a reader says, and where two readers differ."""

from review.core.readings.answering import (
    Answer,
    EvidenceSpan,
    Refused,
    answer_from_json,
    answer_to_json,
    check_answer,
)
from review.core.readings.comparing import (
    MEASURES,
    Compared,
    EdgePair,
    Pair,
    Raw,
    Unit,
    compare,
    compared_from_json,
    compared_to_json,
    raw_agreement,
    units_of,
)
from review.core.readings.drawing import (
    DEFAULT_SHARES,
    READING_HOLD,
    Drawn,
    ReadingKind,
    Shares,
    draw_drift,
    draw_second,
)
from review.core.readings.settling import After, Difference, open_differences, stands_settled

__all__ = [
    "DEFAULT_SHARES",
    "MEASURES",
    "READING_HOLD",
    "After",
    "Answer",
    "Compared",
    "Difference",
    "Drawn",
    "EdgePair",
    "EvidenceSpan",
    "Pair",
    "Raw",
    "ReadingKind",
    "Refused",
    "Shares",
    "Unit",
    "answer_from_json",
    "answer_to_json",
    "check_answer",
    "compare",
    "compared_from_json",
    "compared_to_json",
    "draw_drift",
    "draw_second",
    "open_differences",
    "raw_agreement",
    "stands_settled",
    "units_of",
]
