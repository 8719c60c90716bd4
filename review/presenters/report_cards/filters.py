"""The filters of report cards as links, and the words of what was counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from review.presenters.figure_tables import FigureMatrix, Link
from review.presenters.figures_asked import SPANS
from review.presenters.report_cards.asked import SAMPLES, ReportAsked
from review.queries.report_cards import Outcomes

#: What a call says of its language or age group is offered only where it looks like a short name.
_SHORT_NAME: Final = re.compile(r"[\w<>≤≥][\w .+<>≤≥/-]{0,19}")
_FEW: Final = 20


@dataclass(frozen=True, slots=True)
class FilterLinks:
    """The links of one filter."""

    name: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Tables below one heading; `words` stand there where they say more, or there is no table."""

    id: str
    title: str
    tables: tuple[FigureMatrix, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report card, or the page over versions; `kept` are the filters as the form of costs keeps
    them.
    """

    lead: str
    filters: tuple[FilterLinks, ...]
    sections: tuple[Section, ...]
    kept: tuple[tuple[str, str], ...]
    query: str
    rate: str
    is_empty: bool


def show_filters(
    asked: ReportAsked, outcomes: Sequence[Outcomes], sites: Mapping[str, str]
) -> tuple[FilterLinks, ...]:
    """Return the filters that narrow anything: `outcomes` are of all calls of the days, `sites`
    the names by slug of all sites that the person sees.
    """
    filters = [
        FilterLinks("Days", _links(asked, "days", SPANS)),
        FilterLinks("Sample", _links(asked, "sample", SAMPLES)),
    ]
    if len(sites) > 1:
        filters.append(FilterLinks("Sites", _links(asked, "site", {"": "all sites", **sites})))
    for name, title, words, values in (
        ("language", "Languages", "all languages", {one.language for one in outcomes}),
        ("age", "Age groups", "all age groups", {one.age for one in outcomes}),
    ):
        offered = {value: value for value in sorted(values) if _SHORT_NAME.fullmatch(value)}
        if len(values) > 1 or getattr(asked, name):
            filters.append(FilterLinks(title, _links(asked, name, {"": words, **offered})))
    return tuple(filters)


def short_name(value: str) -> str:
    """Return what a call says of its language or age group, or that it is longer than a name.

    >>> (
    ...     short_name("es-US"),
    ...     short_name("65+"),
    ...     short_name("She said: nobody knows."),
    ...     short_name(""),
    ... )
    ('es-US', '65+', 'something else', 'not said')
    """
    if not value:
        return "not said"
    return value if _SHORT_NAME.fullmatch(value) else "something else"


def count_words(number: int, asked: ReportAsked, *, is_cut: bool) -> str:
    """Say how many calls the figures are of, and when so few say little."""
    if is_cut:
        return f"The latest {number:,} signed calls of the {SPANS[asked.days]}; there may be more."
    counted = f"{number:,} signed call{'' if number == 1 else 's'} of the {SPANS[asked.days]}."
    if 0 < number < _FEW:
        return f"{counted} So few calls say little: look at the intervals, and compare nothing yet."
    return counted


def table_lines(sections: Iterable[Section]) -> Iterator[tuple[str, ...]]:
    """Yield every figure as a line of a file: table, thing, note, figure, value, interval, n."""
    for table in (one for section in sections for one in section.tables):
        for row in table.rows:
            for cell in row.cells:
                yield (
                    *(table.title, row.name, row.note),
                    *(cell.name, cell.value, cell.interval, cell.n),
                )


def _links(asked: ReportAsked, name: str, values: Mapping[str, str]) -> tuple[Link, ...]:
    now = getattr(asked, name)
    return tuple(
        Link(words, asked.turned(name, value).query, value == now)
        for value, words in values.items()
    )
