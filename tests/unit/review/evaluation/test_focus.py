"""Which turn a person looks at first: evidence of the first flagged row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from review.core.evaluation import (
    EdgeReport,
    EvidenceReport,
    FlagReport,
    Report,
    RowReport,
    focus_turn,
)
from tests.golden.judged import judged, raw_case

FLAG = (FlagReport("PARTIAL", "One item is open."),)


def evidence(*turns: int) -> tuple[EvidenceReport, ...]:
    return tuple(EvidenceReport("item", turn, 0, 1, "words") for turn in turns)


def row(phase: str, start: int, finish: int, *turns: int, flagged: bool = True) -> RowReport:
    """Return a row of Case B with another name, start, finish and evidence."""
    plain = replace(CASE_B.rows[0], phase=phase, start=start, finish=finish, attempts=())
    return replace(plain, evidence=evidence(*turns), flags=FLAG if flagged else ())


def report(*rows: RowReport, broken: tuple[str, str, int] | None = None) -> Report:
    edges: tuple[EdgeReport, ...] = ()
    if broken is not None:
        parent, child, start = broken
        violated = next(edge for edge in CASE_B.edges if edge.critical and edge.ok is False)
        edges = (replace(violated, parent=parent, child=child, child_start=start),)
    return replace(CASE_B, rows=rows, edges=edges)


CASE_B = judged("benefits_verification", raw_case("case_b_call")).report


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        (report(row("A", 3, 9, 7, 9)), 7),
        (report(row("A", 3, 9)), 3),
        (report(row("A", 3, 9, 7, flagged=False), row("B", 20, 30, 25)), 25),
        (report(row("A", 3, 9, 7, flagged=False)), None),
        (report(row("A", 3, 30, 14, 30), broken=("A", "B", 12)), 12),
        (report(row("A", 3, 60, 44, 60), broken=("A", "B", 12)), 44),
        (report(row("B", 12, 40, 20, 40), broken=("A", "B", 12)), 12),
        (report(row("C", 1, 2, 2), row("B", 12, 40, 20), broken=("A", "B", 12)), 2),
    ],
    ids=[
        "evidence before the start",
        "a start where there is no evidence",
        "the first flagged row",
        "nothing flagged",
        "the turn that broke the order, with evidence in sight of it",
        "evidence, where the turn that broke the order is far from it",
        "the start that came too early",
        "the first flagged row, though a later one broke the order",
    ],
)
def test_the_look_goes_to_the_first_flagged_rows_evidence(given: Report, turn: int | None) -> None:
    assert focus_turn(given) == turn


def test_case_b_shows_where_the_order_broke() -> None:
    assert focus_turn(CASE_B) == 42
