"""The governance page: the same figures of every catalog version beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from review.core.compliance.samples import Selection
from review.core.compliance.words import edge_words
from review.core.figures import share_of
from review.presenters.figure_tables import FigureLine, FigureMatrix, Link, MatrixRow, share_line
from review.presenters.report_cards.asked import ReportAsked
from review.presenters.report_cards.costs import time_cells, time_columns
from review.presenters.report_cards.filters import (
    FilterLinks,
    ReportPage,
    Section,
    count_words,
    show_filters,
)
from review.presenters.report_cards.outcomes import OUTCOMES, SAMPLE_WORDS, outcome_cells
from review.presenters.report_cards.rows import ROWS, group_cells, group_tables
from review.queries.report_cards import (
    MOST_COMPARED,
    EdgeTally,
    Group,
    Outcomes,
    SpentOnCalls,
    VersionName,
)

_VIOLATED = "Violated"


@dataclass(frozen=True, slots=True)
class OverviewFacts:
    """What the page is made of; `versions` are those that are shown, `catalogs` the slugs of all
    that have signed calls, and `links` lead to report cards.
    """

    versions: Mapping[UUID, VersionName]
    catalogs: tuple[str, ...]
    links: Mapping[UUID, str]
    outcomes: tuple[Outcomes, ...]
    every: tuple[Outcomes, ...]
    edges: tuple[EdgeTally, ...]
    groups: tuple[Group, ...]
    spent: Mapping[UUID, SpentOnCalls]
    sites: Mapping[str, str]


def show_overview(facts: OverviewFacts, asked: ReportAsked, rate: Decimal | None) -> ReportPage:
    """Draw the page."""
    counted = sum(one.number for one in facts.every)
    number = sum(one.number for one in facts.outcomes if one.version in facts.versions)
    filters = show_filters(asked, facts.every, facts.sites)
    if len(facts.catalogs) > 1:
        filters = (*filters, _catalogs(facts.catalogs, asked))
    return ReportPage(
        lead=count_words(number, asked, is_cut=counted >= MOST_COMPARED),
        filters=filters,
        sections=overview_sections(facts, rate),
        kept=asked.kept("rate"),
        query=asked.query,
        rate=asked.rate,
        is_empty=not number,
    )


def overview_sections(facts: OverviewFacts, rate: Decimal | None) -> tuple[Section, ...]:
    """Return the tables of the page below their headings."""
    passes = tuple(_passes(facts, selection, words) for selection, words in SAMPLE_WORDS.items())
    edges = tuple(_violations(facts, one, words) for one, words in SAMPLE_WORDS.items())
    groups = [one for one in facts.groups if one.version in facts.versions]
    rows = _matrix(
        facts,
        "rows",
        "Rows by version",
        ROWS,
        lambda version: group_cells([one for one in groups if one.version == version]),
    )
    times = _matrix(
        facts,
        "times",
        "Reviewers' time by version",
        time_columns(rate),
        lambda version: time_cells(facts.spent[version], rate) if _timed(facts, version) else (),
    )
    return tuple(
        Section(name, title, tuple(one for one in tables if one.rows))
        for name, title, tables in (
            ("calls", "Calls that pass", passes),
            ("edges", "Critical-edge violations", edges),
            ("rows", "Rows", (rows, *group_tables(groups, facts.sites))),
            ("costs", "Time and cost", (times,)),
        )
    )


def _passes(facts: OverviewFacts, selection: Selection, words: str) -> FigureMatrix:
    known = [one for one in facts.outcomes if one.selection is selection]

    def cells(version: UUID) -> tuple[FigureLine, ...]:
        own = [one for one in known if one.version == version]
        return outcome_cells(own) if own else ()

    return _matrix(
        facts, f"pass-{selection.value.lower()}", f"Calls that pass, {words}", OUTCOMES, cells
    )


def _violations(facts: OverviewFacts, selection: Selection, words: str) -> FigureMatrix:
    """Return each edge by itself: edges of one call hang together, and n is calls."""
    rows = tuple(
        MatrixRow(
            f"{facts.versions[one.version].slug} {facts.versions[one.version].version}",
            (share_line(_VIOLATED, share_of(one.failed, one.judged)),),
            edge_words(one.edge),
            facts.links[one.version],
        )
        for key in facts.versions
        for one in facts.edges
        if one.version == key and one.selection is selection
    )
    return FigureMatrix(
        f"edges-{selection.value.lower()}",
        f"Critical edges that were violated, {words}",
        "Catalog version and edge",
        (_VIOLATED,),
        rows,
    )


def _matrix(
    facts: OverviewFacts,
    name: str,
    title: str,
    columns: Sequence[str],
    cells: Callable[[UUID], tuple[FigureLine, ...]],
) -> FigureMatrix:
    rows = []
    for key, version in facts.versions.items():
        figures = cells(key)
        if figures:
            words = f"{version.slug} {version.version}"
            rows.append(MatrixRow(words, figures, f"in force {version.since}", facts.links[key]))
    return FigureMatrix(name, title, "Catalog version", tuple(columns), tuple(rows))


def _timed(facts: OverviewFacts, version: UUID) -> bool:
    return version in facts.spent and bool(facts.spent[version].seconds)


def _catalogs(catalogs: Sequence[str], asked: ReportAsked) -> FilterLinks:
    every = Link("all catalogs", asked.turned("catalog", "").query, not asked.catalog)
    each = (
        Link(slug, asked.turned("catalog", slug).query, slug == asked.catalog) for slug in catalogs
    )
    return FilterLinks("Catalogs", (every, *each))
