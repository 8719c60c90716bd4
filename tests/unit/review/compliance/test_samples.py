"""Samples are counted beside each other and never together; intervals are Wilson's."""

from __future__ import annotations

import itertools
from datetime import date
from math import sqrt

import pytest

from review.core.compliance.periods import Step, period_of, periods_between
from review.core.compliance.samples import (
    MixedSamples,
    NoRate,
    Selection,
    Tally,
    add_up,
    failure_rate,
    selection_of,
    wilson,
)

RANDOM, RISK, OTHER = Selection.RANDOM, Selection.RISK, Selection.OTHER


@pytest.mark.parametrize(
    ("drawn", "flagged", "selection"),
    [(True, False, RANDOM), (True, True, RANDOM), (False, True, RISK), (False, False, OTHER)],
)
def test_the_draw_comes_before_the_flags(drawn: bool, flagged: bool, selection: Selection) -> None:
    assert selection_of(drawn=drawn, flagged=flagged) is selection


@pytest.mark.parametrize("pair", [(RANDOM, RISK), (RISK, OTHER), (OTHER, RANDOM)], ids=str)
def test_two_selections_are_never_one_number(pair: tuple[Selection, Selection]) -> None:
    with pytest.raises(MixedSamples, match="not added up"):
        add_up([Tally(pair[0], 1, 2), Tally(pair[1], 0, 3)])


def test_tallies_of_one_selection_add_up() -> None:
    assert add_up([Tally(RISK, 1, 2), Tally(RISK, 0, 3)]) == Tally(RISK, 1, 5)
    with pytest.raises(ValueError, match="no tally"):
        add_up([])


def test_who_was_not_selected_has_no_rate() -> None:
    with pytest.raises(NoRate):
        failure_rate(Tally(OTHER, 1, 2))


def test_nothing_judged_is_no_rate_and_not_zero() -> None:
    assert failure_rate(Tally(RANDOM, 0, 0)) is None


@pytest.mark.parametrize("counts", [(-1, 2), (3, 2)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        Tally(RANDOM, *counts)


@pytest.mark.parametrize(
    ("failed", "judged"), [(0, 1), (1, 1), (0, 10), (5, 10), (3, 100), (100, 100), (7, 20_000)]
)
def test_wilsons_ends_are_where_the_score_test_just_refuses(failed: int, judged: int) -> None:
    share = failed / judged
    low, high = wilson(failed, judged)
    assert 0 <= low <= share <= high <= 1
    for end in (low, high):
        # Wilson's definition: |share - p| is 1.96 standard errors as p itself has them.
        error = 1.959964 * sqrt(end * (1 - end) / judged)
        at_the_edge = end in (0, 1) and end == share
        assert at_the_edge or abs(share - end) == pytest.approx(error, rel=1e-5)


def test_a_rate_keeps_its_selection_and_its_counts() -> None:
    rate = failure_rate(Tally(RANDOM, 1, 4))
    assert rate is not None
    assert (rate.selection, rate.failed, rate.judged, rate.share) == (RANDOM, 1, 4, 0.25)
    assert rate.low < rate.share < rate.high


@pytest.mark.parametrize(
    ("day", "step", "first", "last", "name"),
    [
        ("2026-11-29", Step.WEEK, "2026-11-23", "2026-11-29", "23 Nov 2026"),
        ("2026-11-30", Step.WEEK, "2026-11-30", "2026-12-06", "30 Nov 2026"),
        ("2026-12-31", Step.MONTH, "2026-12-01", "2026-12-31", "Dec 2026"),
        ("2024-02-10", Step.MONTH, "2024-02-01", "2024-02-29", "Feb 2024"),
        ("2026-11-29", Step.QUARTER, "2026-10-01", "2026-12-31", "2026 Q4"),
        ("2026-01-01", Step.QUARTER, "2026-01-01", "2026-03-31", "2026 Q1"),
    ],
)
def test_periods(day: str, step: Step, first: str, last: str, name: str) -> None:
    found = period_of(date.fromisoformat(day), step)
    assert (found.first.isoformat(), found.last.isoformat(), found.name) == (first, last, name)


def test_periods_follow_one_another_without_a_gap() -> None:
    for step in Step:
        found = list(periods_between(date(2025, 12, 30), date(2026, 4, 2), step))
        assert found[0].first <= date(2025, 12, 30)
        assert found[-1].last >= date(2026, 4, 2)
        assert all((b.first - a.last).days == 1 for a, b in itertools.pairwise(found))
    assert not list(periods_between(date(2026, 2, 1), date(2026, 1, 31), Step.MONTH))
