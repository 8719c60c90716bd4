"""A call without the identifiers in it: as many code points as before, so that every offset holds.

What people see as one character becomes one block; of a character of several code points (a letter
with its marks, an emoji) the others become grapheme joiners, which have no width. Space stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TypeVar

import regex

from review.core.masking.finding import Finder, Heard, hear
from review.core.masking.kinds import Identifier
from review.core.masking.known import (
    is_personal,
    name_in_label,
    names_of_speakers,
    personal_texts,
)
from review.core.transcript import Attribute, Call, Event, ListItem, Speaker, Turn

Plain = TypeVar("Plain")
MASK = "█"
_JOINER = "\u034f"
_UNIT = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Masker:
    """Masks the texts of one call. `found` are the identifiers of its turns, by turn number."""

    finder: Finder
    found: Mapping[int, tuple[Identifier, ...]]

    def call(self, call: Call) -> Call:
        """Return the call as it is shown: words, events, labels and title are masked.

        Keys of speakers and attributes stay: they are what forms and rules go by.
        """
        return replace(
            call,
            title=self.text(call.title),
            speakers={key: self._speaker(one) for key, one in call.speakers.items()},
            turns=tuple(self._turn(turn) for turn in call.turns),
            events=tuple(self._event(event) for event in call.events),
        )

    def text(self, text: str) -> str:
        """Return any text about the call without identifiers."""
        return masked(text, self.finder.find(text))

    def label(self, label: str) -> str:
        """Return a speaker's label without a name."""
        return _blocks(label) if name_in_label(label) else self.text(label)

    def scalar(self, value: Plain) -> Plain | str:
        """Return the value of a fact or an attribute without identifiers."""
        if value is None or isinstance(value, bool):
            return value
        written = str(value)
        shown = self.text(written)
        return value if shown == written else shown

    def attributes(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """Return a call's own facts without identifiers, the elements of its lists too."""
        return {
            key: self._attribute(value, personal=is_personal(key))
            for key, value in attributes.items()
        }

    def _attribute(self, value: Attribute, *, personal: bool) -> Attribute:
        if not isinstance(value, tuple):
            shown = self.value(value, personal=personal)
            return shown if isinstance(shown, str) else value
        hide = _blocks if personal else self.text
        return tuple(
            ListItem(hide(item.id), tuple(hide(name) for name in item.names)) for item in value
        )

    def value(self, value: object, *, personal: bool = False) -> object:
        """Return a value as JSON and YAML have them without identifiers; other types stay."""
        match value:
            case bool() | None:
                return value
            case str():
                return _blocks(value) if personal else self.text(value)
            case int() | Decimal() | date():
                return _blocks(str(value)) if personal else self.scalar(value)
            case Mapping():
                return {
                    key: self.value(one, personal=personal or is_personal(str(key)))
                    for key, one in value.items()
                }
            case list() | tuple():
                return [self.value(one, personal=personal) for one in value]
            case _:
                return value

    def _turn(self, turn: Turn) -> Turn:
        found = self.found.get(turn.number)
        return replace(turn, text=masked(turn.text, found)) if found else turn

    def _event(self, event: Event) -> Event:
        args = {key: self.value(one, personal=is_personal(key)) for key, one in event.args.items()}
        result = self.value(event.result)
        if args == event.args and result == event.result:
            return event
        return replace(event, args=args, result=result)

    def _speaker(self, speaker: Speaker) -> Speaker:
        stated = speaker.stated
        if stated is not None and name_in_label(stated):
            stated = _blocks(stated)
        return replace(speaker, label=self.label(speaker.label), stated=stated)


def masker_of(call: Call) -> Masker:
    """Return what masks a call: its turns are heard once for names, then read for all kinds."""
    known = [
        *names_of_speakers(call.speakers.values()),
        *personal_texts(call.attributes),
        *(text for event in call.events for text in personal_texts([event.args, event.result])),
    ]
    heard = hear(call.turns)
    finder = Finder([*known, *heard.names])
    return Masker(finder, _found(call.turns, finder, heard))


def masker_of_plain(attributes: Mapping[str, object], labels: Iterable[str]) -> Masker:
    """Return what masks a line about a call, of which no word is opened."""
    names = [name for name in map(name_in_label, labels) if name]
    return Masker(Finder([*names, *personal_texts(attributes)]), {})


def masked(text: str, found: Sequence[Identifier]) -> str:
    """Return a text of as many code points, its identifiers (in order) as blocks.

    >>> masked("It is Rowan.", [Identifier(6, 11, None)])
    'It is █████.'
    """
    pieces: list[str] = []
    last = 0
    for one in found:
        pieces += text[last : one.start], _blocks(text[one.start : one.end])
        last = one.end
    return "".join((*pieces, text[last:]))


def is_masked(text: str) -> bool:
    """Say whether something in a text is masked."""
    return MASK in text


def _blocks(text: str) -> str:
    if text.isascii():
        return "".join(char if char.isspace() else MASK for char in text)
    return "".join(_block(unit) for unit in _UNIT.findall(text))


def _block(unit: str) -> str:
    return unit if unit.isspace() else MASK + _JOINER * (len(unit) - 1)


def _found(
    turns: Iterable[Turn], finder: Finder, heard: Heard
) -> dict[int, tuple[Identifier, ...]]:
    found = {
        turn.number: finder.find(turn.text, heard.asked.get(turn.number, frozenset()))
        for turn in turns
    }
    return {number: there for number, there in found.items() if there}
