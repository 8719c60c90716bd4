"""The report card of one catalog version as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from review.core.figures import MatcherKind
from review.core.report_card import Cell, Drop, Place, WordingCell
from review.presenters.figure_tables import FigureMatrix, MatrixRow
from review.presenters.report_cards.asked import ReportAsked
from review.presenters.report_cards.costs import time_cells, time_columns
from review.presenters.report_cards.filters import (
    ReportPage,
    Section,
    count_words,
    show_filters,
)
from review.presenters.report_cards.outcomes import edge_table, outcome_table
from review.presenters.report_cards.points import (
    Named,
    drop_table,
    model_tables,
    phase_points,
    source_points,
)
from review.presenters.report_cards.rows import (
    group_tables,
    never_tables,
    proposal_tables,
    row_table,
    verdict_table,
)
from review.presenters.report_cards.wording import wording_tables
from review.queries.report_cards import (
    MOST_CALLS,
    EdgeTally,
    Group,
    Outcomes,
    ProposalTally,
    SpentOnCalls,
)

_KINDS = {
    MatcherKind.WORDS: "words",
    MatcherKind.QUESTION: "question and answer",
    MatcherKind.EVENT: "tool or screen event",
    MatcherKind.EVIDENCE: "evidence of an item",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """The anchors whose precision fell against something; `named` are they by their identity."""

    against: str
    drops: Mapping[str, Drop]
    named: Mapping[str, Named]


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a report card is made of, as queries give it.

    `every` are the outcomes of the days without the filters; `kinds` say by path what sort of
    matcher it is.
    """

    outcomes: tuple[Outcomes, ...]
    every: tuple[Outcomes, ...]
    edges: tuple[EdgeTally, ...]
    cells: tuple[Cell, ...]
    groups: tuple[Group, ...]
    spent: SpentOnCalls
    kinds: Mapping[str, MatcherKind]
    compared: tuple[Compared, ...]
    proposals: tuple[ProposalTally, ...]
    sites: Mapping[str, str]
    wording: tuple[WordingCell, ...] = ()


def show_card(facts: CardFacts, asked: ReportAsked, rate: Decimal | None) -> ReportPage:
    """Draw the page."""
    number = sum(one.number for one in facts.outcomes)
    return ReportPage(
        lead=count_words(number, asked, is_cut=number >= MOST_CALLS),
        filters=show_filters(asked, facts.every, facts.sites),
        sections=card_sections(facts, rate),
        kept=asked.kept("rate"),
        query=asked.query,
        rate=asked.rate,
        is_empty=not number,
    )


def card_sections(facts: CardFacts, rate: Decimal | None) -> tuple[Section, ...]:
    """Return the tables of a report card below their headings."""
    named = named_matchers(facts.kinds)
    return (
        _attention(facts),
        Section("calls", "Calls", _filled(outcome_table(facts.outcomes), edge_table(facts.edges))),
        Section(
            "rows",
            "Rows",
            _filled(row_table(facts.cells), *group_tables(facts.groups, facts.sites)),
        ),
        Section("verdicts", "Verdicts", _filled(verdict_table(facts.cells))),
        *(
            Section(
                f"{place.value}s" if place is Place.START else "finishes",
                "Starts" if place is Place.START else "Finishes",
                _filled(phase_points(facts.cells, place), source_points(facts.cells, place, named)),
            )
            for place in Place
        ),
        *_wording(facts),
        Section("models", "Language models", proposal_tables(facts.proposals), _models(facts)),
        Section("engines", "Engines", _filled(*model_tables(facts.cells))),
        Section("costs", "Time and cost", _times(facts.spent, rate), _time_words(facts.spent)),
    )


def _models(facts: CardFacts) -> tuple[str, ...]:
    if facts.proposals:
        return ()
    return ("No language model proposed anything on rows of these calls that people settled.",)


def named_matchers(kinds: Mapping[str, MatcherKind]) -> dict[str, Named]:
    """Return matchers in words, by path."""
    return {path: Named(path, _KINDS.get(kind, "words")) for path, kind in kinds.items()}


def _wording(facts: CardFacts) -> tuple[Section, ...]:
    """Return what the candidates by wording were worth; nothing where no call was searched."""
    tables = _filled(*wording_tables(facts.wording))
    return (Section("wording", "Candidates by wording", tables),) if tables else ()


def _attention(facts: CardFacts) -> Section:
    tables, words = [], []
    for number, one in enumerate(facts.compared, start=1):
        if one.drops:
            tables.append(drop_table(one.drops, one.named, one.against, number))
        else:
            words.append(f"No anchor's precision fell against {one.against}.")
    return Section("attention", "To look at", (*tables, *never_tables(facts.cells)), tuple(words))


def _times(spent: SpentOnCalls, rate: Decimal | None) -> tuple[FigureMatrix, ...]:
    if not spent.seconds:
        return ()
    row = MatrixRow("calls with a time", time_cells(spent, rate), whole=True)
    columns = time_columns(rate)
    return (FigureMatrix("times", "Reviewers' time", "", columns, (row,)),)


def _time_words(spent: SpentOnCalls) -> tuple[str, ...]:
    words = []
    if spent.untimed:
        words.append(
            f"{spent.untimed:,} call{'' if spent.untimed == 1 else 's'} came without any time "
            "(a browser without JavaScript, or rows confirmed together) and count in no figure "
            "here."
        )
    if spent.partly:
        words.append(
            f"On {spent.partly:,} of the others a part of the decisions came without a time, so "
            "their minutes are too few."
        )
    return tuple(words)


def _filled(*tables: FigureMatrix) -> tuple[FigureMatrix, ...]:
    return tuple(one for one in tables if one.rows)
