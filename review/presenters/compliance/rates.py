"""How often critical edges and acceptance items failed: two samples beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from review.core.compliance.marks import is_edge
from review.core.compliance.periods import Period, Step, periods_between
from review.core.compliance.samples import Rate, Selection, Tally, add_up, failure_rate
from review.core.compliance.words import edge_words
from review.presenters.calls_filters import Chip, Filter, Option, show_chips
from review.presenters.chart import Chart, Drawn, draw_chart, percent
from review.presenters.compliance.asked import SignedAsked
from review.presenters.compliance.signed_calls import (
    DAYS,
    SELECTION_WORDS,
    kept_of,
    show_periods,
)
from review.queries.calls_list import SiteName
from review.queries.failures import Counted, VersionMark

#: The selections that have rates, in the order of the page.
RATED = (Selection.RANDOM, Selection.RISK)
#: More periods than these make a chart that nobody reads; the latest are drawn.
_MOST_PERIODS = 26
_MOST_PLOTS = 12

_Tallies = Mapping[tuple[str, Selection], Mapping[date, Tally]]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page is made of, as queries give it; `drawn_open` are not signed yet, `excepted`
    counts failures that an exception covers.
    """

    catalogs: Mapping[str, int]
    chosen: str
    sites: Sequence[SiteName]
    counted: Sequence[Counted]
    selections: Mapping[Selection, int]
    drawn_open: int
    versions: Sequence[VersionMark]
    excepted: Mapping[tuple[str, Selection], int]


@dataclass(frozen=True, slots=True)
class Share:
    """One rate as a table prints it; empty words where nothing was judged."""

    counts: str
    share: str
    interval: str
    failed: bool
    excepted: str = ""


@dataclass(frozen=True, slots=True)
class RateLine:
    """One edge or item over all the dates, a share for each sample."""

    name: str
    query: str
    critical: bool
    current: bool
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One sample of one edge or item over time, drawn and as rows of a table."""

    id: str
    title: str
    words: str
    tone: str
    chart: Chart | None
    rows: tuple[tuple[str, Share], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """One edge or item over time: its samples beside each other, each with a scale of its own."""

    words: str
    critical: bool
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class RatesPage:
    """The page; with nothing to count, `empty` says why."""

    catalog: str
    catalogs: tuple[Option, ...]
    sites: tuple[Option, ...]
    steps: tuple[Option, ...]
    periods: tuple[Option, ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    first_day: str
    last_day: str
    query: str
    samples: tuple[str, ...]
    caveat: str
    lines: tuple[RateLine, ...]
    plots: tuple[Plot, ...]
    about: str
    empty: str


def show_rates(facts: Facts, asked: SignedAsked, today: date) -> RatesPage:
    """Draw the page of one catalog's failure rates."""
    tallies = _gather(facts.counted)
    names = sorted({name for name, _ in tallies}, key=lambda name: (not is_edge(name), name))
    plotted = [asked.about] if asked.about in names else [n for n in names if is_edge(n)]
    plain = asked.on(None)
    catalog = Filter("version", "Version", "", ())
    return RatesPage(
        catalog=facts.chosen,
        catalogs=_catalogs(facts, asked),
        sites=_sites(facts, asked),
        steps=tuple(
            Option(words, asked.by(step).query, asked.step is step, "")
            for step, words in ((Step.MONTH, "By month"), (Step.WEEK, "By week"))
        ),
        periods=show_periods(asked, today),
        chips=show_chips((catalog, *DAYS), asked),
        kept=kept_of(asked),
        first_day=asked.narrowing.first or "",
        last_day=asked.narrowing.last or "",
        query=plain.query,
        samples=_samples(facts),
        caveat=_caveat(facts),
        lines=tuple(_line(name, tallies, facts.excepted, asked) for name in names),
        plots=tuple(_plot(name, tallies, facts, asked.step) for name in plotted[:_MOST_PLOTS]),
        about=edge_words(asked.about) if asked.about in names and asked.about else "",
        empty="" if names else _empty(facts),
    )


def _gather(counted: Sequence[Counted]) -> _Tallies:
    found: dict[tuple[str, Selection], dict[date, Tally]] = defaultdict(dict)
    for one in counted:
        found[one.name, one.tally.selection][one.first] = one.tally
    return found


def _line(
    name: str,
    tallies: _Tallies,
    excepted: Mapping[tuple[str, Selection], int],
    asked: SignedAsked,
) -> RateLine:
    found = [(one, tallies.get((name, one), {}).values()) for one in RATED]
    return RateLine(
        name=edge_words(name),
        query=asked.on(name).query,
        critical=is_edge(name),
        current=asked.about == name,
        shares=tuple(
            _share(failure_rate(add_up(own)) if own else None, excepted.get((name, one), 0))
            for one, own in found
        ),
    )


def _plot(name: str, tallies: _Tallies, facts: Facts, step: Step) -> Plot:
    days = {day for one in RATED for day in tallies.get((name, one), {})}
    periods = list(periods_between(min(days), max(days), step))[-_MOST_PERIODS:]
    return Plot(
        words=edge_words(name),
        critical=is_edge(name),
        series=tuple(
            _series(one, tallies.get((name, one), {}), periods, facts.versions, name)
            for one in RATED
        ),
    )


def _series(
    selection: Selection,
    tallies: Mapping[date, Tally],
    periods: Sequence[Period],
    versions: Sequence[VersionMark],
    name: str,
) -> Series:
    rates = [failure_rate(tallies[one.first]) if one.first in tallies else None for one in periods]
    is_drawn = any(one is not None for one in rates)
    words = SELECTION_WORDS[selection].capitalize()
    rows = zip(periods, rates, strict=True)
    return Series(
        id=f"{selection.value.lower()}-{name.replace('>', '-').replace('/', '-')}",
        title=f"{edge_words(name)}, {words}: share of failures over time",
        words=words,
        tone=selection.value.lower(),
        chart=draw_chart(periods, [_drawn(one) for one in rates], versions) if is_drawn else None,
        rows=tuple((period.name, _share(rate)) for period, rate in rows if rate is not None),
    )


def rate_words(rate: Rate) -> str:
    """Write a rate with its counts and interval.

    >>> rate_words(Rate(Selection.RANDOM, 1, 4, 0.0456, 0.6994))
    '1 of 4 failed: 25 % (95 % interval 4.6 to 70 %)'
    """
    return (
        f"{rate.failed:,} of {rate.judged:,} failed: {percent(rate.share)} "
        f"(95 % interval {percent(rate.low, sign=False)} to {percent(rate.high)})"
    )


def _drawn(rate: Rate | None) -> Drawn | None:
    return None if rate is None else Drawn(rate.share, rate.low, rate.high, rate_words(rate))


def _share(rate: Rate | None, excepted: int = 0) -> Share:
    if rate is None:
        return Share("none judged", "", "", failed=False)
    return Share(
        counts=f"{rate.failed:,} of {rate.judged:,}",
        share=percent(rate.share),
        interval=f"{percent(rate.low, sign=False)} to {percent(rate.high)}",
        failed=rate.failed > 0,
        excepted=f"{excepted:,} excepted" if excepted else "",
    )


def _catalogs(facts: Facts, asked: SignedAsked) -> tuple[Option, ...]:
    return tuple(
        Option(slug, asked.but(catalog=slug).query, slug == facts.chosen, f"{number:,}")
        for slug, number in facts.catalogs.items()
    )


def _sites(facts: Facts, asked: SignedAsked) -> tuple[Option, ...]:
    if len(facts.sites) == 1:
        return ()
    now = asked.narrowing.site
    every = Option("All your sites", asked.but(site=None).query, now is None, "")
    return every, *(
        Option(one.name, asked.but(site=one.slug).query, one.slug == now, "") for one in facts.sites
    )


def _samples(facts: Facts) -> tuple[str, ...]:
    return tuple(f"{_calls(facts.selections[one])} {words}" for one, words in _SAMPLES_SAID.items())


_SAMPLES_SAID = {
    Selection.RANDOM: "of the random sample",
    Selection.RISK: "selected by risk",
    Selection.OTHER: "in neither, which have no rate",
}


def _calls(number: int) -> str:
    return f"{number:,} signed call{'' if number == 1 else 's'}"


def _caveat(facts: Facts) -> str:
    if not facts.drawn_open:
        return "Every call that the draw took is signed, so the random sample stands for all calls."
    waits = "1 drawn call is" if facts.drawn_open == 1 else f"{facts.drawn_open:,} drawn calls are"
    return (
        f"{waits} not signed yet: until then the random sample may look better or worse than "
        "all calls."
    )


def _empty(facts: Facts) -> str:
    if not facts.catalogs:
        return "No call of these sites and dates has been signed."
    return "Nothing was judged in a signed call of either sample."
