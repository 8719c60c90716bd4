"""Candidates by wording beside the rules: who had the turn that people decided."""

from __future__ import annotations

from collections.abc import Sequence

from review.core.report_card import Place, WordingCell, wording_figures
from review.presenters.figure_tables import FigureLine, FigureMatrix, MatrixRow, share_line
from review.presenters.report_cards.parts import parts_by

WORDING = ("Rules", "First three by wording", "Either")
_TITLES = {Place.START: "Starts, give or take one turn", Place.FINISH: "Finishes, the same"}


def wording_tables(cells: Sequence[WordingCell]) -> tuple[FigureMatrix, ...]:
    """Return a table of starts and one of finishes; without rows where nothing was searched."""
    return tuple(_table([one for one in cells if one.place is place], place) for place in Place)


def _table(cells: Sequence[WordingCell], place: Place) -> FigureMatrix:
    rows = []
    if cells:
        blind = [one for one in cells if one.kept_back]
        rows = [
            MatrixRow("all", _cells(cells), whole=True),
            MatrixRow("decided without seeing them", _cells(blind)),
            *(
                MatrixRow(phase, _cells(part))
                for phase, part in sorted(parts_by(cells, lambda one: one.phase).items())
            ),
        ]
    return FigureMatrix(
        f"wording-{place.value}",
        _TITLES[place],
        "Phase",
        WORDING,
        tuple(rows),
        "Of the turns that people decided in calls that were searched. First three: of rows that "
        "the rules left open. One row of ten shows its candidates only once it is decided.",
    )


def _cells(cells: Sequence[WordingCell]) -> tuple[FigureLine, ...]:
    return tuple(
        share_line(name, share) for name, share in zip(WORDING, wording_figures(cells), strict=True)
    )
