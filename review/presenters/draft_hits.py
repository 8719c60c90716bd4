"""Where the rules of a phase hit on the calls that an author has chosen: `turn N of call X`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document, Phase
from review.core.rehearsal.hits import hits_in
from review.core.transcript import Call


@dataclass(frozen=True, slots=True)
class TriedCall:
    """A call that a draft is tried on. `shows_words` only of a case that comes with the product;
    `opens` where the person may open the call.
    """

    name: str
    words: str
    call: Call
    shows_words: bool
    opens: bool = False


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn that a matcher hits; `text` is empty where words are not shown."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ShownHits:
    """One matcher on one call."""

    matcher: str
    turns: tuple[ShownTurn, ...]


@dataclass(frozen=True, slots=True)
class HitsOnCall:
    """One call with every matcher of the phase."""

    name: str
    words: str
    opens: bool
    matchers: tuple[ShownHits, ...]


def show_hits(
    document: Document, phase_id: str, tried: Sequence[TriedCall]
) -> tuple[HitsOnCall, ...]:
    """Run the rules of a phase over calls; nothing for a phase that the text does not have."""
    phase = next((one for one in document.phases if one.id == phase_id), None)
    return () if phase is None else tuple(_on_call(document, phase, one) for one in tried)


def _on_call(document: Document, phase: Phase, tried: TriedCall) -> HitsOnCall:
    texts = {turn.number: turn.text for turn in tried.call.turns} if tried.shows_words else {}
    return HitsOnCall(
        tried.name,
        tried.words,
        tried.opens,
        tuple(
            ShownHits(_named(one.item, one.position), _turns(one.turns, texts))
            for one in hits_in(document, phase, tried.call)
        ),
    )


def _turns(numbers: Sequence[int], texts: Mapping[int, str]) -> tuple[ShownTurn, ...]:
    return tuple(ShownTurn(number, texts.get(number, "")) for number in numbers)


def _named(item: str, position: int) -> str:
    return f"item {item}, pattern {position}" if item else f"what starts it, pattern {position}"
