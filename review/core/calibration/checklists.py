"""Double-coded checklists: two people's own lists of one conversation, each item with a mark.

Two lists share an item when they say it in the same words: case, asterisks, white space and the
punctuation around it do not count. What one has and the other has not is rated once only, and is
counted as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

#: What the marks of a list mean, by how they are written.
MARKS = {"c": "critical", "nc": "not critical", "i": "irrelevant"}

_SPACE = re.compile(r"\s+")


class CheckedItem(NamedTuple):
    """An item of a list as it is written, with its mark in words."""

    text: str
    mark: str


def read_items(rows: Iterable[Sequence[object]]) -> tuple[CheckedItem, ...]:
    """Return the items of a list: text in the first column, a mark in the second.

    Headings and rows without a mark that is known are no items.
    """
    found = []
    for row in rows:
        text, mark = (str(cell or "").strip() for cell in (*row, None, None)[:2])
        if text and mark.casefold() in MARKS:
            found.append(CheckedItem(text, MARKS[mark.casefold()]))
    return tuple(found)


def pair_lists(lists: Sequence[Sequence[CheckedItem]]) -> Mapping[str, tuple[str | None, ...]]:
    """Return the marks that every list gives an item, by the item in the words of the first list
    that has it; None where a list has it not. Of an item that a list has twice the first counts.
    """
    names: dict[str, str] = {}
    marks: dict[str, list[str | None]] = {}
    for at, one in enumerate(lists):
        for item in one:
            key = same_words(item.text)
            names.setdefault(key, item.text)
            given = marks.setdefault(key, [None] * len(lists))
            given[at] = given[at] or item.mark
    return {names[key]: tuple(given) for key, given in marks.items()}


def same_words(text: str) -> str:
    """Return an item without what does not count.

    >>> same_words(" **No  blood in stool. ")
    'no blood in stool'
    """
    return _SPACE.sub(" ", text).strip(" *-.,:;?").casefold()
