"""What language models suggest for a row: marked as theirs, closed until the reader opens it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from catalogs.core.document import Document
from review.core.cascade.adjudication import (
    Flagged,
    flag_of,
    is_shown_blind,
    say_reason,
)
from review.core.decisions import Standing
from review.core.evaluation import EvidenceReport
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
    """A place that is proposed for one acceptance item, in the item's and the call's words."""

    item: str
    quote: Quote


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """What came of asking about a row; without places where a model proposes none."""

    title: str
    sentence: str
    places: tuple[Place, ...]


def show_suggestions(
    suggested: Mapping[str, SuggestionLine],
    marks: Mapping[str, RowMark],
    document: Document,
    call: Call,
    call_id: str,
) -> dict[str, ShownSuggestion]:
    """Draw what models suggest, by phase; of one row in ten only once somebody has decided it, so
    that agreement can be measured without them.
    """
    quotes = Quotes(call)
    return {
        phase: _show(phase, line, document, quotes)
        for phase, line in suggested.items()
        if not is_kept_back(marks.get(phase), call_id, phase)
    }


def is_kept_back(mark: RowMark | None, call_id: str, phase: str) -> bool:
    """Say whether a row is read without what models say, until somebody has decided it."""
    is_undecided = mark is None or mark.standing == Standing.PROPOSED.value
    return is_undecided and is_shown_blind(call_id, phase)


def _show(phase: str, line: SuggestionLine, document: Document, quotes: Quotes) -> ShownSuggestion:
    texts = {item.id: item.text for item in document.phase(phase).accept}
    sentence = say_reason(line.reason, line.asked.replace(",", " and "))
    places = tuple(
        Place(
            texts.get(one.item, one.item),
            quotes.quote(EvidenceReport(one.item, one.turn, one.start, one.end, "model")),
        )
        for one in line.places
    )
    return ShownSuggestion(_TITLES[flag_of(line.reason)], sentence, places)
