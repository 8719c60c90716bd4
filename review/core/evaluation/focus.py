"""Where a person's look goes first: the first flagged row, and a turn that its flag is about."""

from __future__ import annotations

from collections.abc import Iterator

from review.core.evaluation.report import EdgeReport, Report, RowReport

#: Turns of one line each that the lowest window we draw for shows above or below the middle.
_SEEN_TOGETHER = 5


def focus_turn(report: Report) -> int | None:
    """Return the turn to bring into view first, None where no flagged row has one.

    It is evidence of the first flagged row, or its start or finish where there is none. Where that
    row's order broke it is the turn that broke it, as long as evidence of the row is near enough to
    be seen with it; else the piece of evidence nearest to that turn.
    """
    flagged = (row for row in report.rows if row.flags)
    return next((turn for row in flagged for turn in _turns(row, report.edges)), None)


def _turns(row: RowReport, edges: tuple[EdgeReport, ...]) -> Iterator[int]:
    evidence = [piece.turn for piece in row.evidence]
    own = [turn for turn in (row.start, row.finish) if isinstance(turn, int)]
    for edge in edges:
        if not edge.critical or edge.ok is not False:
            continue
        if edge.child == row.phase and isinstance(edge.child_start, int):
            yield edge.child_start
        if edge.parent == row.phase and isinstance(edge.child_start, int) and (evidence or own):
            yield _near(edge.child_start, evidence or own)
    yield from (*evidence[:1], *own[:1])


def _near(broken: int, own: list[int]) -> int:
    nearest = min(own, key=lambda turn: abs(turn - broken))
    return broken if abs(nearest - broken) <= _SEEN_TOGETHER else nearest
