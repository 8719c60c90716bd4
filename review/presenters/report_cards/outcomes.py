"""Calls that pass, and critical edges that were violated: each selection by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review.core.compliance.samples import Selection
from review.core.compliance.words import edge_words
from review.core.figures import Share, share_of
from review.presenters.figure_tables import FigureLine, FigureMatrix, MatrixRow, share_line
from review.queries.report_cards import EdgeTally, Outcomes

SAMPLE_WORDS = {
    Selection.RANDOM: "random sample",
    Selection.RISK: "selected by risk",
    Selection.OTHER: "neither",
}
OUTCOMES = ("Coverage", "OrderSafe", "CallSuccess")


def outcome_table(outcomes: Sequence[Outcomes]) -> FigureMatrix:
    """Return how often calls pass, each selection by itself: they never make one number."""
    rows = tuple(
        MatrixRow(words, outcome_cells(found))
        for selection, words in SAMPLE_WORDS.items()
        if (found := [one for one in outcomes if one.selection is selection])
    )
    return FigureMatrix(
        "outcomes",
        "Calls that pass",
        "Chosen by",
        OUTCOMES,
        rows,
        "The random sample alone stands for all calls; calls chosen by risk are worse, and calls "
        "that neither the draw nor a flag chose stand for themselves.",
    )


def edge_table(edges: Sequence[EdgeTally]) -> FigureMatrix:
    """Return how often each critical edge was violated, each selection by itself."""
    rows = tuple(
        MatrixRow(
            edge_words(one.edge),
            (share_line("Violated", share_of(one.failed, one.judged)),),
            SAMPLE_WORDS[one.selection],
        )
        for one in sorted(edges, key=lambda one: (one.edge, list(Selection).index(one.selection)))
    )
    return FigureMatrix("edges", "Critical-edge violations", "Edge", ("Violated",), rows)


def outcome_cells(outcomes: Iterable[Outcomes]) -> tuple[FigureLine, ...]:
    """Return the shares of calls that pass, of those that were determined, of one selection."""
    known = list(outcomes)
    columns = ("coverage", "order_safe", "call_success")
    return tuple(
        share_line(name, _passed([(getattr(one, field), one.number) for one in known]))
        for name, field in zip(OUTCOMES, columns, strict=True)
    )


def _passed(counted: Iterable[tuple[str, int]]) -> Share:
    known = [(outcome, count) for outcome, count in counted if outcome != "UNDETERMINED"]
    return share_of(
        sum(count for outcome, count in known if outcome == "PASS"),
        sum(count for _, count in known),
    )
