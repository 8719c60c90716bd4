"""From what a browser has selected to a span of a turn: UTF-16 offsets become code points.

A browser counts UTF-16 units of the text as its HTML parser left it: there a carriage return, alone
or before a line feed, is one line feed. Stored texts keep theirs, so both are counted at once.
"""

from __future__ import annotations

import regex

_UNIT = regex.compile(r"\X")
_WIDE = 0xFFFF


def span_of_selection(text: str, start: int, end: int, words: str) -> tuple[int, int]:
    """Return the span [start, end) in code points of the selected [start, end) in UTF-16 units.

    It is widened to whole characters as people see them: an emoji with its parts, a letter with its
    marks (Unicode TR29). `words` are what the browser says is selected. Raises ValueError with both
    texts where they differ, and for a selection that is empty or lies outside of the text.
    """
    places = _places(text)
    if not 0 <= start < end <= len(places) - 1:
        raise ValueError(
            f"The selection {start}-{end} does not lie inside the turn. Select its words again."
        )
    first, last = places[start], places[end]
    found = text[first:last]
    if _as_parsed(found).strip() != _as_parsed(words).strip():
        raise ValueError(
            f"The turn has “{found}” there, but “{words}” was selected. Select the words again."
        )
    return _whole_characters(text, *_without_margins(text, first, last))


def selection_of_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span [start, end) in code points as a browser would have it selected: the inverse of
    `span_of_selection`. Raises ValueError for a span outside of the text.

    >>> selection_of_span("\U0001f600 is active", 2, 11)
    (3, 12)
    """
    places = _places(text)
    return places.index(start), places.index(end)


def _places(text: str) -> list[int]:
    """Return for each UTF-16 offset of the parsed text the code point that it lies in or before."""
    places: list[int] = []
    for position, char in enumerate(text):
        if char == "\n" and position and text[position - 1] == "\r":
            continue
        places += [position] * (2 if ord(char) > _WIDE else 1)
    return [*places, len(text)]


def _as_parsed(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without_margins(text: str, first: int, last: int) -> tuple[int, int]:
    """Leave out white space at both ends: a hand takes more than it means."""
    found = text[first:last]
    if not found.strip():
        raise ValueError("Nothing but space is selected. Select the words.")
    return first + len(found) - len(found.lstrip()), last - len(found) + len(found.rstrip())


def _whole_characters(text: str, first: int, last: int) -> tuple[int, int]:
    touched = [
        unit.span() for unit in _UNIT.finditer(text) if unit.end() > first and unit.start() < last
    ]
    return touched[0][0], touched[-1][1]
