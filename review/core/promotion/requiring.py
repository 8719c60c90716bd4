"""What must be shown, and what is still missing, in sentences (engine.md 6, rules 9 and 16).

Each bound is the one that is against the model: what must be high counts by the lower end of its
interval, what must be low by the upper end. So few rows never promote anything: without a flip it
takes 189 comparisons until the flip rate is known to be 2 % or less, and 73 omissions, all found,
until the recall is known to be 95 %.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from review.core.agreement import decimal
from review.core.figures import Share
from review.core.promotion.figures import Agreement, Proven

FEWEST_ROWS: Final = 30
LEAST_KAPPA: Final = Fraction(4, 5)
LEAST_RECALL: Final = 0.95
MOST_FLIPPED: Final = 0.02


def shortfalls(proven: Proven) -> tuple[str, ...]:
    """Return why a phase may not be promoted; nothing where it may."""
    agreement = proven.agreement
    found = (
        _rows(agreement),
        _kappa(agreement),
        _recall(agreement.recall),
        _flips(proven.flips),
    )
    return tuple(filter(None, found))


def _rows(agreement: Agreement) -> str:
    if agreement.rows >= FEWEST_ROWS:
        return ""
    return f"{agreement.rows} signed rows are measured; it takes {FEWEST_ROWS}."


def _kappa(agreement: Agreement) -> str:
    if agreement.kappa is None:
        return "Kappa is not defined: nothing is measured, or people decided all rows alike."
    if agreement.low is None:
        return "Kappa has no interval: the rows are of one call."
    if agreement.low < LEAST_KAPPA:
        return (
            f"Kappa may be as low as {decimal(agreement.low)}; it must be {decimal(LEAST_KAPPA)} "
            "or more for sure."
        )
    return ""


def _recall(recall: Share) -> str:
    if recall.low is None:
        return "No row that people found left out is measured."
    if recall.low < LEAST_RECALL:
        return (
            f"Of {recall.n} rows that people found left out the model found {recall.part}: it may "
            f"be as few as {recall.low:.1%}, and must be {LEAST_RECALL:.0%} or more for sure."
        )
    return ""


def _flips(flips: Share) -> str:
    if flips.high is None:
        return "No check says how often the answer flips."
    if flips.high > MOST_FLIPPED:
        return (
            f"{flips.part} of {flips.n} answers flipped: it may be as many as {flips.high:.1%}, "
            f"and must be {MOST_FLIPPED:.0%} or fewer for sure."
        )
    return ""
