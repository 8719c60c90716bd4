"""What a decision changes on a page that is open: only that is sent, so nothing typed is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from review.presenters.call_page import CallPage, Evaluated
from review.presenters.rows import PhaseRow
from review.presenters.transcript import TurnLine


@dataclass(frozen=True, slots=True)
class Answer:
    """The turns and cards to send, whether rows and counts, banner, picture, and facts with edges
    and figures are sent, and what is said of it aloud.
    """

    said: str
    cards: tuple[PhaseRow, ...]
    lines: tuple[TurnLine, ...] = ()
    rows: bool = True
    banner: bool = False
    picture: bool = False
    asides: bool = False


def show_answer(after: CallPage, selected: str, said: str) -> Answer:
    """Answer a decision that changes no value: its card, the rows and the counts."""
    return Answer(said, _cards(after, selected))


def show_changes(before: CallPage, after: CallPage, selected: str, said: str) -> Answer:
    """Answer any other: what two drawings of one call have otherwise, and the card it is on."""
    was, now = before.evaluated, after.evaluated
    if was is None or now is None:
        return show_anew(after, selected, said)
    lines = {line.number: line for line in before.transcript.lines}
    cards = {row.phase: _closed(row) for row in was.rows}
    return Answer(
        said,
        tuple(
            row for row in now.rows if row.phase == selected or cards.get(row.phase) != _closed(row)
        ),
        tuple(line for line in after.transcript.lines if lines.get(line.number) != line),
        banner=was.banner != now.banner,
        picture=was.picture != now.picture,
        asides=_asides(was) != _asides(now),
    )


def show_anew(after: CallPage, selected: str, said: str) -> Answer:
    """Answer a conflict: the page is another than the one that was sent from."""
    return Answer(said, _cards(after, selected), banner=True, picture=True, asides=True)


def show_refusal(after: CallPage, selected: str, said: str) -> Answer:
    """Answer a form that is refused: its card alone, with what was typed."""
    return Answer(said, _cards(after, selected), rows=False)


def _cards(page: CallPage, selected: str) -> tuple[PhaseRow, ...]:
    rows = () if page.evaluated is None else page.evaluated.rows
    return tuple(row for row in rows if row.phase == selected)


def say_saved(page: CallPage, name: str, number: int) -> str:
    """Say what was stored, and how the call stands with it, in one breath."""
    if page.evaluated is None:
        return f"{name} saved, decision {number}."
    row = next((one for one in page.evaluated.rows if one.phase == name), None)
    what = "" if row is None else f": {row.verdict.word}, {row.start.text} to {row.finish.text}"
    tiles = ", ".join(f"{one.name} {one.mark.word}" for one in page.evaluated.banner.tiles)
    return f"{name} saved, decision {number}{what}. {tiles}. {page.evaluated.progress}."


def _closed(row: PhaseRow) -> PhaseRow:
    return replace(row, open=False)


def _asides(evaluated: Evaluated) -> tuple[object, ...]:
    return evaluated.facts, evaluated.edges, evaluated.advice, evaluated.figures
