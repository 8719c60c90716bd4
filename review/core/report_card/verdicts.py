"""How often a proposed verdict is the one that people decided, for pass and for fail by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review.core.figures import Share, share_of
from review.core.report_card.cells import Cell
from review.core.rows import Verdict


class VerdictFigures(NamedTuple):
    """Precision: of the rows proposed so, the share that people decided so. Recall: of the rows
    that people decided so, the share that was proposed so. A proposed "unknown" is no claim: it
    lowers recall and leaves precision.
    """

    precision: Share
    recall: Share


def verdict_figures(cells: Iterable[Cell], verdict: Verdict) -> VerdictFigures:
    """Return the figures of one verdict over settled rows."""
    known = [one for one in cells if one.settled]
    proposed = sum(one.number for one in known if one.proposed is verdict)
    decided = sum(one.number for one in known if one.decided is verdict)
    both = sum(one.number for one in known if one.proposed is verdict and one.decided is verdict)
    return VerdictFigures(share_of(both, proposed), share_of(both, decided))
