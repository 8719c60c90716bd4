"""Words of a call beside the turn they were said on: cut from the stored text when shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from review.core.evaluation import EvidenceReport
from review.core.evidence.spans import whole_words
from review.core.masking import is_masked
from review.core.transcript import Call
from review.presenters.places import anchor_of


@dataclass(frozen=True, slots=True)
class Quote:
    """Evidence in words, or the event that shows it. `source` is the matcher's path."""

    turn: int
    anchor: str
    text: str
    event: str
    source: str

    @property
    def is_masked(self) -> bool:
        """Whether an identifier in it is masked."""
        return is_masked(self.text)


class Quotes:
    """Cuts quotes out of one call."""

    def __init__(self, call: Call) -> None:
        """Index the turns and events by what evidence names them by."""
        self._texts = {turn.number: turn.text for turn in call.turns}
        self._events = {event.id: event.name for event in call.events}

    @property
    def turns(self) -> frozenset[int]:
        """The numbers of all turns."""
        return frozenset(self._texts)

    def quote(self, piece: EvidenceReport) -> Quote:
        """Return one piece of evidence in words."""
        event = self._events.get(piece.event, piece.event) if piece.event else ""
        said = self._texts.get(piece.turn, "")
        first, last = whole_words(said, piece.start, piece.end)
        text = "" if piece.event else said[first:last]
        return Quote(piece.turn, anchor_of(piece.turn), text, event, piece.source)

    def quotes(self, pieces: Iterable[EvidenceReport]) -> tuple[Quote, ...]:
        """Return several pieces of evidence in words."""
        return tuple(self.quote(piece) for piece in pieces)
