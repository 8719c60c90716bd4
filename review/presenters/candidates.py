"""Candidates by wording in a row's card: the turns to look at first for each item that is open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document
from review.core.cascade.candidates import Candidates
from review.core.decisions import Decision, ItemValue, Span, standing_decisions
from review.core.evaluation import Report
from review.core.transcript import Call
from review.presenters.places import anchor_of
from review.presenters.quotes import Quote
from review.presenters.suggestions import is_kept_back, settled_phases

_MOST_LETTERS = 160


@dataclass(frozen=True, slots=True)
class ItemCandidates:
    """The turns for one item, the nearest first, in the item's and the call's words."""

    item: str
    text: str
    turns: tuple[Quote, ...]


def still_open(
    found: Iterable[Candidates], report: Report, decisions: Sequence[Decision]
) -> tuple[Candidates, ...]:
    """Return the candidates of items that nothing shows and nobody has decided, of rows that are
    owed and neither finished nor decided as they stand.
    """
    items = {
        (one.phase, one.value.item)
        for one in standing_decisions(decisions)
        if isinstance(one.value, ItemValue | Span)
    }
    closed = settled_phases(decisions) | {
        row.phase for row in report.rows if row.required is False or isinstance(row.finish, int)
    }
    shown = {(row.phase, item.id) for row in report.rows for item in row.items if item.met}
    return tuple(
        one
        for one in found
        if one.phase not in closed and (one.phase, one.item) not in items | shown
    )


def show_candidates(
    found: Iterable[Candidates],
    document: Document,
    call: Call,
    call_id: str,
    settled: frozenset[str],
) -> dict[str, tuple[ItemCandidates, ...]]:
    """Draw candidates by phase, in the words that the reader sees; of one row in ten none until it
    is `settled`, so that what they are worth can be measured on rows decided without them.
    """
    said = {turn.number: turn.text for turn in call.turns}
    shown: dict[str, list[ItemCandidates]] = defaultdict(list)
    for one in found:
        if is_kept_back(call_id, one.phase, settled):
            continue
        texts = {item.id: item.text for item in document.phase(one.phase).accept}
        turns = tuple(_quote(turn, said[turn]) for turn in one.turns if turn in said)
        shown[one.phase].append(ItemCandidates(one.item, texts.get(one.item, one.item), turns))
    return {phase: tuple(items) for phase, items in shown.items()}


def _quote(turn: int, said: str) -> Quote:
    return Quote(turn, anchor_of(turn), _begin(said), "", "wording")


def _begin(said: str) -> str:
    """Return the beginning of a long turn, up to a word's end.

    >>> _begin("word " * 50)[-11:]
    'word word …'
    """
    if len(said) <= _MOST_LETTERS:
        return said
    return f"{said[:_MOST_LETTERS].rpartition(' ')[0]} …"
