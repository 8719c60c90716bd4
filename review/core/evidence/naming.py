"""Which element of a list attribute a turn speaks of: the one it names, else the one named last
before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from review.core.transcript import Call, ListItem

#: Stands between two turns where all are searched as one text: no file may hold it.
_BETWEEN = "\0"


@dataclass(frozen=True, slots=True)
class Naming:
    """By the position of a turn that names any item: the mentions as (offset, item id), in order.
    For each position: the item last named up to the end of that turn.
    """

    items: tuple[ListItem, ...]
    mentions: Mapping[int, Sequence[tuple[int, str]]]
    carried: tuple[str | None, ...]

    @property
    def several(self) -> frozenset[int]:
        """The positions of turns that name more than one item: there each match is told apart."""
        return frozenset(
            position
            for position, mentions in self.mentions.items()
            if len(mentions) > 1 and len({item for _, item in mentions}) > 1
        )

    def at(self, position: int, end: int) -> str | None:
        """Return the item that a match ending at code point `end` of a turn speaks of, or None
        before any is named.
        """
        mentions = self.mentions.get(position)
        if mentions is None:
            return self.carried[position]
        before = [item for offset, item in mentions if offset < end]
        return before[-1] if before else mentions[0][1]

    def of_arguments(self, values: Sequence[object]) -> str | None:
        """Return the item whose id or name is among an event's argument values, or None."""
        spoken = {value.casefold() for value in values if isinstance(value, str)}
        for item in self.items:
            if item.id.casefold() in spoken or any(
                name.casefold() in spoken for name in item.names
            ):
                return item.id
        return None


def name_items(call: Call, items: tuple[ListItem, ...]) -> Naming:
    """Read a call once for the names of a list's elements (design 1.3, 6)."""
    mentions = _mentions([turn.text.lower() for turn in call.turns], items) if items else {}
    carried: list[str | None] = []
    current: str | None = None
    for position in sorted(mentions):
        carried += [current] * (position - len(carried))
        current = mentions[position][-1][1]
    carried += [current] * (len(call.turns) - len(carried))
    return Naming(items, mentions, tuple(carried))


def _mentions(
    lowered: list[str], items: tuple[ListItem, ...]
) -> Mapping[int, Sequence[tuple[int, str]]]:
    """Find the names in one text of all turns, each found turn by its place there."""
    found: dict[int, list[tuple[int, str]]] = {}
    whole = _BETWEEN.join(lowered)
    begins = list(accumulate([len(text) + 1 for text in lowered], initial=0))
    names = [(name.lower(), item.id) for item in items for name in item.names if name]
    for name, item in names:
        for place in _places(whole, name):
            position = bisect_right(begins, place) - 1
            found.setdefault(position, []).append((place - begins[position], item))
    for mentions in found.values():
        mentions.sort()
    return found


def _places(text: str, name: str) -> list[int]:
    places: list[int] = []
    at = text.find(name)
    while at >= 0:
        if not _inside_word(text, at, at + len(name)):
            places.append(at)
        at = text.find(name, at + len(name))
    return places


def _inside_word(text: str, start: int, end: int) -> bool:
    return (start > 0 and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
