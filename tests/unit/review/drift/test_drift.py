"""Drift: agreement of two readings against a second implementation, shares by period, and falls."""

from __future__ import annotations

from datetime import date
from math import isclose, sqrt
from random import Random

import pytest

from review.core.compliance.periods import Step
from review.core.drift import (
    Fall,
    ReadTwice,
    agreement_of,
    calls_alike,
    fall_of,
    shares_by_name,
    shares_by_period,
)
from review.core.figures import Share, share_of
from review.core.readings import Answer, Compared, EdgePair, Pair
from review.core.rows import NEVER, Verdict
from tests.reference import agreement_reference as reference

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN
PHASES = ("PID", "CSV", "DCC")
#: The categories that could be given, as the method names them.
VERDICTS = [one.value for one in Verdict]
ORDINARY = Answer(True, 3, 4, PASS)


def read_twice(day: date = date(2026, 1, 5), site: str = "north", **said: Answer) -> ReadTwice:
    """Return a call of which the second reader says other than the first only what is `said`."""
    pairs = tuple(Pair(phase, ORDINARY, said.get(phase, ORDINARY)) for phase in PHASES)
    return ReadTwice(day, site, Compared(pairs, ()))


def random_calls(seed: int) -> list[Compared]:
    """Return readings that agree often; now and then nobody differs, or one verdict alone is."""
    draw = Random(seed)  # noqa: S311 - makes calls
    faithful, verdicts = (
        draw.choice([0.3, 0.7, 0.95, 1.0]),
        draw.choice([[PASS], [PASS, FAIL, OPEN]]),
    )
    calls = []
    for _ in range(draw.randint(1, 12)):
        pairs = []
        for phase in PHASES[: draw.randint(1, 3)]:
            first = Answer(True, draw.randint(1, 4), NEVER, draw.choice(verdicts))
            other = Answer(
                draw.choice([True, None]), draw.randint(1, 4), NEVER, draw.choice(verdicts)
            )
            pairs.append(Pair(phase, first, first if draw.random() < faithful else other))
        calls.append(Compared(tuple(pairs), ()))
    return calls


def by_reference(calls: list[Compared], name: str) -> float | None:
    """Return a coefficient of verdicts as the second implementation has it."""
    table = [
        [pair.first.verdict.value, pair.second.verdict.value] for one in calls for pair in one.pairs
    ]
    if not table:
        return None
    match name:
        case "raw":
            return reference.raw(table)
        case "kappa":
            return reference.cohen(table)
        case _:
            return reference.ac1(table, scale=VERDICTS)


@pytest.mark.parametrize("name", ["raw", "kappa", "ac1"])
def test_figures_and_intervals_are_those_of_a_second_implementation(name: str) -> None:
    for seed in range(200):
        calls = random_calls(seed)
        found = getattr(agreement_of(calls, "verdict"), name)
        expected = by_reference(calls, name)
        assert (found.value is None) == (expected is None), seed
        if expected is None:
            continue
        assert isclose(found.value, expected, abs_tol=1e-12), seed
        left_out = [by_reference([*calls[:at], *calls[at + 1 :]], name) for at in range(len(calls))]
        if len(calls) < 2 or None in left_out:
            assert found.low is None, seed
            continue
        told = [one for one in left_out if one is not None]
        mean, n = sum(told) / len(told), len(told)
        half = 1.959963984540054 * sqrt((n - 1) / n * sum((one - mean) ** 2 for one in told))
        if half < 1e-12:
            continue
        assert isclose(found.low, max(-1, expected - half), abs_tol=1e-9), seed
        assert isclose(found.high, min(1, expected + half), abs_tol=1e-9), seed


def test_where_nobody_differs_there_is_no_interval() -> None:
    found = agreement_of([read_twice().compared] * 5, "verdict")
    assert (found.raw.value, found.raw.low, found.raw.high) == (1.0, None, None)
    assert (found.n, found.calls) == (15, 5)


def test_turns_have_no_coefficient_that_corrects_for_chance() -> None:
    calls = [read_twice(PID=ORDINARY._replace(start=4)).compared]
    same, near = agreement_of(calls, "start"), agreement_of(calls, "start_near")
    assert (same.kappa, same.ac1) == (None, None)
    assert same.raw.value == pytest.approx(2 / 3)
    assert near.raw.value == 1.0


def test_a_call_counts_once_whatever_number_of_rows_differ() -> None:
    failed = ORDINARY._replace(verdict=FAIL)
    calls = [read_twice(), read_twice(PID=failed), read_twice(PID=failed, CSV=failed)]
    assert calls_alike(calls, "verdict") == share_of(1, 3)
    assert shares_by_name(calls, "verdict") == {
        "PID": share_of(1, 3),
        "CSV": share_of(2, 3),
        "DCC": share_of(3, 3),
    }


def test_edges_are_named_by_their_ends_and_calls_without_one_do_not_count() -> None:
    edge = ReadTwice(date(2026, 1, 5), "north", Compared((), (EdgePair("PID", "CSV", True, None),)))
    assert shares_by_name([edge, read_twice()], "edge") == {"PID→CSV": share_of(0, 1)}
    assert calls_alike([edge, read_twice()], "edge") == share_of(0, 1)


def test_periods_are_by_the_day_on_which_the_second_reading_was_done() -> None:
    calls = [
        read_twice(date(2026, 1, 31)),
        read_twice(date(2026, 2, 1), PID=ORDINARY._replace(verdict=FAIL)),
        read_twice(date(2026, 2, 28)),
    ]
    months = shares_by_period(calls, "verdict", Step.MONTH)
    assert months[""] == {date(2026, 1, 1): share_of(1, 1), date(2026, 2, 1): share_of(1, 2)}
    assert months["CSV"][date(2026, 2, 1)] == share_of(2, 2)


def months(*shares: tuple[int, int]) -> dict[date, Share]:
    return {date(2026, at + 1, 1): share_of(*share) for at, share in enumerate(shares)}


@pytest.mark.parametrize(
    ("shares", "since", "is_sure"),
    [
        # Nothing to compare with, and nothing at all.
        ([], None, False),
        ([(5, 50)], None, False),
        # As before; better than before.
        ([(45, 50), (44, 50)], None, False),
        ([(25, 50), (50, 50)], None, False),
        # One low period, and two in a row.
        ([(48, 50), (47, 50), (20, 50)], 3, False),
        ([(48, 50), (47, 50), (20, 50), (25, 50)], 3, True),
        # Low once, and back.
        ([(48, 50), (20, 50), (47, 50)], None, False),
        # Few calls say nothing, and fall out of the row.
        ([(48, 50), (1, 4), (1, 4)], None, False),
        ([(48, 50), (20, 50), (1, 4), (20, 50)], 2, True),
        # A period without a call is none.
        ([(48, 50), (20, 50), (0, 0), (20, 50)], 2, True),
    ],
)
def test_when_agreement_fell(
    shares: list[tuple[int, int]], since: int | None, is_sure: bool
) -> None:
    found = fall_of(months(*shares))
    if since is None:
        assert found is None
        return
    assert found is not None
    assert (found.since, found.is_sure) == (date(2026, since, 1), is_sure)


def test_a_fall_says_what_it_was_before_and_what_it_is() -> None:
    found = fall_of(months((48, 50), (20, 50), (25, 50)))
    assert found == Fall(date(2026, 2, 1), share_of(48, 50), share_of(45, 100), True)
