"""What a decision changes on a page that is open: only that is sent, so nothing typed is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from review.presenters.call_page import CallPage, Evaluated
from review.presenters.rows import PhaseRow
from review.presenters.transcript import TurnLine


@dataclass(frozen=True, slots=True)
class Answer:
    """The turns and cards that look otherwise than before, whether facts, edges and figures do, and
    what is said of it aloud.
    """

    lines: tuple[TurnLine, ...]
    cards: tuple[PhaseRow, ...]
    asides: bool
    said: str


def show_answer(before: CallPage, after: CallPage, selected: str, said: str) -> Answer:
    """Compare two drawings of one call; the card of the `selected` row is always sent."""
    was = {line.number: line for line in before.transcript.lines}
    cards = {row.phase: _closed(row) for row in _rows(before.evaluated)}
    return Answer(
        lines=tuple(line for line in after.transcript.lines if was.get(line.number) != line),
        cards=tuple(
            row
            for row in _rows(after.evaluated)
            if row.phase == selected or cards.get(row.phase) != _closed(row)
        ),
        asides=_asides(before.evaluated) != _asides(after.evaluated),
        said=said,
    )


def say_saved(page: CallPage, name: str, number: int) -> str:
    """Say what was stored, and how the call stands with it, in one breath."""
    if page.evaluated is None:
        return f"{name} saved, decision {number}."
    row = next((one for one in page.evaluated.rows if one.phase == name), None)
    what = "" if row is None else f": {row.verdict.word}, {row.start.text} to {row.finish.text}"
    tiles = ", ".join(f"{one.name} {one.mark.word}" for one in page.evaluated.banner.tiles)
    return f"{name} saved, decision {number}{what}. {tiles}. {page.evaluated.progress}."


def _rows(evaluated: Evaluated | None) -> tuple[PhaseRow, ...]:
    return () if evaluated is None else evaluated.rows


def _closed(row: PhaseRow) -> PhaseRow:
    return replace(row, open=False)


def _asides(evaluated: Evaluated | None) -> tuple[object, ...]:
    if evaluated is None:
        return ()
    return evaluated.facts, evaluated.edges, evaluated.advice, evaluated.figures
