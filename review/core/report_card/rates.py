"""Shares of rows: those that match, those that people changed, and those that needed nobody."""

from __future__ import annotations

from collections.abc import Iterable

from review.core.figures import Share, share_of
from review.core.report_card.cells import Cell
from review.core.rows import Verdict


def phase_exact_match(cells: Iterable[Cell]) -> Share:
    """Return the share of settled rows whose start, finish and verdict are those proposed."""
    return _share((one.same, one.number) for one in cells if one.settled)


def override_rate(cells: Iterable[Cell]) -> Share:
    """Return the share of settled rows in which people changed start, finish or verdict."""
    return _share((not one.same, one.number) for one in cells if one.settled)


def automation_rate(cells: Iterable[Cell]) -> Share:
    """Return the share of all rows that asked for nobody and that nobody changed: no flag was
    raised, and start, finish and verdict stand as proposed.
    """
    return _share((one.same and not one.flagged, one.number) for one in cells)


def never_decided(cells: Iterable[Cell], verdict: Verdict) -> dict[str, Share]:
    """Return the phases that people never decided so, each with 0 of its n and the interval.

    n counts settled rows of required phases with a pass or a fail: a phase that is not owed can
    hardly fail. Phases without such a row are not named.
    """
    counted: dict[str, list[int]] = {}
    for one in cells:
        if one.settled and one.owed and one.decided is not Verdict.UNKNOWN:
            tally = counted.setdefault(one.phase, [0, 0])
            tally[0] += one.number if one.decided is verdict else 0
            tally[1] += one.number
    return {phase: share_of(0, n) for phase, (part, n) in sorted(counted.items()) if not part}


def _share(counted: Iterable[tuple[bool, int]]) -> Share:
    part = n = 0
    for is_part, count in counted:
        part += count if is_part else 0
        n += count
    return share_of(part, n)
