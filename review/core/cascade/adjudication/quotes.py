"""Where a quote stands in a turn: an exact slice, or a single one that differs in case and
punctuation only. Offsets are code points of the turn's own text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import regex

_CLUSTER = regex.compile(r"\X")
_FEWEST_WORDS = 2


class Slice(NamedTuple):
    """Code points [start, end) of a turn; `repaired` where the quote was not exactly these."""

    start: int
    end: int
    repaired: bool = False


def find_quote(quote: str, text: str) -> Slice | None:
    """Return where a quote stands; None where it does not, or says too little to be evidence.

    Compared in NFC with runs of space as one. It may not begin or end inside a word: "I can" is not
    in "I cannot".

    >>> find_quote("is active", "Coverage  is\\nactive.")
    Slice(start=10, end=19, repaired=False)
    >>> find_quote("IS ACTIVE!", "Coverage is active.")
    Slice(start=9, end=18, repaired=True)
    >>> find_quote("I can", "I cannot") is None
    True
    """
    if not _says_enough(quote):
        return None
    exact = _hits(quote, text, lambda char: char)
    if exact:
        return exact[0]
    near = _hits(quote, text, _plain)
    return near[0]._replace(repaired=True) if len(near) == 1 else None


def _says_enough(quote: str) -> bool:
    words = [word for word in quote.split() if any(char.isalnum() for char in word)]
    return len(words) >= _FEWEST_WORDS or any(
        any(char.isdigit() for char in word) for word in words
    )


def _plain(char: str) -> str:
    return "".join(one for one in char.casefold() if one.isalnum() or one == " ")


def _hits(quote: str, text: str, kept: Callable[[str], str]) -> list[Slice]:
    wanted, _ = _folded(quote, kept)
    said, places = _folded(text, kept)
    if not wanted:
        return []
    found, at = [], said.find(wanted)
    while at >= 0:
        start, end = places[at][0], places[at + len(wanted) - 1][1]
        if not _splits_a_word(said, at, at + len(wanted)):
            found.append(Slice(start, end))
        at = said.find(wanted, at + 1)
    return found


def _splits_a_word(said: str, start: int, end: int) -> bool:
    before = start > 0 and said[start - 1].isalnum() and said[start].isalnum()
    after = end < len(said) and said[end].isalnum() and said[end - 1].isalnum()
    return before or after


def _folded(text: str, kept: Callable[[str], str]) -> tuple[str, list[tuple[int, int]]]:
    """Return a text as it is compared, and of each of its characters the code points it is of."""
    chars: list[str] = []
    places: list[tuple[int, int]] = []
    for match in _CLUSTER.finditer(text):
        unit = " " if match.group().isspace() else unicodedata.normalize("NFC", match.group())
        for char in kept(unit):
            if char == " " and (not chars or chars[-1] == " "):
                continue
            chars.append(char)
            places.append(match.span())
    while chars and chars[-1] == " ":
        chars.pop()
        places.pop()
    return "".join(chars), places
