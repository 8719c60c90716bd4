"""Shares and medians against numbers made by hand, and against other ways to the same interval."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.core.document import load_document
from review.core.figures import MatcherKind, joined, kind_of_source, share_of, times_of
from tests.factories import catalog_source

Z = 1.959963984540054

#: part, n, low, high: Newcombe 1998, table I, and two from the formula by hand.
SHARES = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (8, 10, 0.4902, 0.9433),
    (10, 10, 0.7225, 1.0),
]


@pytest.mark.parametrize(("part", "n", "low", "high"), SHARES)
def test_a_share_has_the_interval_that_is_published(
    part: int, n: int, low: float, high: float
) -> None:
    found = share_of(part, n)
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (low, high)
    assert found.value == part / n


@given(st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_are_the_shares_that_the_score_test_just_keeps(pair: tuple[int, int]) -> None:
    part, n = pair
    found = share_of(part, n)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= part / n <= found.high <= 1
    for end in (found.low, found.high):
        if 0 < end < 1:
            score = abs(part / n - end) / sqrt(end * (1 - end) / n)
            assert score == pytest.approx(Z, rel=1e-6)


def test_of_nothing_there_is_no_share_and_few_are_said_to_be_few() -> None:
    assert share_of(0, 0)[2:] == (None, None)
    assert share_of(0, 0).value is None
    assert [share_of(1, n).is_few for n in (1, 19, 20)] == [True, True, False]
    with pytest.raises(ValueError, match="3 of 2"):
        share_of(3, 2)


#: n: the rank of the lower end, from the published table of the sign test at 5 percent.
RANKS = {5: 0, 6: 1, 8: 1, 9: 2, 12: 3, 15: 4, 20: 6, 25: 8, 30: 10, 40: 14, 50: 18, 100: 40}


@pytest.mark.parametrize(("n", "rank"), RANKS.items())
def test_a_median_has_the_ranks_of_the_sign_test(n: int, rank: int) -> None:
    found = times_of(dict.fromkeys(range(1, n + 1), 1))
    assert found.n == n
    assert found.median == (n + 1) / 2
    expected = (rank, n + 1 - rank) if rank else (None, None)
    assert (found.low, found.high) == expected


@given(st.lists(st.integers(0, 200), min_size=1, max_size=80))
def test_medians_are_those_of_the_times_themselves(times: list[int]) -> None:
    found = times_of(Counter(times))
    assert found.median == median(times)
    if found.low is None or found.high is None:
        assert len(times) < 6
        return
    ordered = sorted(times)
    rank = next(k for k in range(len(times), 0, -1) if _misses(k, len(times)) <= Fraction(1, 20))
    assert (found.low, found.high) == (ordered[rank - 1], ordered[-rank])


def _misses(rank: int, n: int) -> Fraction:
    """Return how often an interval from a rank to the same from the end misses the median."""
    return Fraction(2 * sum(comb(n, k) for k in range(rank)), 2**n)


def test_many_times_are_as_exact_as_few() -> None:
    n = 1_000
    below, above = (dict.fromkeys(range(many), 1) for many in (n, n + 1))
    exact, normal = times_of(below), times_of(above)
    assert exact.low is not None
    assert normal.low is not None
    assert abs(exact.low - normal.low) <= 1


def test_histograms_are_joined() -> None:
    assert joined([{1: 2, 3: 1}, {1: 1}, {}]) == {1: 3, 3: 1}


def test_a_path_says_what_sort_of_matcher_gave_a_start() -> None:
    document, _ = load_document(catalog_source("benefits_verification"))
    assert document is not None
    paths = {one.path for phase in document.phases for one in phase.starts}
    kinds = {kind_of_source(document, path) for path in paths}
    assert kinds <= {MatcherKind.WORDS, MatcherKind.QUESTION, MatcherKind.EVENT}
    assert MatcherKind.WORDS in kinds
    assert kind_of_source(document, "") is MatcherKind.NOTHING
    assert kind_of_source(document, "PID.accept.x.match[0]") is MatcherKind.EVIDENCE
    assert kind_of_source(document, "GONE.starts[0]") is MatcherKind.OTHER
