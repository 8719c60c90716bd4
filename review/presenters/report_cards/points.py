"""Starts and finishes by phase, anchor, rule and engine, and the anchors that got worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.core.report_card import Cell, Drop, Place, point_figures
from review.presenters.figure_tables import (
    FigureLine,
    FigureMatrix,
    MatrixRow,
    say_share,
    share_line,
    time_line,
)
from review.presenters.report_cards.parts import parts_by, rows_of
from review.presenters.report_cards.rows import VERDICTS, verdict_cells

POINTS = ("Precision", "Recall", "Within one turn", "Boundary error")
_WORDS = {Place.START: "Starts", Place.FINISH: "Finishes"}
_SOURCES = {
    Place.START: ("Starts by anchor", "Anchor"),
    Place.FINISH: ("Finishes by rule", "Rule"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A matcher of the catalog in words: its path, and the sort of matcher it is."""

    words: str
    note: str


def phase_points(cells: Sequence[Cell], place: Place) -> FigureMatrix:
    """Return how often starts or finishes were proposed at the right turn, by phase."""
    word = _WORDS[place]
    return FigureMatrix(
        f"{place.value}-phases",
        f"{word} by phase",
        "Phase",
        POINTS,
        rows_of(
            parts_by(cells, lambda one: one.phase),
            cells,
            lambda part: _point_cells(part, place, None),
        ),
        "The right turn is the one that people decided. Boundary error: the median of turns "
        "between proposal and decision.",
    )


def source_points(cells: Sequence[Cell], place: Place, named: Mapping[str, Named]) -> FigureMatrix:
    """Return the same by the anchor that gave the start, or the rule that gave the finish."""
    title, what = _SOURCES[place]
    rows = []
    for phase, part in sorted(parts_by(cells, lambda one: one.phase).items()):
        for source in sorted({one.at(place).source for one in part} - {""}):
            known = named.get(source, Named(source, "a matcher that the catalog has no more"))
            figures = _point_cells(part, place, source)
            rows.append(MatrixRow(known.words, figures, f"{phase}, {known.note}"))
    return FigureMatrix(
        f"{place.value}-sources",
        title,
        what,
        POINTS,
        tuple(rows),
        "Recall of one is its share in all the turns that people decided in its phase.",
    )


def model_tables(cells: Sequence[Cell]) -> tuple[FigureMatrix, ...]:
    """Return the figures of each engine that proposed rows: points, then verdicts."""
    parts = parts_by(cells, lambda one: one.model)
    points = [
        MatrixRow(f"{model}: {_WORDS[place].lower()}", _point_cells(part, place, None))
        for model, part in sorted(parts.items())
        for place in Place
    ]
    verdicts = [MatrixRow(model, verdict_cells(part)) for model, part in sorted(parts.items())]
    return (
        FigureMatrix("models", "Turns by engine", "Engine", POINTS, tuple(points)),
        FigureMatrix("model-verdicts", "Verdicts by engine", "Engine", VERDICTS, tuple(verdicts)),
    )


def drop_table(
    drops: Mapping[str, Drop], named: Mapping[str, Named], against: str, number: int
) -> FigureMatrix:
    """Return the anchors whose precision fell against something, the sure ones first."""
    rows = tuple(
        MatrixRow(
            named[key].words if key in named else key,
            (
                share_line("Before", one.before),
                share_line("Now", one.now),
                _difference(one),
            ),
            "" if one.is_sure else "may be chance: the interval holds no change as well",
        )
        for key, one in drops.items()
    )
    return FigureMatrix(
        f"drops-{number}",
        f"Anchors whose precision fell against {against}",
        "Anchor",
        ("Before", "Now", "Difference"),
        rows,
    )


def _point_cells(cells: Sequence[Cell], place: Place, source: str | None) -> tuple[FigureLine, ...]:
    found = point_figures(cells, place, source=source)
    shares = zip(POINTS, (found.precision, found.recall, found.near), strict=False)
    error = time_line(POINTS[3], found.error, found.error.high or 1, _say_turns)
    return (*(share_line(name, share) for name, share in shares), error)


def _difference(drop: Drop) -> FigureLine:
    value, low, high = drop.difference
    return FigureLine(
        "Difference",
        _points(value),
        f"{_points(low)} to {_points(high)}",
        f"{drop.before.n:,} and {drop.now.n:,}",
        drop.before.is_few or drop.now.is_few,
        None,
    )


def _points(share: float) -> str:
    """Write a difference of shares in points of percent.

    >>> _points(-0.123), _points(0.05)
    ('\N{MINUS SIGN}12.3 points', '+5 points')
    """
    sign = "+" if share > 0 else "\N{MINUS SIGN}" if share < 0 else ""
    return f"{sign}{say_share(abs(share)).removesuffix(' %')} points"


def _say_turns(turns: float) -> str:
    written = f"{turns:.1f}".removesuffix(".0")
    return f"{written} turn{'' if written == '1' else 's'}"
