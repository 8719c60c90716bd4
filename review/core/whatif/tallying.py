"""A what-if in numbers: how many calls change how, how many of them are signed, with examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from review.core.whatif.changes import Change
from review.core.whatif.deciding import Weighed

#: So many calls are shown of each change (engine.md 7).
MOST_EXAMPLES = 5


class Tally(NamedTuple):
    """Calls by change: all of them, the signed ones, and the first few of each but SAME.

    `needs_annotation` counts calls with a required phase that has no row.
    """

    calls: int
    by_change: Mapping[Change, int]
    signed: Mapping[Change, int]
    needs_annotation: int
    examples: Mapping[Change, tuple[Weighed, ...]]


def tally(weighed: Iterable[Weighed]) -> Tally:
    """Count what was weighed, in its order."""
    counts, signed = dict.fromkeys(Change, 0), dict.fromkeys(Change, 0)
    examples: dict[Change, list[Weighed]] = {change: [] for change in Change}
    missing = 0
    for one in weighed:
        counts[one.change] += 1
        signed[one.change] += one.signed
        missing += bool(one.missing)
        shown = examples[one.change]
        if one.change is not Change.SAME and len(shown) < MOST_EXAMPLES:
            shown.append(one)
    return Tally(
        sum(counts.values()),
        counts,
        signed,
        missing,
        {change: tuple(found) for change, found in examples.items() if found},
    )
