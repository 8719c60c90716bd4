"""The filters of a list of calls: a menu of links for each, and a chip for each that is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from review.core.cascade.triage import FlagCode
from review.core.lifecycle import CallState
from review.presenters.calls_asked import VERDICTS
from review.presenters.flags import flag_words
from review.presenters.standing import state_words
from review.queries import AGES, CallList, Narrowing, SiteName

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
class Filter:
    """A filter by its field of a narrowing; `values` with the words for each."""

    field: str
    name: str
    anything: str
    values: tuple[tuple[str, str], ...]

    def words(self, value: str) -> str:
        """Return the words of a value, the value itself where it is not among the known."""
        return dict(self.values).get(value, value)


class AsksFor(Protocol):
    """What the address of a list asks for, and its links."""

    @property
    def narrowing(self) -> Narrowing:
        """What is asked for."""

    @property
    def query(self) -> str:
        """The address's query."""

    def but(self, **changes: str | None) -> AsksFor:
        """Return the same with other filters."""


#: How many calls an option of a filter leaves, as a page writes it; "" where nobody counted.
Number = Callable[[str, str | None], str]


def show_menus(filters: Iterable[Filter], asked: AsksFor, number: Number) -> tuple[Menu, ...]:
    """Draw a menu for every filter that could change something."""
    return tuple(
        _menu(one, asked, number)
        for one in filters
        if len(one.values) > 1 or getattr(asked.narrowing, one.field) is not None
    )


def show_chips(filters: Iterable[Filter], asked: AsksFor) -> tuple[Chip, ...]:
    """Draw a chip for the text and for every filter that is on."""
    text = asked.narrowing.text
    chips = [Chip("Words", text, asked.but(text=None).query)] if text is not None else []
    for one in filters:
        value = getattr(asked.narrowing, one.field)
        if value is not None:
            chips.append(Chip(one.name, one.words(value), asked.but(**{one.field: None}).query))
    return tuple(chips)


def show_options(one: Filter, asked: AsksFor, number: Number) -> tuple[Option, ...]:
    """Draw the links of one filter; the first takes it away."""
    value = getattr(asked.narrowing, one.field)
    options: tuple[tuple[str | None, str], ...] = ((None, one.anything), *one.values)
    return tuple(
        Option(
            words=words,
            query=asked.but(**{one.field: option}).query,
            current=option == value,
            number=number(one.field, option),
        )
        for option, words in options
    )


def filters_of_calls(found: CallList) -> tuple[Filter, ...]:
    """Return the filters of the calls list."""
    return (
        verdict_filter(),
        Filter("state", "State", "any state", pairs(CallState.__members__, state_words)),
        flag_filter(),
        catalog_filter(found.catalogs),
        site_filter(found.sites),
        Filter("age", "Received", "at any time", AGE_PAIRS),
    )


def verdict_filter() -> Filter:
    """Return the filter by CallSuccess."""
    return Filter("verdict", "CallSuccess", "any verdict", pairs(VERDICTS, str))


def flag_filter() -> Filter:
    """Return the filter by a flag."""
    return Filter("flag", "Flag", "any or none", pairs(FlagCode.__members__, flag_words))


def catalog_filter(catalogs: Iterable[str]) -> Filter:
    """Return the filter by catalog."""
    return Filter("catalog", "Catalog", "any catalog", pairs(catalogs, str))


def site_filter(sites: Iterable[SiteName]) -> Filter:
    """Return the filter by site."""
    return Filter("site", "Site", "all your sites", tuple((one.slug, one.name) for one in sites))


def pairs(values: Iterable[str], words: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """Return values with their words."""
    return tuple((value, words(value)) for value in values)


AGE_PAIRS = pairs(AGES, _AGE_WORDS.__getitem__)


def number_of_calls(found: CallList, asked: AsksFor) -> Number:
    """Return what counts the calls that an option leaves beside the other filters."""

    def number(field: str, value: str | None) -> str:
        counted = ("site", "catalog", "state", "verdict")
        if found.counts is None or field not in counted:
            return ""
        narrowed = {name: getattr(asked.narrowing, name) for name in counted}
        return f"{found.counts.total(**{**narrowed, field: value}):,}"

    return number


def _menu(one: Filter, asked: AsksFor, number: Number) -> Menu:
    value = getattr(asked.narrowing, one.field)
    return Menu(
        name=one.name,
        chosen="" if value is None else one.words(value),
        options=show_options(one, asked, number),
    )
