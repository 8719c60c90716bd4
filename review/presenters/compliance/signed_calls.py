"""The list of signed calls as one value: lines, filters as links, and the counts of each sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID

from review.core.compliance.exceptions import Excepted, excepted_among
from review.core.compliance.marks import is_edge
from review.core.compliance.periods import Period, Step, period_of
from review.core.compliance.samples import Selection
from review.core.compliance.words import edge_words
from review.presenters.calls_asked import VERDICTS
from review.presenters.calls_filters import (
    Chip,
    Filter,
    Menu,
    Number,
    Option,
    pairs,
    show_chips,
    show_menus,
    site_filter,
)
from review.presenters.compliance.asked import SignedAsked
from review.presenters.marks import Mark, outcome_mark
from review.queries.signed_calls import COUNTED, SignedCall, SignedList

PAGE_SIZE = 50

#: The selections in words; the first two have rates.
SELECTION_WORDS = {
    Selection.RANDOM: "random sample",
    Selection.RISK: "selected by risk",
    Selection.OTHER: "neither",
}


@dataclass(frozen=True, slots=True)
class SignedLine:
    """One signed call. `edges` are its violated critical edges in words, each with the link to all
    calls that violate it; `items` counts failed acceptance items.
    """

    call_id: UUID
    title: str
    external_id: str
    site: str
    catalog: str
    version: str
    marks: tuple[tuple[str, Mark], ...]
    edges: tuple[tuple[str, str], ...]
    items: int
    excepted: int
    reopened: bool
    selection: str
    day: date
    signed_at: datetime
    signed_by: str


@dataclass(frozen=True, slots=True)
class SignedPage:
    """The page. With no lines, `empty` says why and `advice` what to do."""

    lines: tuple[SignedLine, ...]
    shown: str
    samples: tuple[Option, ...]
    periods: tuple[Option, ...]
    menus: tuple[Menu, ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    first_day: str
    last_day: str
    query: str
    first: str
    newer: str
    older: str
    empty: str
    advice: str


def show_signed(
    found: SignedList, asked: SignedAsked, exceptions: Sequence[Excepted], today: date
) -> SignedPage:
    """Draw a page of signed calls."""
    whole = replace(asked.at(None), about=None)
    filters = filters_of(found)

    def number(field: str, value: str | None) -> str:
        if field == "edge":
            return "" if value is None else f"{dict(found.edges).get(value, 0):,}"
        narrowed = {name: getattr(whole.narrowing, name) for name in COUNTED}
        return f"{found.count(**{**narrowed, field: value}):,}"

    total = found.count(**{name: getattr(whole.narrowing, name) for name in COUNTED})
    return SignedPage(
        lines=tuple(_line(one, whole, exceptions) for one in found.lines),
        shown=f"{total:,} signed call{'' if total == 1 else 's'}" if total else "",
        samples=_samples(whole, number),
        periods=show_periods(whole, today),
        menus=show_menus(filters, whole, number),
        chips=show_chips((*filters, *DAYS), whole),
        kept=kept_of(whole),
        first_day=whole.narrowing.first or "",
        last_day=whole.narrowing.last or "",
        query=whole.query,
        first=whole.query if asked.place else "",
        newer=asked.at(found.newer).query if found.newer else "",
        older=asked.at(found.older).query if found.older else "",
        empty=_empty(asked),
        advice=_advice(asked),
    )


#: The days of a narrowing, as chips write them.
DAYS = (Filter("first", "Calls from", "", ()), Filter("last", "Calls to", "", ()))


def filters_of(found: SignedList) -> tuple[Filter, ...]:
    """Return the filters of signed calls."""
    catalogs = sorted({cell.catalog for cell in found.cells})
    versions = sorted({cell.version for cell in found.cells})
    people = sorted(found.reviewers.items(), key=lambda one: (one[1], one[0]))
    return (
        site_filter(found.sites),
        Filter("catalog", "Catalog", "any catalog", pairs(catalogs, str)),
        Filter("version", "Version", "any version", pairs(versions, str)),
        Filter("verdict", "CallSuccess", "any verdict", pairs(VERDICTS, str)),
        Filter("edge", "Critical edge violated", "any or none", _edges(found)),
        Filter("reviewer", "Signed by", "anybody", tuple(people)),
    )


def show_periods(asked: SignedAsked, today: date) -> tuple[Option, ...]:
    """Draw the links to this and the last month and quarter, and to all dates."""
    narrowing = asked.narrowing
    options = [Option("All dates", asked.but(first=None, last=None).query, _all(asked), "")]
    for one in _near(today):
        first, last = one.first.isoformat(), one.last.isoformat()
        current = (narrowing.first, narrowing.last) == (first, last)
        options.append(Option(one.name, asked.but(first=first, last=last).query, current, ""))
    return tuple(options)


def kept_of(asked: SignedAsked) -> tuple[tuple[str, str], ...]:
    """Return what the form that asks for days keeps beside them."""
    return tuple(asked.but(first=None, last=None).pairs.items())


def _near(today: date) -> Iterator[Period]:
    for step in (Step.MONTH, Step.QUARTER):
        now = period_of(today, step)
        yield now
        yield period_of(date.fromordinal(now.first.toordinal() - 1), step)


def _all(asked: SignedAsked) -> bool:
    return asked.narrowing.first is None and asked.narrowing.last is None


def _samples(asked: SignedAsked, number: Number) -> tuple[Option, ...]:
    """Draw each sample with its own count."""
    options = [Option("All", asked.but(sample=None).query, asked.narrowing.sample is None, "")]
    for one, words in SELECTION_WORDS.items():
        value = one.value.lower()
        current = asked.narrowing.sample == value
        query = asked.but(sample=value).query
        options.append(Option(words.capitalize(), query, current, number("sample", value)))
    return tuple(options)


def _edges(found: SignedList) -> tuple[tuple[str, str], ...]:
    return tuple((name, edge_words(name)) for name, _ in found.edges)


def excepted_of(one: SignedCall, exceptions: Sequence[Excepted]) -> tuple[str, ...]:
    """Return the failures of a call that are excepted."""
    return excepted_among(exceptions, str(one.site_id), one.catalog, one.failed, one.day)


def _line(one: SignedCall, asked: SignedAsked, exceptions: Sequence[Excepted]) -> SignedLine:
    edges = tuple(
        (edge_words(name), asked.but(edge=name).query) for name in one.failed if is_edge(name)
    )
    return SignedLine(
        call_id=one.call_id,
        title=one.title or one.external_id,
        external_id=one.external_id,
        site=one.site_name,
        catalog=one.catalog,
        version=one.version,
        marks=(
            ("Coverage", outcome_mark(one.coverage)),
            ("OrderSafe", outcome_mark(one.order_safe)),
            ("CallSuccess", outcome_mark(one.call_success)),
        ),
        edges=edges,
        items=len(one.failed) - len(edges),
        excepted=len(excepted_of(one, exceptions)),
        reopened=one.state != "SIGNED",
        selection=SELECTION_WORDS[Selection(one.selection)],
        day=one.day,
        signed_at=one.signed_at,
        signed_by=one.signed_by,
    )


def _empty(asked: SignedAsked) -> str:
    if asked.place is not None:
        return "No signed call lies beyond this place of the list."
    if asked.narrowing.asked:
        return "No signed call of your sites is like this."
    return "No call of your sites has been signed yet."


def _advice(asked: SignedAsked) -> str:
    if asked.place is not None:
        return "Go back to its first page."
    if asked.narrowing.asked:
        return "Take a filter away to see more."
    return "A call comes here when a reviewer signs it; what waits stands under Open flags."
