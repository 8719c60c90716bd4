"""What language models suggest for a row: marked as theirs, closed until the reader opens it.

Until its phase is promoted it is shown only when the row was decided (guard rules 16 and 17).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from catalogs.core.document import Document
from review.core.cascade.adjudication import (
    Flagged,
    Reason,
    flag_of,
    is_shown_blind,
    say_reason,
)
from review.core.decisions import Standing
from review.core.evaluation import EvidenceReport
from review.core.evidence.selection import selection_of_span
from review.core.transcript import Call
from review.presenters.quotes import Quote, Quotes
from review.queries.adjudication import SuggestionLine
from review.queries.calls import RowMark

_TITLES: Final = {
    Flagged.ADJUDICATED: "A model proposes \u2013 look only after your own reading",
    Flagged.ADJUDICATOR_ABSTAINED: "A model proposes nothing",
    Flagged.QUOTE_MISMATCH: "A model quoted what is not there",
    Flagged.POSSIBLE_INJECTION: "Possible injection",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is proposed for one acceptance item, in the item's and the call's words.

    `id` is the item's, `words` are exactly those that are proposed, and `units` where a browser
    would have them selected: taken, it is evidence that a person has set.
    """

    item: str
    quote: Quote
    id: str
    words: str
    units: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """What came of asking about a row; without places where a model proposes none.

    `may_be_taken`: nobody has decided the row, so that one act may make a place its evidence.
    """

    title: str
    sentence: str
    places: tuple[Place, ...]
    may_be_taken: bool = False


def show_suggestions(
    suggested: Mapping[str, SuggestionLine],
    marks: Mapping[str, RowMark],
    document: Document,
    call: Call,
    call_id: str,
) -> dict[str, ShownSuggestion]:
    """Draw what models suggest, by phase: on rows that nobody has decided only where the phase is
    promoted, and there not on one row in ten, so that agreement can be measured without them.

    That words near a row read like an instruction is no proposal: it is always said.
    """
    quotes = Quotes(call)
    texts = {turn.number: turn.text for turn in call.turns}
    shown = {}
    for phase, line in suggested.items():
        is_open = _is_undecided(marks.get(phase))
        is_shown = line.is_promoted and not is_shown_blind(call_id, phase)
        if is_open and not is_shown and line.reason is not Reason.INJECTION:
            continue
        drawn = _show(phase, line, document, quotes, texts)
        shown[phase] = replace(drawn, may_be_taken=is_open and bool(drawn.places))
    return shown


def is_kept_back(mark: RowMark | None, call_id: str, phase: str) -> bool:
    """Say whether a row is read without what models say, until somebody has decided it."""
    return _is_undecided(mark) and is_shown_blind(call_id, phase)


def _is_undecided(mark: RowMark | None) -> bool:
    return mark is None or mark.standing == Standing.PROPOSED.value


def _show(
    phase: str,
    line: SuggestionLine,
    document: Document,
    quotes: Quotes,
    said: Mapping[int, str],
) -> ShownSuggestion:
    texts = {item.id: item.text for item in document.phase(phase).accept}
    sentence = say_reason(line.reason, line.asked.replace(",", " and "))
    places = tuple(
        Place(
            texts.get(one.item, one.item),
            quotes.quote(EvidenceReport(one.item, one.turn, one.start, one.end, "model")),
            one.item,
            said[one.turn][one.start : one.end],
            selection_of_span(said[one.turn], one.start, one.end),
        )
        for one in line.places
    )
    return ShownSuggestion(_TITLES[flag_of(line.reason)], sentence, places)
