"""The page of drift: agreement over all readings, by phase, by site, and over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from review.core.compliance.periods import Period, periods_between
from review.core.drift import (
    Agreement,
    Clustered,
    Fall,
    ReadTwice,
    agreement_of,
    calls_alike,
    fall_of,
    shares_by_name,
    shares_by_period,
)
from review.core.figures import FEW, Share
from review.presenters.chart import Chart, Drawn, draw_chart
from review.presenters.drift.asked import KINDS, QUESTIONS, SPANS, STEPS, DriftAsked
from review.presenters.figure_tables import (
    Bar,
    FigureLine,
    FigureMatrix,
    Link,
    MatrixRow,
    part_of,
    say_share,
    share_line,
    write_span,
)
from review.presenters.report_cards.filters import FilterLinks
from review.queries.failures import VersionMark

_WHOLE = "calls with every row alike"
_ALIKE = "Alike"
_NO_LIST = "not for turns"
_MOST_PERIODS = 24
_MOST_PLOTS = 13


@dataclass(frozen=True, slots=True)
class DriftFacts:
    """What the page is made of: readings oldest first, catalogs with how many calls were read
    twice, sites by slug, and when versions of the catalog came into force.
    """

    calls: Sequence[ReadTwice]
    catalogs: Mapping[str, int]
    sites: Mapping[str, str]
    versions: Sequence[VersionMark]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Plot:
    """One phase (or edge, or whole calls) over time, drawn and as rows of a table."""

    id: str
    title: str
    words: str
    chart: Chart
    rows: tuple[tuple[str, FigureLine], ...]


class ShownFall(NamedTuple):
    """A phase (or edge, or whole calls) on which agreement fell, for how long, and the figures."""

    name: str
    lasts: str
    words: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class DriftPage:
    """The page; of `falls` those that are sure come first."""

    lead: str
    catalog: str
    filters: tuple[FilterLinks, ...]
    falls: tuple[ShownFall, ...]
    tables: tuple[FigureMatrix, ...]
    plots: tuple[Plot, ...]
    query: str
    is_empty: bool


def show_drift(facts: DriftFacts, asked: DriftAsked, catalog: str) -> DriftPage:
    """Draw the page of one catalog."""
    periods = shares_by_period(facts.calls, asked.question, asked.period)
    return DriftPage(
        lead=_lead(facts, asked),
        catalog=catalog,
        filters=_filters(facts, asked, catalog),
        falls=_falls(periods),
        tables=drift_tables(facts, asked),
        plots=_plots(facts, periods, asked),
        query=asked.query,
        is_empty=not facts.calls,
    )


def drift_tables(facts: DriftFacts, asked: DriftAsked) -> tuple[FigureMatrix, ...]:
    """Return the tables of the page, those that have anything to say."""
    tables = (_overall(facts.calls), _by_phase(facts.calls, asked), _by_site(facts, asked))
    return tuple(one for one in tables if one.rows)


def period_lines(facts: DriftFacts, asked: DriftAsked) -> Iterable[tuple[str, date, Share]]:
    """Yield what is alike by name and first day of the period, for a file; names as on the page."""
    for name, shares in shares_by_period(facts.calls, asked.question, asked.period).items():
        for first, share in shares.items():
            yield name or _WHOLE, first, share


def _overall(calls: Sequence[ReadTwice]) -> FigureMatrix:
    rows = []
    for question, words in QUESTIONS.items():
        found = agreement_of([one.compared for one in calls], question)
        if found.n:
            rows.append(
                MatrixRow(words.capitalize(), _figures(found), f"{found.n:,} answers twice")
            )
    return FigureMatrix(
        "overall",
        "All rows together",
        "Question",
        ("Raw agreement", "Cohen κ", "Gwet AC1"),
        tuple(rows),
        "Intervals are by call, each left out once. κ and AC1 correct for chance, and are for "
        "answers from a list; a turn is none.",
    )


def _figures(found: Agreement) -> tuple[FigureLine, ...]:
    return (
        _clustered("Raw agreement", found.raw, found, share=True),
        *(
            FigureLine(name, _NO_LIST, "", f"{found.calls:,} calls", few=False, bar=None)
            if figure is None
            else _clustered(name, figure, found)
            for name, figure in (("Cohen κ", found.kappa), ("Gwet AC1", found.ac1))
        ),
    )


def _clustered(
    name: str, figure: Clustered, found: Agreement, *, share: bool = False
) -> FigureLine:
    say = say_share if share else _decimal
    value, low, high = figure
    return FigureLine(
        name=name,
        value="not defined (one category)" if value is None else say(value),
        interval=write_span(low, high, say, "" if value is None else "no interval"),
        n=f"{found.calls:,} calls",
        few=found.calls < FEW,
        bar=None if value is None or not share else _bar(value, low, high),
    )


def _bar(value: float, low: float | None, high: float | None) -> Bar:
    return Bar(
        part_of(value, 1),
        None if low is None else part_of(max(low, 0), 1),
        None if high is None else part_of(high, 1),
    )


def _decimal(value: float) -> str:
    return f"{value:.2f}"


def _by_phase(calls: Sequence[ReadTwice], asked: DriftAsked) -> FigureMatrix:
    what = "Critical edge" if asked.question == "edge" else "Phase"
    whole = MatrixRow(_WHOLE, (share_line(_ALIKE, calls_alike(calls, asked.question)),), whole=True)
    each = tuple(
        MatrixRow(name, (share_line(_ALIKE, share),))
        for name, share in shares_by_name(calls, asked.question).items()
    )
    return FigureMatrix(
        "phases",
        f"By {what.lower()}: {QUESTIONS[asked.question]}",
        what,
        (_ALIKE,),
        (whole, *each) if each else (),
    )


def _by_site(facts: DriftFacts, asked: DriftAsked) -> FigureMatrix:
    """Return a row of each site, so that they can be compared; none of one site alone."""
    groups = {
        slug: [one for one in facts.calls if one.site == slug]
        for slug in dict.fromkeys(one.site for one in facts.calls)
    }
    rows = tuple(
        MatrixRow(
            facts.sites.get(slug, slug),
            (
                share_line(_ALIKE, calls_alike(own, asked.question)),
                *_figures(agreement_of([one.compared for one in own], asked.question)),
            ),
        )
        for slug, own in sorted(groups.items())
    )
    return FigureMatrix(
        "sites",
        f"By site: {QUESTIONS[asked.question]}",
        "Site",
        (_ALIKE, "Raw agreement", "Cohen κ", "Gwet AC1"),
        rows if len(rows) > 1 else (),
        f"{_ALIKE} is the share of {_WHOLE}. Sites can be compared: the catalog is the same, and "
        "every call had the same chance to be drawn within its site.",
    )


def _plots(
    facts: DriftFacts, found: Mapping[str, Mapping[date, Share]], asked: DriftAsked
) -> tuple[Plot, ...]:
    days = [one.day for one in facts.calls]
    if not days:
        return ()
    periods = list(periods_between(min(days), max(days), asked.period))[-_MOST_PERIODS:]
    return tuple(
        _plot(number, name, shares, periods, facts.versions, asked)
        for number, (name, shares) in enumerate(list(found.items())[:_MOST_PLOTS])
        if any(one.first in shares for one in periods)
    )


def _plot(
    number: int,
    name: str,
    shares: Mapping[date, Share],
    periods: Sequence[Period],
    versions: Sequence[VersionMark],
    asked: DriftAsked,
) -> Plot:
    drawn = [_drawn(shares.get(one.first)) for one in periods]
    told = [(one.name, shares[one.first]) for one in periods if one.first in shares]
    words = name or _WHOLE.capitalize()
    return Plot(
        id=f"plot-{number}",
        title=f"{words}: share alike in {QUESTIONS[asked.question]}, {STEPS[asked.step]}",
        words=words,
        chart=draw_chart(periods, drawn, versions),
        rows=tuple((period, share_line(period, share)) for period, share in told if share.n),
    )


def _drawn(share: Share | None) -> Drawn | None:
    if share is None or share.value is None or share.low is None or share.high is None:
        return None
    return Drawn(share.value, share.low, share.high, _counted(share))


def _counted(share: Share) -> str:
    span = write_span(share.low, share.high, say_share, "")
    value = "none" if share.value is None else say_share(share.value)
    return f"{share.part:,} of {share.n:,} alike: {value} (95 % interval {span})"


def _falls(found: Mapping[str, Mapping[date, Share]]) -> tuple[ShownFall, ...]:
    falls = [(name, fall) for name, shares in found.items() if (fall := fall_of(shares))]
    falls.sort(key=lambda one: not one[1].is_sure)
    return tuple(_fall(name or _WHOLE.capitalize(), fall) for name, fall in falls)


def _fall(name: str, fall: Fall) -> ShownFall:
    return ShownFall(
        name,
        "two periods in a row" if fall.is_sure else "one period: look again after the next",
        f"Since {fall.since:%-d %b %Y} {_counted(fall.now)}; before {_counted(fall.before)}.",
        fall.is_sure,
    )


def _lead(facts: DriftFacts, asked: DriftAsked) -> str:
    number = len(facts.calls)
    counted = f"{number:,} call{'' if number == 1 else 's'} read twice in the {SPANS[asked.days]}"
    if facts.is_cut:
        return f"The latest {counted}; there are more."
    if 0 < number < FEW:
        return f"{counted}. So few say little: look at the intervals, and compare nothing yet."
    return f"{counted}."


def _filters(facts: DriftFacts, asked: DriftAsked, catalog: str) -> tuple[FilterLinks, ...]:
    filters = [
        FilterLinks("Days", _links(asked, "days", SPANS)),
        FilterLinks("Periods", _links(asked, "step", STEPS)),
        FilterLinks("Readings", _links(asked, "kind", {one: KINDS[one][0] for one in KINDS})),
        FilterLinks("Question", _links(asked, "question", QUESTIONS)),
    ]
    if len(facts.catalogs) > 1:
        named = {slug: f"{slug} ({number:,})" for slug, number in facts.catalogs.items()}
        filters.append(FilterLinks("Catalog", _links(asked, "catalog", named, catalog)))
    if len(facts.sites) > 1:
        filters.append(FilterLinks("Site", _links(asked, "site", {"": "all sites", **facts.sites})))
    return tuple(filters)


def _links(
    asked: DriftAsked, name: str, values: Mapping[str, str], now: str | None = None
) -> tuple[Link, ...]:
    current = getattr(asked, name) if now is None else now
    return tuple(
        Link(words, asked.turned(name, value).query, value == current)
        for value, words in values.items()
    )
