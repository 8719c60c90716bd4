"""Agreement: published worked examples, a second implementation, and what has no value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from review.core.agreement import (
    COEFFICIENTS,
    Undefined,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    near,
    prevalence,
    raw_agreement,
)
from review.core.agreement.coefficients import Table
from tests.reference import agreement_reference as reference
from tests.reference.random_ratings import random_tables

REFERENCES: dict[str, Any] = {
    "raw": reference.raw,
    "cohen": reference.cohen,
    "fleiss": reference.fleiss,
    "alpha": reference.alpha,
    "ac1": reference.ac1,
}


def crossed(*rows: Sequence[int]) -> list[list[int]]:
    """Return the ratings of two raters that this table of counts sums up."""
    return [
        [first, second]
        for first, row in enumerate(rows)
        for second, times in enumerate(row)
        for _ in range(times)
    ]


def counted(*rows: Sequence[int]) -> list[list[int]]:
    """Return the ratings of as many raters as each row of counts sums up to."""
    return [[kind for kind, times in enumerate(row) for _ in range(times)] for row in rows]


def lined_up(*raters: str) -> list[tuple[str, ...]]:
    """Return the units of raters that are written one a line."""
    return list(zip(*raters, strict=True))


# cac.raw4raters of Gwet's irrCAC, also Krippendorff (2011), section C.
FOUR_RATERS = [
    ["1", "1", None, "1"],
    ["2", "2", "3", "2"],
    ["3", "3", "3", "3"],
    ["3", "3", "3", "3"],
    ["2", "2", "2", "2"],
    ["1", "2", "3", "4"],
    ["4", "4", "4", "4"],
    ["1", "1", "2", "1"],
    ["2", "2", "2", "2"],
    [None, "5", "5", "5"],
    [None, None, "1", "1"],
    [None, None, "3", None],
]
FLEISS_1971 = counted(
    *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
    *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
)
ABSTRACTORS = crossed([13, 0, 0], [0, 20, 7], [0, 4, 56])


@pytest.mark.parametrize(
    ("source", "coefficient", "table", "published"),
    [
        ("Wikipedia, Cohen's kappa, 50 grants", cohen_kappa, crossed([20, 5], [10, 15]), "0.4"),
        ("the same, 45 15 25 15", cohen_kappa, crossed([45, 15], [25, 15]), "0.1304"),
        ("the same, 25 35 5 35", cohen_kappa, crossed([25, 35], [5, 35]), "0.2593"),
        ("irrCAC overview, cont3x3abstractors", cohen_kappa, ABSTRACTORS, "0.7964094"),
        ("the same, Scott's pi: Fleiss of two", fleiss_kappa, ABSTRACTORS, "0.7962397"),
        ("Wikipedia, Fleiss' kappa, 14 raters", fleiss_kappa, FLEISS_1971, "0.210"),
        (
            "Krippendorff 2011, A: Meg and Owen",
            krippendorff_alpha,
            lined_up("0100000010", "1110010000"),
            "0.095",
        ),
        (
            "Krippendorff 2011, B: Ben and Gerry",
            krippendorff_alpha,
            lined_up("aabbdcccedda", "babbbccceddd"),
            "0.692",
        ),
        ("Krippendorff 2011, C: four, some missing", krippendorff_alpha, FOUR_RATERS, "0.743"),
        ("irrCAC overview, cac.raw4raters", gwet_ac1, FOUR_RATERS, "0.77544"),
        ("the same, percent agreement", raw_agreement, FOUR_RATERS, "0.8181818"),
    ],
)
def test_published_examples(source: str, coefficient: Any, table: Any, published: str) -> None:
    value = coefficient(table).value
    places = len(published.partition(".")[2])
    assert round(float(value), places) == float(published), source


@pytest.mark.parametrize("name", list(REFERENCES))
def test_a_thousand_random_tables_come_out_as_in_the_reference(name: str) -> None:
    for table in random_tables(1_000, seed=31, most_raters=2 if name == "cohen" else 5):
        value = COEFFICIENTS[name](table, lambda a, b: a == b, ()).value
        expected = REFERENCES[name](table)
        if isinstance(value, Undefined):
            assert expected is None, (table, value)
        else:
            assert expected is not None
            assert abs(float(value) - expected) < 1e-12, table


@pytest.mark.parametrize("name", list(REFERENCES))
def test_turns_next_to_each_other_as_in_the_reference(name: str) -> None:
    draw = Random(7)  # noqa: S311 - reproducible tables
    for _ in range(300):
        raters = 2 if name == "cohen" else draw.randint(2, 4)
        table = [
            [draw.choice((None, "never", *range(12))) for _ in range(raters)]
            for _ in range(draw.randint(0, 12))
        ]
        value = COEFFICIENTS[name](table, near, ()).value
        expected = REFERENCES[name](table, lambda a, b: float(near(a, b)))
        if isinstance(value, Undefined):
            assert expected is None
        else:
            assert abs(float(value) - expected) < 1e-12, table


@pytest.mark.parametrize("name", list(REFERENCES))
def test_who_is_first_and_what_categories_are_called_does_not_matter(name: str) -> None:
    draw = Random(11)  # noqa: S311 - reproducible tables
    for table in random_tables(100, seed=5):
        width = len(table[0]) if table else 0
        order = draw.sample(range(width), width)
        other = {"a": "BB", "b": "Aa", "c": "x", "d": "", "e": "e"}
        moved = [
            [None if unit[at] is None else other[unit[at] or ""] for at in order] for unit in table
        ]
        of = COEFFICIENTS[name]
        assert of(table, lambda a, b: a == b, ()) == of(moved, lambda a, b: a == b, ())


ALL_PASS = [["pass", "pass"]] * 9


@pytest.mark.parametrize(
    ("coefficient", "table", "why"),
    [
        (raw_agreement, [], Undefined.NOTHING_RATED_TWICE),
        (raw_agreement, [["pass", None], [None, "fail"]], Undefined.NOTHING_RATED_TWICE),
        (cohen_kappa, [], Undefined.NOTHING_RATED_TWICE),
        (cohen_kappa, ALL_PASS, Undefined.ONE_CATEGORY),
        (cohen_kappa, [["pass", "pass", "fail"]], Undefined.NOT_TWO_RATERS),
        (fleiss_kappa, ALL_PASS, Undefined.ONE_CATEGORY),
        (fleiss_kappa, [["pass"]], Undefined.NOTHING_RATED_TWICE),
        (krippendorff_alpha, ALL_PASS, Undefined.ONE_CATEGORY),
        (gwet_ac1, ALL_PASS, Undefined.ONE_CATEGORY),
    ],
)
def test_where_there_is_no_value_it_says_why(coefficient: Any, table: Any, why: Undefined) -> None:
    assert coefficient(table).value is why
    assert "not defined (" in why.value


def test_ac1_has_a_value_for_one_category_of_several_that_could_be_given() -> None:
    assert gwet_ac1(ALL_PASS, scale=("pass", "fail", "unknown")).value == 1


def test_what_is_left_out_is_counted() -> None:
    table: Table = [["pass", "pass"], ["pass", None], [None, None], ["fail", "pass"]]
    for coefficient in (raw_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha, gwet_ac1):
        figure = coefficient(table)
        assert (figure.n, figure.excluded) == (2, 2)


def test_prevalence_is_of_all_ratings() -> None:
    table: Table = [["pass", "pass"], ["pass", None], ["fail", "pass"]]
    assert prevalence(table) == {"pass": Fraction(4, 5), "fail": Fraction(1, 5)}
