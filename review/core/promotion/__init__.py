"""Promotion by measured agreement only: what must be shown of a model before its proposals are
shown to reviewers, per phase and language (guard rules 9, 16 and 17).
"""

from review.core.promotion.figures import (
    Agreement,
    MeasuredRow,
    Proven,
    agreement_of,
    measured_calls,
    proven_from_json,
    proven_to_json,
)
from review.core.promotion.requiring import (
    FEWEST_ROWS,
    LEAST_KAPPA,
    LEAST_RECALL,
    MOST_FLIPPED,
    shortfalls,
)
from review.core.promotion.taking import Became, became_of

__all__ = [
    "FEWEST_ROWS",
    "LEAST_KAPPA",
    "LEAST_RECALL",
    "MOST_FLIPPED",
    "Agreement",
    "Became",
    "MeasuredRow",
    "Proven",
    "agreement_of",
    "became_of",
    "measured_calls",
    "proven_from_json",
    "proven_to_json",
    "shortfalls",
]
