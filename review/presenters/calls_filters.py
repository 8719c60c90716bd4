"""The filters of the calls list: a menu of links for each, and a chip for each that is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from review.core.cascade.triage import FlagCode
from review.core.lifecycle import CallState
from review.presenters.calls_asked import VERDICTS, Asked
from review.presenters.flags import flag_words
from review.presenters.standing import state_words
from review.queries import AGES, CallList

_AGE_WORDS = {
    "day": "last 24 hours",
    "week": "last 7 days",
    "month": "last 30 days",
    "older": "over 30 days ago",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A link that narrows the list; `number` is how many calls it leaves, where that is known."""

    words: str
    query: str
    current: bool
    number: str


@dataclass(frozen=True, slots=True)
class Menu:
    """One filter with its options; the first one takes it away. `chosen` names what is on."""

    name: str
    chosen: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on; its link takes it away and leaves the others."""

    name: str
    words: str
    query: str


@dataclass(frozen=True, slots=True)
class _Filter:
    """A filter by its field of `Narrowing`; `values` with the words for each."""

    field: str
    name: str
    anything: str
    values: tuple[tuple[str, str], ...]

    def words(self, value: str) -> str:
        """Return the words of a value, the value itself where it is not among the known."""
        return dict(self.values).get(value, value)


def show_menus(found: CallList, asked: Asked) -> tuple[Menu, ...]:
    """Draw a menu for every filter that could change something."""
    return tuple(
        _menu(one, found, asked)
        for one in _filters(found)
        if len(one.values) > 1 or getattr(asked.narrowing, one.field) is not None
    )


def show_chips(found: CallList, asked: Asked) -> tuple[Chip, ...]:
    """Draw a chip for the text and for every filter that is on."""
    text = asked.narrowing.text
    chips = [Chip("Words", text, asked.but(text=None).query)] if text is not None else []
    for one in _filters(found):
        value = getattr(asked.narrowing, one.field)
        if value is not None:
            chips.append(Chip(one.name, one.words(value), asked.but(**{one.field: None}).query))
    return tuple(chips)


def _filters(found: CallList) -> tuple[_Filter, ...]:
    return (
        _Filter("verdict", "CallSuccess", "any verdict", _pairs(VERDICTS, str)),
        _Filter("state", "State", "any state", _pairs(CallState.__members__, state_words)),
        _Filter("flag", "Flag", "any or none", _pairs(FlagCode.__members__, flag_words)),
        _Filter("catalog", "Catalog", "any catalog", _pairs(found.catalogs, str)),
        _Filter(
            "site", "Site", "all your sites", tuple((one.slug, one.name) for one in found.sites)
        ),
        _Filter("age", "Received", "at any time", _pairs(AGES, _AGE_WORDS.__getitem__)),
    )


def _pairs(values: Iterable[str], words: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    return tuple((value, words(value)) for value in values)


def _menu(one: _Filter, found: CallList, asked: Asked) -> Menu:
    value = getattr(asked.narrowing, one.field)
    options: tuple[tuple[str | None, str], ...] = ((None, one.anything), *one.values)
    return Menu(
        name=one.name,
        chosen="" if value is None else one.words(value),
        options=tuple(
            Option(
                words=words,
                query=asked.but(**{one.field: option}).query,
                current=option == value,
                number=_number(found, asked, one.field, option),
            )
            for option, words in options
        ),
    )


def _number(found: CallList, asked: Asked, field: str, value: str | None) -> str:
    """Return how many calls an option leaves beside the other filters; "" where nobody counted."""
    counted = ("site", "catalog", "state", "verdict")
    if found.counts is None or field not in counted:
        return ""
    narrowed = {name: getattr(asked.narrowing, name) for name in counted}
    return f"{found.counts.total(**{**narrowed, field: value}):,}"
