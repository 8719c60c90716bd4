"""Figures by part: the cells of each, in a table with the row of everything first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from review.core.report_card import Cell
from review.presenters.figure_tables import FigureLine, MatrixRow

Part = TypeVar("Part")
_WHOLE = "all"


def parts_by(found: Iterable[Part], key: Callable[[Part], str]) -> dict[str, list[Part]]:
    """Return what was found by a key of it."""
    parts: dict[str, list[Part]] = defaultdict(list)
    for one in found:
        parts[key(one)].append(one)
    return parts


def rows_of(
    parts: Mapping[str, Sequence[Cell]],
    every: Sequence[Cell],
    figures: Callable[[Sequence[Cell]], tuple[FigureLine, ...]],
) -> tuple[MatrixRow, ...]:
    """Return a row of everything and one for each part, by name; none of no part."""
    if not parts:
        return ()
    each = (MatrixRow(name, figures(part)) for name, part in sorted(parts.items()))
    return (MatrixRow(_WHOLE, figures(every), whole=True), *each)
