"""Report cards against tables made by hand, and Newcombe's published intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from math import sqrt
from statistics import mean, median, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.core.document import Matcher, load_document
from review.core.evidence.patterns import matchers_of
from review.core.figures import share_of
from review.core.report_card import (
    Cell,
    Offset,
    Place,
    WordingCell,
    automation_rate,
    cost_per_100,
    difference_of,
    drops,
    matcher_identity,
    mean_of,
    never_decided,
    override_rate,
    phase_exact_match,
    point_figures,
    precisions_by_matcher,
    verdict_figures,
    wording_figures,
)
from review.core.rows import Verdict
from tests.factories import catalog_source

PASS, FAIL, UNKNOWN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN
A, B = "PID.starts[0]", "PID.starts[1]"

#: settled, flagged, start: source, proposed turn, decided turn; verdict proposed, decided; count.
TABLE = [
    (True, False, A, 4, 4, PASS, PASS, 10),
    (True, True, A, 4, 5, PASS, PASS, 3),
    (True, True, A, 4, 1, PASS, FAIL, 2),
    (True, True, A, 4, None, PASS, FAIL, 1),
    (True, False, B, 7, 7, FAIL, FAIL, 4),
    (True, True, "", None, 9, UNKNOWN, PASS, 5),
    (True, False, "", None, None, FAIL, FAIL, 2),
    (False, False, B, 7, 7, PASS, PASS, 20),
]


def cell(
    settled: bool = True,
    flagged: bool = False,
    source: str = A,
    proposed: int | None = 4,
    decided: int | None = 4,
    verdict: Verdict = PASS,
    stands: Verdict = PASS,
    count: int = 1,
    *,
    phase: str = "PID",
    owed: bool = True,
) -> Cell:
    turns = None if proposed is None or decided is None else decided - proposed
    end = Offset(source, proposed is not None, decided is not None, turns)
    same = end.stands and verdict is stands
    return Cell(phase, "m", settled, flagged, owed, same, end, end, verdict, stands, count)


CELLS = [cell(*row) for row in TABLE]

#: What of TABLE is exact, of how many: counted by hand.
STARTS = [
    (None, (14, 20), (14, 24), (17, 19), 19),
    (A, (10, 16), (10, 24), (13, 15), 15),
    (B, (4, 4), (4, 24), (4, 4), 4),
    ("", (0, 0), (0, 24), (0, 0), 0),
]


@pytest.mark.parametrize("place", Place)
@pytest.mark.parametrize(("source", "precision", "recall", "near", "n"), STARTS)
def test_starts_and_finishes_are_counted_as_by_hand(
    place: Place,
    source: str | None,
    precision: tuple[int, int],
    recall: tuple[int, int],
    near: tuple[int, int],
    n: int,
) -> None:
    found = point_figures(CELLS, place, source=source)
    assert found.precision == share_of(*precision)
    assert found.recall == share_of(*recall)
    assert found.near == share_of(*near)
    assert found.error.n == n


def test_the_boundary_error_is_the_median_of_turns_without_their_sign() -> None:
    turns = [0] * 2 + [-1] * 2 + [5] * 3
    found = point_figures([cell(decided=4 + one) for one in turns], Place.START).error
    assert found.median == median(abs(one) for one in turns) == 1
    # Seven values: the sign test's interval is from the first to the last of them.
    assert (found.low, found.high) == (0, 5)


def test_recalls_of_matchers_add_up_to_the_phase_s() -> None:
    whole = point_figures(CELLS, Place.START).recall
    each = [point_figures(CELLS, Place.START, source=one).recall for one in (A, B, "")]
    assert sum(one.part for one in each) == whole.part
    assert {one.n for one in each} == {whole.n}


#: verdict: precision, recall.
VERDICTS = {PASS: ((13, 16), (13, 18)), FAIL: ((6, 6), (6, 9)), UNKNOWN: ((0, 5), (0, 0))}


@pytest.mark.parametrize(("verdict", "expected"), VERDICTS.items())
def test_verdicts_are_counted_as_by_hand(
    verdict: Verdict, expected: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    found = verdict_figures(CELLS, verdict)
    assert tuple(found) == (share_of(*expected[0]), share_of(*expected[1]))


def test_rates_of_rows_are_counted_as_by_hand() -> None:
    assert phase_exact_match(CELLS) == share_of(16, 27)
    assert override_rate(CELLS) == share_of(11, 27)
    # Rows that nobody settled stand as well, and no flag asked for anybody.
    assert automation_rate(CELLS) == share_of(36, 47)
    assert automation_rate([]) == share_of(0, 0)


def test_phases_that_nobody_fails_are_of_owed_rows_that_people_settled() -> None:
    cells = [
        cell(phase="A", count=30),
        cell(phase="B", count=30),
        cell(phase="B", stands=FAIL),
        cell(phase="C", owed=False),
        cell(phase="D", settled=False),
        cell(phase="E", stands=UNKNOWN),
        cell(phase="F", stands=FAIL, count=2),
    ]
    assert never_decided(cells, FAIL) == {"A": share_of(0, 30)}
    assert never_decided(cells, PASS) == {"F": share_of(0, 2)}


#: Newcombe 1998, table II, method 10: a/m, b/n, and the ends.
NEWCOMBE = [
    ((56, 70), (48, 80), 0.0524, 0.3339),
    ((9, 10), (3, 10), 0.1705, 0.8090),
    ((6, 7), (2, 7), 0.0582, 0.8062),
    ((5, 56), (0, 29), -0.0381, 0.1926),
    ((0, 10), (0, 20), -0.1611, 0.2775),
    ((0, 10), (0, 10), -0.2775, 0.2775),
    ((10, 10), (0, 20), 0.6791, 1.0),
    ((10, 10), (0, 10), 0.6075, 1.0),
]


@pytest.mark.parametrize(("first", "second", "low", "high"), NEWCOMBE)
def test_a_difference_has_the_interval_that_is_published(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = difference_of(share_of(*first), share_of(*second))
    assert found is not None
    assert [round(end, 4) for end in found[1:]] == [low, high]
    other = difference_of(share_of(*second), share_of(*first))
    assert other is not None
    assert [round(-end, 4) for end in other[1:]] == [high, low]


def test_a_drop_is_sure_when_its_whole_interval_is_below_nothing() -> None:
    before = {one: share_of(90, 100) for one in "abcd"} | {"e": share_of(0, 0)}
    now = {
        "a": share_of(89, 100),
        "b": share_of(60, 100),
        "c": share_of(95, 100),
        "e": share_of(1, 2),
        "new": share_of(0, 9),
    }
    found = drops(now, before)
    assert [(key, one.is_sure) for key, one in found.items()] == [("b", True), ("a", False)]


@given(st.lists(st.integers(0, 5_000), min_size=20, max_size=60))
def test_a_mean_is_that_of_the_times_themselves(times: list[int]) -> None:
    found = mean_of(Counter(times))
    half = 1.959963984540054 * stdev(times) / sqrt(len(times))
    assert found.value == pytest.approx(mean(times))
    assert found.low == pytest.approx(max(0.0, mean(times) - half), abs=1e-9)
    assert found.high == pytest.approx(mean(times) + half)


def test_of_few_times_there_is_a_mean_and_no_interval() -> None:
    assert mean_of({})[1:] == (None, None, None)
    assert mean_of({30: 19}) == (19, 30.0, None, None)
    assert mean_of({30: 20}) == (20, 30.0, 30.0, 30.0)
    assert cost_per_100(90.0, Decimal("0.5")) == Decimal("75.00")


def test_a_matcher_keeps_its_identity_in_another_place_of_its_phase() -> None:
    document, _ = load_document(catalog_source("benefits_verification"))
    assert document is not None
    matchers = list(matchers_of(document))
    named = matcher_identity(matchers)
    assert len(named) == len(matchers)
    first = next(one for one in matchers if one.path == "CSV.starts[0]")
    [(_, moved)] = matcher_identity([_at(first, "CSV.starts[7]")]).items()
    [(_, other)] = matcher_identity([_at(first, "PID.starts[0]")]).items()
    assert moved == named["CSV.starts[0]"]
    assert other != named["CSV.starts[0]"]


def test_precisions_are_of_what_each_matcher_proposed_wherever_it_stands() -> None:
    found = precisions_by_matcher(CELLS, Place.START, {A: "one", B: "two", "GONE": "three"})
    assert found == {"one": share_of(10, 16), "two": share_of(4, 4)}
    both = precisions_by_matcher(CELLS, Place.START, {A: "same", B: "same"})
    assert both == {"same": share_of(14, 20)}


def _at(matcher: Matcher, path: str) -> Matcher:
    return replace(matcher, path=path)


def test_candidates_by_wording_are_counted_beside_the_rules() -> None:
    cells = [
        # rules had it; wording had it where rules did not; nobody; both
        WordingCell("A", Place.START, False, True, False, False, 5),
        WordingCell("A", Place.START, False, False, True, True, 3),
        WordingCell("A", Place.START, True, False, True, False, 1),
        WordingCell("A", Place.START, False, True, True, True, 1),
    ]
    found = wording_figures(cells)
    assert (found.rules.part, found.rules.n) == (6, 10)
    assert (found.wording.part, found.wording.n) == (4, 5)
    assert (found.either.part, found.either.n) == (9, 10)
    assert wording_figures([]).wording.value is None
