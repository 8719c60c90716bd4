"""The interval by call, and the measures of a calibration round."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from review.core.agreement import (
    Interval,
    Rated,
    RatedCall,
    Undefined,
    decimal,
    measure_agreement,
    measured_from_json,
    measured_to_json,
    percentile_interval,
    raw_agreement,
    small_n,
)
from review.core.agreement.coefficients import Table
from review.core.rows import NEVER, UNKNOWN, Verdict

AGREED, APART = ["x", "x"], ["x", "y"]


def raw(table: Table) -> Fraction | None:
    value = raw_agreement(table).value
    return None if isinstance(value, Undefined) else value


def draws(calls: int, count: int = 1_000, seed: int = 1) -> list[list[int]]:
    random = Random(seed)  # noqa: S311 - reproducible tables
    return [random.choices(range(calls), k=calls) for _ in range(count)]


def test_whole_calls_are_drawn() -> None:
    calls: list[Table] = [[AGREED] * 4, [APART] * 4]
    drawn = [[0, 0], [0, 1], [1, 0], [1, 1]]
    # Sorted: 0, 1/2, 1/2, 1. The quantile at 1/40 of 3 steps lies 3/40 of the way to 1/2.
    found = percentile_interval(calls, drawn, raw)
    assert found == Interval(Fraction(3, 80), 1 - Fraction(3, 80), 4, 0)


def test_the_interval_is_that_of_a_plain_bootstrap() -> None:
    calls: list[Table] = [[AGREED] * 3 + [APART], [APART] * 2 + [AGREED], [AGREED] * 5]
    drawn = draws(3)
    values = sorted(float(raw([unit for at in draw for unit in calls[at]]) or 0) for draw in drawn)
    place = 0.025 * 999
    low = values[int(place)] + (place % 1) * (values[int(place) + 1] - values[int(place)])
    found = percentile_interval(calls, drawn, raw)
    assert found.low is not None
    assert abs(float(found.low) - low) < 1e-12


def test_draws_without_a_value_are_counted_not_hidden() -> None:
    calls: list[Table] = [[AGREED], []]
    found = percentile_interval(calls, [[0, 1], [1, 1], [0, 0]], raw)
    assert found == Interval(Fraction(1), Fraction(1), 2, 1)


def test_one_call_has_no_interval() -> None:
    assert percentile_interval([[AGREED]], [[0]], raw).low is None


FIRST = Rated(True, 4, 6, Verdict.PASS)
ROUND = (
    RatedCall(
        ("PID", "CSV", "DCC"),
        (
            {
                "PID": FIRST,
                "CSV": Rated(True, 8, 9, Verdict.PASS),
                "DCC": Rated(None, UNKNOWN, UNKNOWN, Verdict.UNKNOWN),
            },
            {
                "PID": FIRST._replace(start=5),
                "CSV": Rated(True, NEVER, NEVER, Verdict.FAIL),
                "DCC": Rated(False, UNKNOWN, UNKNOWN, Verdict.UNKNOWN),
            },
        ),
        ({("PID", "CSV"): True}, {("PID", "CSV"): False}),
    ),
    RatedCall(("PID",), ({"PID": FIRST}, {}), ({}, {})),
)


@pytest.mark.parametrize(
    ("measure", "raw_share", "n", "excluded"),
    [
        ("required", Fraction(2, 3), 3, 1),
        ("verdict", Fraction(2, 3), 3, 1),
        ("start", Fraction(1, 3), 3, 1),
        ("start_near", Fraction(2, 3), 3, 1),
        ("finish", Fraction(2, 3), 3, 1),
        ("edge", Fraction(0), 1, 0),
    ],
)
def test_each_measure_has_its_own_units(
    measure: str, raw_share: Fraction, n: int, excluded: int
) -> None:
    [found] = [one for one in measure_agreement(ROUND, draws(2, 50)) if one.id == measure]
    assert found.figures["raw"][:1] + found.figures["raw"][2:] == (raw_share, n, excluded)


def test_figures_come_back_from_plain_json() -> None:
    for one in measure_agreement(ROUND, draws(2, 50)):
        assert measured_from_json(json.loads(json.dumps(measured_to_json(one)))) == one


def test_nothing_rated_at_all_is_said_in_words() -> None:
    for one in measure_agreement((), ()):
        assert one.figures["raw"].value is Undefined.NOTHING_RATED_TWICE
        assert "no figure" in one.small_n


@pytest.mark.parametrize(
    ("n", "calls", "words"),
    [
        (0, 3, "no figure"),
        (12, 1, "one call"),
        (18, 3, "18 ratings of 3 calls are few"),
        (60, 5, "5 are few to draw from"),
        (400, 40, ""),
    ],
)
def test_small_numbers_say_so(n: int, calls: int, words: str) -> None:
    said = small_n(n, calls)
    assert words in said if words else said == ""


@pytest.mark.parametrize(
    ("value", "written"),
    [(Fraction(2, 3), "0.67"), (Fraction(1), "1.00"), (Fraction(-1, 1000), "0.00")],
)
def test_decimals(value: Fraction, written: str) -> None:
    assert decimal(value) == written
