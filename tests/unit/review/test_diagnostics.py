"""Figures that never decide: worked numbers of the reference, and what they do with unknowns."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from review.core import diagnostics
from review.core.rows import NEVER, UNKNOWN, Attempt, ItemState, Point, Row, Verdict

CASE_B = {
    "PID": (45, 52), "CSV": (42, 81), "DFV": (82, 99),
    "DRC": (90, 101), "DCC": (102, 103), "CRN": (104, 107),
}  # fmt: skip
CHAIN = ["PID", "CSV", "DFV", "DRC", "DCC"]
NINE = [*itertools.pairwise(CHAIN), *((phase, "CRN") for phase in CHAIN)]


def row(phase: str, start: Point, finish: Point, *attempts: int) -> Row:
    return Row(
        phase, start, finish, Verdict.PASS, attempts=tuple(Attempt(at, "x") for at in attempts)
    )


def rows() -> dict[str, Row]:
    return {phase: row(phase, start, finish) for phase, (start, finish) in CASE_B.items()}


@pytest.mark.parametrize(
    ("outcomes", "low", "high"),
    [
        ([False], Fraction(0), Fraction(0)),
        ([False, False, True], Fraction(1, 3), Fraction(1, 3)),
        ([True, None, False], Fraction(1, 3), Fraction(2, 3)),
    ],
)
def test_cds_is_the_share_of_satisfied_critical_edges(
    outcomes: list[bool | None], low: Fraction, high: Fraction
) -> None:
    assert diagnostics.critical_dependency_share(outcomes) == diagnostics.Interval(low, high)


def test_cds_of_no_critical_edge_is_nothing() -> None:
    assert diagnostics.critical_dependency_share([]) is None


def test_psa_and_ord_of_case_b_on_the_nine_edges_of_the_paper() -> None:
    assert diagnostics.phase_sequence_agreement(NINE, rows()) == Fraction(14, 15)
    assert diagnostics.order_ratio(NINE, rows()) == Fraction(7, 9)


def test_psa_counts_a_tie_as_half_and_leaves_out_what_never_started() -> None:
    some = {"A": row("A", 3, 4), "B": row("B", 3, 5), "C": row("C", NEVER, NEVER)}
    edges = [("A", "B"), ("B", "C")]
    assert diagnostics.phase_sequence_agreement(edges, some) == Fraction(1, 2)
    assert diagnostics.phase_sequence_agreement([("B", "C")], some) is None


@pytest.mark.parametrize(("slack", "share"), [(0, Fraction(6, 7)), (6, Fraction(1))])
def test_apc_of_the_reference(slack: int, share: Fraction) -> None:
    proposed = {"PID": [45], "CSV": [42, 80], "DFV": [82], "DRC": [84], "DCC": [102], "CRN": [107]}
    some = {phase: row(phase, *CASE_B[phase], *turns) for phase, turns in proposed.items()}
    assert diagnostics.attempt_phase_consistency(some, slack=slack) == share


def test_apc_leaves_the_window_open_where_a_phase_never_finished() -> None:
    assert diagnostics.attempt_phase_consistency({"A": row("A", 5, NEVER, 99)}) == Fraction(1)
    assert diagnostics.attempt_phase_consistency({"A": row("A", NEVER, NEVER, 9)}) == Fraction(0)
    assert diagnostics.attempt_phase_consistency({"A": row("A", 5, 6)}) is None


@pytest.mark.parametrize(
    ("mets", "low", "high", "reached"),
    [
        ([True, False], Fraction(1, 2), Fraction(1, 2), False),
        ([True, True], Fraction(1), Fraction(1), True),
        ([True, None], Fraction(1, 2), Fraction(1), None),
        ([False, None], Fraction(0), Fraction(1, 2), False),
    ],
)
def test_graded(
    mets: list[bool | None], low: Fraction, high: Fraction, reached: bool | None
) -> None:
    items = tuple(ItemState(str(at), met, None) for at, met in enumerate(mets))
    graded = diagnostics.graded(Row("A", 1, 2, Verdict.PASS, items=items), Decimal("0.8"))
    assert graded == (diagnostics.Interval(low, high), reached)


@pytest.mark.parametrize(
    ("score", "verdict", "differs"),
    [
        (False, Verdict.PASS, True),
        (True, Verdict.FAIL, True),
        (True, Verdict.PASS, False),
        (None, Verdict.PASS, False),
        (False, Verdict.UNKNOWN, False),
    ],
)
def test_a_grade_that_differs_from_the_verdict_is_marked(
    score: bool | None, verdict: Verdict, differs: bool
) -> None:
    assert diagnostics.differs_from_verdict(score, verdict) is differs


@pytest.mark.parametrize(
    ("parent", "child", "ok"),
    [
        (row("A", 1, 2), row("B", 3, 4), True),
        (row("A", 1, 3), row("B", 3, 4), False),
        (row("A", 1, NEVER), row("B", 3, 4), False),
        (row("A", 1, UNKNOWN), row("B", 3, 4), None),
        (row("A", 1, 2), row("B", NEVER, NEVER), True),
        (row("A", 1, 2), row("B", UNKNOWN, UNKNOWN), None),
    ],
)
def test_an_advisory_edge_is_advice(parent: Row, child: Row, ok: bool | None) -> None:
    assert diagnostics.advisory_outcome(("A", "B"), {"A": parent, "B": child}) is ok
