"""How often a start or finish was proposed at the turn that people decided, and how far off else.

- Precision: of the proposed turns, the share that people left where it was. A proposal that people
  moved, or took away, counts against it.
- Recall: of the turns that people decided, the share that was proposed there.
- Boundary error: turns between both, where there are both, without its sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from review.core.figures import Share, Times, share_of, times_of
from review.core.report_card.cells import Cell, Place


class PointFigures(NamedTuple):
    """The figures of one end of rows.

    `near` is the share within one turn, of rows that have both turns; `error` is the median of the
    turns between them with its interval, both in turns.
    """

    precision: Share
    recall: Share
    near: Share
    error: Times


def point_figures(
    cells: Iterable[Cell],
    place: Place,
    *,
    source: str | None = None,
) -> PointFigures:
    """Return the figures of one end of settled rows, of what one matcher proposed if it is named.

    The recall of one matcher is its share in all the turns that people decided in these rows, so
    the recalls of the matchers of a phase add up to the phase's.
    """
    known = [(one.at(place), one.number) for one in cells if one.settled]
    decided = sum(count for end, count in known if end.decided)
    own = [(end, n) for end, n in known if source is None or end.source == source]
    errors: Counter[int] = Counter()
    for end, count in own:
        if end.turns is not None:
            errors[abs(end.turns)] += count
    proposed = sum(count for end, count in own if end.proposed)
    exact = errors[0]
    return PointFigures(
        precision=share_of(exact, proposed),
        recall=share_of(exact, decided),
        near=share_of(exact + errors[1], sum(errors.values())),
        error=times_of(+errors),
    )
