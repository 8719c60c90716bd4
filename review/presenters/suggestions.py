"""What language models suggest for a row: marked as theirs, closed until the reader opens it.

Until its phase is promoted it is shown only when the row was settled (guard rules 16 and 17).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from review.core.decisions import Decision, Kind, Standing, standing_decisions
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
    settled: frozenset[str],
) -> dict[str, ShownSuggestion]:
    """Draw what models suggest, by phase: on rows that nobody has `settled` only where the phase is
    promoted, and there not on one row in ten, so that agreement can be measured without them.

    That words near a row read like an instruction is no proposal: it is always said.
    """
    quotes = Quotes(call)
    texts = {turn.number: turn.text for turn in call.turns}
    shown = {}
    for phase, line in suggested.items():
        is_shown = line.is_promoted and not is_kept_back(call_id, phase, settled)
        if phase not in settled and not is_shown and line.reason is not Reason.INJECTION:
            continue
        drawn = _show(phase, line, document, quotes, texts)
        may_be_taken = _is_undecided(marks.get(phase)) and bool(drawn.places)
        shown[phase] = replace(drawn, may_be_taken=may_be_taken)
    return shown


#: Who has decided one of these has decided the row. A start, an item or a doubt is on the way
#: there: what follows would be decided with the proposal in view, and count as decided without.
_OF_THE_ROW: Final = frozenset({Kind.CONFIRM, Kind.SET_VERDICT, Kind.SET_FINISH})


def settled_phases(decisions: Sequence[Decision]) -> frozenset[str]:
    """Return the phases whose row somebody has confirmed, failed, passed or finished."""
    standing = standing_decisions(decisions)
    return frozenset(one.phase for one in standing if one.phase and one.kind in _OF_THE_ROW)


def is_kept_back(call_id: str, phase: str, settled: frozenset[str]) -> bool:
    """Say whether a row is read without what models say, until somebody has settled it."""
    return phase not in settled and is_shown_blind(call_id, phase)


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
