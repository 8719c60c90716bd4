"""The figures of review as tables, each line with its n, its interval and a bar of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from review.core.figures import MatcherKind, Share, joined, share_of, times_of
from review.presenters.figure_tables import (
    FigureLine,
    FigureTable,
    Link,
    say_time,
    share_line,
    time_line,
)
from review.presenters.figures_asked import SPANS, FiguresAsked
from review.queries.calls_list import SiteName
from review.queries.figures import Histogram, Judged, Spent, UnseenRow

Key = TypeVar("Key")
_KINDS = {
    MatcherKind.WORDS: "words",
    MatcherKind.QUESTION: "question and answer",
    MatcherKind.EVENT: "tool or screen event",
    MatcherKind.EVIDENCE: "no anchor: the first evidence",
    MatcherKind.NOTHING: "no start was proposed",
    MatcherKind.OTHER: "a matcher that the catalog has no more",
}


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """The page. `notes` say what the figures leave out; `unseen` are rows to look at again."""

    lead: str
    spans: tuple[Link, ...]
    sites: tuple[Link, ...]
    query: str
    times: tuple[FigureTable, ...]
    shares: tuple[FigureTable, ...]
    notes: tuple[str, ...]
    out_of_view: FigureLine
    unseen: tuple[UnseenRow, ...]
    more_unseen: bool
    is_empty: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """What is counted, as the queries return it, with the names and kinds for its ids.

    `others`: people are named, not the reader alone.
    """

    spent: Spent
    settled: tuple[Judged, ...]
    kinds: Mapping[tuple[str, str], MatcherKind]
    unseen: tuple[UnseenRow, ...]
    more_unseen: bool
    people: Mapping[UUID, str]
    versions: Mapping[UUID, str]
    others: bool


def show_figures(
    found: Figures, asked: FiguresAsked, sites: Sequence[SiteName], at: datetime
) -> FiguresPage:
    """Draw the page."""
    critical = sum(one.count for one in found.settled if one.critical)
    whose = (
        "Figures of everybody who decides rows at the sites you see"
        if found.others
        else ("Your own figures")
    )
    return FiguresPage(
        lead=f"{whose}, {SPANS[asked.days]}, until {at:%Y-%m-%d %H:%M} UTC.",
        spans=tuple(
            Link(words, FiguresAsked(days, asked.site).query, days == asked.days)
            for days, words in SPANS.items()
        ),
        sites=_sites(asked, sites),
        query=asked.query,
        times=_times(found),
        shares=_shares(found),
        notes=_notes(found.spent),
        out_of_view=share_line(
            "critical rows", share_of(min(len(found.unseen), critical), critical)
        ),
        unseen=found.unseen,
        more_unseen=found.more_unseen,
        is_empty=not found.spent.decisions,
    )


def tables_of(found: Figures) -> tuple[tuple[FigureTable, ...], tuple[FigureTable, ...]]:
    """Return the tables alone: of times, and of shares."""
    return _times(found), _shares(found)


def _sites(asked: FiguresAsked, sites: Sequence[SiteName]) -> tuple[Link, ...]:
    if len(sites) < 2:
        return ()
    every = Link("all sites", FiguresAsked(asked.days).query, not asked.site)
    each = (
        Link(one.name, FiguresAsked(asked.days, one.slug).query, one.slug == asked.site)
        for one in sites
    )
    return (every, *each)


def _notes(spent: Spent) -> tuple[str, ...]:
    without = spent.decisions - spent.timed
    if not without:
        return ()
    return (
        f"{without:,} of {spent.decisions:,} decisions came without a time (rows confirmed "
        "together, or a browser without JavaScript) and are not in the times.",
    )


def _times(found: Figures) -> tuple[FigureTable, ...]:
    spent = found.spent
    rows = joined(spent.by_phase.values())
    tables = [
        _time_table(
            "Time per call",
            "Catalog version",
            "calls",
            spent.calls,
            spent.by_version,
            lambda key: found.versions.get(key, "unknown"),
        ),
        _time_table("Time per row", "Phase", "rows", rows, spent.by_phase, str),
    ]
    if found.others:
        tables.append(
            _time_table(
                "Time per call, by reviewer",
                "Reviewer",
                "calls",
                None,
                spent.by_person,
                lambda key: found.people.get(key, "unknown"),
            )
        )
    return tuple(table for table in tables if table.lines)


def _time_table(
    title: str,
    what: str,
    of: str,
    whole: Histogram | None,
    parts: Mapping[Key, Histogram],
    name: Callable[[Key], str],
) -> FigureTable:
    named = sorted((name(key), times_of(one)) for key, one in parts.items())
    if whole:
        named.insert(0, ("all", times_of(whole)))
    most = max((one.high or one.median or 0 for _, one in named), default=0)
    lines = tuple(time_line(name, times, most, say_time) for name, times in named)
    return FigureTable(title, what, "Median", of, lines)


def _shares(found: Figures) -> tuple[FigureTable, ...]:
    by_phase: dict[str, list[Judged]] = defaultdict(list)
    by_kind: dict[str, list[Judged]] = defaultdict(list)
    for one in found.settled:
        by_phase[one.phase].append(one)
        kind = found.kinds.get((one.catalog_digest, one.source), MatcherKind.OTHER)
        by_kind[_KINDS[kind]].append(one)
    tables = (
        FigureTable(title, what, "Stands as proposed", "rows", _share_lines(parts, found.settled))
        for title, what, parts in (
            ("Pre-fill that stands, by phase", "Phase", by_phase),
            ("Pre-fill that stands, by what gave the start", "Start from", by_kind),
        )
    )
    return tuple(table for table in tables if table.lines)


def _share_lines(
    parts: Mapping[str, Sequence[Judged]], every: Sequence[Judged]
) -> tuple[FigureLine, ...]:
    named = [("all", every), *sorted(parts.items())]
    return tuple(share_line(name, _share(there)) for name, there in named if there)


def _share(there: Iterable[Judged]) -> Share:
    same = {True: 0, False: 0}
    for one in there:
        same[one.same] += one.count
    return share_of(same[True], same[True] + same[False])
