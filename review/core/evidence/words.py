"""The pass over the words of a call: which patterns occur in which turn, and where.

This is the hot loop of the product: per turn one set match, and one search per pattern found.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from review.core.evidence.patterns import PatternTable
from review.core.evidence.spans import nfc_map, widen
from review.core.transcript import Call, Turn, TurnKind

#: Turns whose words nobody said. (A tuple: an enum member is slow to hash.)
SILENT = (TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT, TurnKind.HOLD)
_SPEECH = TurnKind.SPEECH

Span = tuple[int, int]


class Words(NamedTuple):
    """What was found: by pattern number the places (position of the turn, span in code points), by
    position the numbers of all patterns in that turn, and the turns whose text is not NFC.
    """

    places: defaultdict[int, list[tuple[int, Span]]]
    numbers: dict[int, list[int]]
    not_nfc: list[int]


class Hearing:
    """What was found in the turns of a running call so far; each turn is read once for all."""

    __slots__ = ("_heard", "_words")

    def __init__(self) -> None:
        """Begin before anybody has spoken."""
        self._words = Words(defaultdict(list), {}, [])
        self._heard = 0

    def read(self, call: Call, table: PatternTable, several: frozenset[int]) -> Words:
        """Read the turns that came since, as `read_words` does, and return what is in all."""
        first, self._heard = self._heard, len(call.turns)
        return read_words(call, table, several, self._words, first)


def read_words(
    call: Call,
    table: PatternTable,
    several: frozenset[int],
    words: Words | None = None,
    first: int = 0,
) -> Words:
    """Read every turn once. At the positions in `several` (turns that name more than one item)
    each match of a pattern counts; elsewhere the first.

    `words` is what was found before position `first`; it is added to.
    """
    words = words or Words(defaultdict(list), {}, [])
    places, numbers, _ = words
    read_by, matching, first_spans = table.read_by, table.matching, table.first_spans
    turns = call.turns if first == 0 else call.turns[first:]
    for position, turn in enumerate(turns, first):
        wanted = read_by.get(turn.role)
        if wanted is None or (turn.kind is not _SPEECH and turn.kind in SILENT):
            continue
        text = turn.text
        if not text.isascii() or position in several:
            _read_closely(words, turn, position, table, every=position in several)
            continue
        # Plain ASCII needs no map of offsets: most turns are read here and now.
        encoded = text.encode()
        found = matching(encoded)
        if found:
            numbers[position] = found
            for number in found:
                if number in wanted:
                    places[number].append((position, first_spans[number](encoded)))
    return words


def _read_closely(
    words: Words, turn: Turn, position: int, table: PatternTable, *, every: bool
) -> None:
    """Read a turn whose offsets must be mapped back, or of which every match counts."""
    closely = SearchedText(turn.text)
    if closely.offsets is not None:
        words.not_nfc.append(turn.number)
    found = table.matching(closely.encoded)
    if not found:
        return
    words.numbers[position] = found
    for number in table.read_by[turn.role].intersection(found):
        spans = closely.spans(table.singles[number], every=every)
        words.places[number] += [(position, span) for span in spans]


class SearchedText:
    """A turn's text as RE2 reads it: the NFC copy in UTF-8, and the way back to offsets of the
    stored text.
    """

    __slots__ = ("_copy", "_plain", "encoded", "offsets")

    def __init__(self, text: str) -> None:
        """Encode a text once; only a text that is not NFC gets a map of offsets."""
        self.offsets: list[int] | None = None
        self._plain = text.isascii()
        self._copy = text
        if not self._plain and not unicodedata.is_normalized("NFC", text):
            self._copy, self.offsets = nfc_map(text)
        self.encoded = self._copy.encode("utf-8")

    def spans(self, pattern: Any, *, every: bool) -> list[Span]:
        """Return the first span, or every one, in code points of the stored text."""
        if every:
            return [self._to_stored(*match.span()) for match in self._all(pattern)]
        match = pattern.search(self.encoded)
        if match is None:
            return []
        return [match.span() if self._plain else self._to_stored(*match.span())]

    def values(self, pattern: Any) -> list[Span]:
        """Return the first group of every match, in code points of the stored text."""
        return [self._to_stored(*match.span(1)) for match in self._all(pattern)]

    def captured(self, pattern: Any, span: Span) -> str | None:
        """Return the group named value of the match that lies at a span of the stored text."""
        for match in self._all(pattern):
            if self._to_stored(*match.span()) == span:
                value = match.group(b"value")
                return value.decode("utf-8") if value else None
        return None

    def _all(self, pattern: Any) -> Iterator[Any]:
        return iter(pattern.finditer(self.encoded))

    def _to_stored(self, start: int, end: int) -> Span:
        if not self._plain:
            start = len(self.encoded[:start].decode("utf-8"))
            end = len(self.encoded[:end].decode("utf-8"))
        return (start, end) if self.offsets is None else widen(self.offsets, start, end)
