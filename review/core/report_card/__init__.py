"""The report card of a catalog version: what the machine proposed against what people decided."""

from review.core.report_card.cells import Cell, Offset, Place, settled_of
from review.core.report_card.comparing import (
    Difference,
    Drop,
    difference_of,
    drops,
    matcher_identity,
    precisions_by_matcher,
)
from review.core.report_card.costs import Mean, cost_per_100, mean_of
from review.core.report_card.points import PointFigures, point_figures
from review.core.report_card.rates import (
    automation_rate,
    never_decided,
    override_rate,
    phase_exact_match,
)
from review.core.report_card.verdicts import VerdictFigures, verdict_figures
from review.core.report_card.wording import WordingCell, WordingFigures, wording_figures

__all__ = [
    "Cell",
    "Difference",
    "Drop",
    "Mean",
    "Offset",
    "Place",
    "PointFigures",
    "VerdictFigures",
    "WordingCell",
    "WordingFigures",
    "automation_rate",
    "cost_per_100",
    "difference_of",
    "drops",
    "matcher_identity",
    "mean_of",
    "never_decided",
    "override_rate",
    "phase_exact_match",
    "point_figures",
    "precisions_by_matcher",
    "settled_of",
    "verdict_figures",
    "wording_figures",
]
