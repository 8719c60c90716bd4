"""Flags of a row: a chip in two or three words and the sentence that says why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from review.core.evaluation import FlagReport
from review.presenters.places import Piece, linked

_WORDS = {
    "ORDER_VIOLATION": "Order violated",
    "ORDER_UNCERTAIN": "Order open",
    "CONTRADICTED": "Contradicted",
    "SAFETY_CRITICAL": "Safety-critical",
    "SAME_TURN": "Same turn",
    "AMBIGUOUS_START": "Start ambiguous",
    "NO_FINISH": "No finish found",
    "PARTIAL": "Items open",
    "UNACKNOWLEDGED": "Not acknowledged",
    "UNKNOWN_FACT": "Fact open",
    "UNKNOWN_ROLE": "Speaker without role",
    "ADJUDICATOR_ABSTAINED": "Model cannot tell",
    "ADJUDICATED": "Model proposed",
    "QUOTE_MISMATCH": "Quote differs",
    "POSSIBLE_INJECTION": "Possible injection",
    "NOVEL": "New wording",
}
#: At stake is the order itself: red. Everything else asks for attention: amber.
_ORDER = frozenset({"ORDER_VIOLATION"})


@dataclass(frozen=True, slots=True)
class Flag:
    """One reason to look at a row."""

    words: str
    tone: str
    pieces: tuple[Piece, ...]


def show_flags(flags: Sequence[FlagReport], turns: Collection[int]) -> tuple[Flag, ...]:
    """Write a row's flags, the gravest first, as they come."""
    return tuple(
        Flag(
            words=flag_words(flag.code),
            tone="fail" if flag.code in _ORDER else "unknown",
            pieces=linked(flag.text, turns),
        )
        for flag in flags
    )


def flag_words(code: str) -> str:
    """Return a flag's chip in words."""
    return _WORDS.get(code, code.replace("_", " ").capitalize())


def chips(flags: Sequence[Flag]) -> tuple[Flag, ...]:
    """Return one flag per chip: the same words are not repeated on a row's line."""
    return tuple({flag.words: flag for flag in reversed(flags)}.values())[::-1]
