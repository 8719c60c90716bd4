"""What a model is asked: the open items of one row, over a window of turns, never over the call.

Never asked: a start, a finish, an order, a requirement, a verdict (guard rule 2). A row is asked
about only while it is open, flagged and started by nobody's decision, and only for items that words
can show. A row that is owed per item of a list is left to people.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from catalogs.core.document import Document, Phase
from review.core.cascade.open_items import OpenItem, open_items
from review.core.rows import Row
from review.core.transcript import Call, Turn, TurnKind

#: Turns to each side of an attempt or a candidate, and the most turns of one window.
AROUND: Final = 6
MOST_TURNS: Final = 40
_MOST_CHARACTERS: Final = 16_000


class Question(NamedTuple):
    """The open items of one row, its rubric, and the turns that are shown, masked by the caller.

    `is_critical`: the phase is an end of a critical edge, so two models are asked.
    """

    phase: Phase
    items: tuple[OpenItem, ...]
    turns: tuple[Turn, ...]
    is_critical: bool


def questions_of(
    call: Call,
    document: Document,
    rows: Mapping[str, Row],
    flagged: Collection[str],
    allowed: Collection[str],
) -> tuple[Question, ...]:
    """Return what may be asked of a masked call, in the order of the catalog.

    `flagged` are the phases that a person must look at, `allowed` those that the site names.
    """
    critical = _critical_ends(document)
    found = []
    for phase in document.phases:
        row = rows.get(phase.id)
        if row is None or phase.id not in allowed or phase.id not in flagged:
            continue
        items = open_items(phase, row)
        turns = _window(call, document, rows, row) if items else ()
        if turns:
            found.append(Question(phase, items, turns, phase.id in critical))
    return tuple(found)


def models_for(document: Document, phase: str, models: Sequence[str]) -> tuple[str, ...]:
    """Return who is asked about a phase: the first model, or all where it is at a critical edge."""
    return tuple(models) if phase in _critical_ends(document) else tuple(models[:1])


def _critical_ends(document: Document) -> frozenset[str]:
    children = {phase.id for phase in document.phases if phase.critical}
    parents = {edge.parent for phase in document.phases for edge in phase.critical}
    return frozenset(children | parents)


def _window(call: Call, document: Document, rows: Mapping[str, Row], row: Row) -> tuple[Turn, ...]:
    spoken = [turn for turn in call.turns if turn.kind is TurnKind.SPEECH and turn.text.strip()]
    near = {attempt.turn for attempt in row.attempts}
    near |= {piece.turn for state in row.items for piece in state.candidates}
    if isinstance(row.start, int):
        near.add(row.start)
    if near:
        shown = [turn for turn in spoken if any(abs(turn.number - at) <= AROUND for at in near)]
    else:
        first, last = _between(document, rows, row.phase)
        shown = [turn for turn in spoken if first <= turn.number <= last]
    return _capped(shown)


def _between(document: Document, rows: Mapping[str, Row], phase: str) -> tuple[float, float]:
    """Return the turns between what the catalog has before this phase and what it has after it."""
    ids = [one.id for one in document.phases]
    at = ids.index(phase)
    before = [rows[one].start for one in ids[:at] if one in rows]
    after = [rows[one].start for one in ids[at + 1 :] if one in rows]
    first = max([turn for turn in before if isinstance(turn, int)], default=float("-inf"))
    later = [turn for turn in after if isinstance(turn, int) and turn >= first]
    return first, min(later, default=float("inf"))


def _capped(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    kept: list[Turn] = []
    room = _MOST_CHARACTERS
    for turn in turns[:MOST_TURNS]:
        room -= len(turn.text)
        if room < 0:
            break
        kept.append(turn)
    return tuple(kept)
