"""Figures beside the verdict. They never decide: nothing here is imported by the predicates, nor
the reverse.

Everything is an exact fraction; formulas and worked numbers are in docs/method.md ("our definition"
where the paper gives none).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from review.core.rows import NEVER, Row, Verdict

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Interval:
    """A share that is known up to its unknown terms: low counts them as 0, high as 1. Equal ends:
    known.
    """

    low: Fraction
    high: Fraction


def critical_dependency_share(outcomes: Sequence[bool | None]) -> Interval | None:
    """CDS = satisfied critical edges / critical edges; None without any (paper; engine.md 3)."""
    if not outcomes:
        return None
    satisfied = sum(1 for ok in outcomes if ok is True)
    open_edges = sum(1 for ok in outcomes if ok is None)
    return Interval(
        Fraction(satisfied, len(outcomes)), Fraction(satisfied + open_edges, len(outcomes))
    )


def phase_sequence_agreement(edges: Iterable[Edge], rows: Mapping[str, Row]) -> Fraction | None:
    """PSA over pairs of the order's closure that both started: (#{s_i < s_j} + half of the ties) /
    pairs.

    Our definition. None where no ordered pair has started.
    """
    pairs = [(_start(rows, i), _start(rows, j)) for i, j in sorted(_closure(edges))]
    started = [
        (first, second) for first, second in pairs if first is not None and second is not None
    ]
    if not started:
        return None
    score = sum(
        Fraction(1) if first < second else Fraction(1, 2) if first == second else 0
        for first, second in started
    )
    return Fraction(score) / len(started)


def order_ratio(edges: Iterable[Edge], rows: Mapping[str, Row]) -> Fraction | None:
    """ORD = edges with e_i < s_j among the direct edges whose child started and whose parent is
    known; our definition.
    """
    judged = [advisory_outcome(edge, rows) for edge in edges if _start(rows, edge[1]) is not None]
    known = [ok for ok in judged if ok is not None]
    return Fraction(sum(known), len(known)) if known else None


def advisory_outcome(edge: Edge, rows: Mapping[str, Row]) -> bool | None:
    """Say whether a parent finished before its child started; None where either is not known.
    Advice, never a verdict.
    """
    parent, child = rows.get(edge[0]), rows.get(edge[1])
    if parent is None or child is None:
        return None
    if child.start is NEVER:
        return True
    if not isinstance(child.start, int):
        return None
    if isinstance(parent.finish, int):
        return parent.finish < child.start
    return False if parent.finish is NEVER else None


def attempt_phase_consistency(rows: Mapping[str, Row], *, slack: int = 0) -> Fraction | None:
    """APC: the share of machine-proposed attempts (phase, turn) that lie in [s - slack, e + slack];
    our definition.

    The window is open to the end of the call where e is not a turn; attempts of a never-started row
    are misses.
    """
    hits = [_inside(row, attempt.turn, slack) for row in rows.values() for attempt in row.attempts]
    return Fraction(sum(hits), len(hits)) if hits else None


def graded(row: Row, tau: Decimal) -> tuple[Interval, bool | None] | None:
    """Score the items of a row (0, 1 or unknown each, equal weights) against tau; never changes its
    verdict.
    """
    marks = [state.met for instance in row.instances or (row,) for state in instance.items]
    if not marks:
        return None
    low = Fraction(sum(1 for mark in marks if mark is True), len(marks))
    high = Fraction(sum(1 for mark in marks if mark is not False), len(marks))
    threshold = Fraction(tau)
    return Interval(low, high), True if low >= threshold else False if high < threshold else None


def differs_from_verdict(score: bool | None, verdict: Verdict) -> bool:
    """Say whether a graded score and the row's verdict disagree (the row is then marked, nothing
    else).
    """
    return (
        score is not None
        and verdict is not Verdict.UNKNOWN
        and score is not (verdict is Verdict.PASS)
    )


def _inside(row: Row, turn: int, slack: int) -> bool:
    if not isinstance(row.start, int) or turn < row.start - slack:
        return False
    return turn <= row.finish + slack if isinstance(row.finish, int) else True


def _start(rows: Mapping[str, Row], phase: str) -> int | None:
    row = rows.get(phase)
    return row.start if row is not None and isinstance(row.start, int) else None


def _closure(edges: Iterable[Edge]) -> set[Edge]:
    children: dict[str, set[str]] = {}
    for parent, child in edges:
        children.setdefault(parent, set()).add(child)
    reach: set[Edge] = set()
    for origin in children:
        waiting = list(children[origin])
        while waiting:
            phase = waiting.pop()
            if (origin, phase) not in reach:
                reach.add((origin, phase))
                waiting.extend(children.get(phase, ()))
    return reach
