"""Coefficients of agreement over a table of ratings, in exact fractions (engine.md 7).

A table is a list of units (what is rated), each a list of ratings in the order of the raters; None
is a rating that is missing. `same` says which two ratings agree: equal ones unless something else
is given, which makes the coefficients those with 0/1 weights (of AC1, AC2). It must hold for a
rating and itself, and both ways round.

Where a coefficient has no value it says why in words: nothing divides by zero, nothing is NaN
(peers.md, complaint 31).

| coefficient | units that count | chance |
| --- | --- | --- |
| raw | two ratings or more | none |
| Cohen (1960; weighted 1968) | both ratings; two raters | each rater's own shares |
| Fleiss (1971) | every rating | shares of all raters together |
| Krippendorff (2011) | two ratings or more | shares, without drawing one rating twice |
| Gwet AC1 (2008), AC2 (2014) | two ratings or more; shares of all | how undecided the shares are |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from operator import eq
from typing import NamedTuple

Rating = Hashable
Unit = Sequence[Rating | None]
Table = Sequence[Unit]
Same = Callable[[Rating, Rating], bool]


class Undefined(Enum):
    """Why a coefficient has no value; the value is the words that are shown."""

    NOTHING_RATED_TWICE = "not defined (nothing was rated by two)"
    ONE_CATEGORY = "not defined (one category)"
    NOT_TWO_RATERS = "not defined (more than two raters)"


class Figure(NamedTuple):
    """A coefficient: `value` or why there is none; `chance` is the agreement expected by chance.

    `n` units were counted and `excluded` left out for want of ratings.
    """

    value: Fraction | Undefined
    chance: Fraction | None
    n: int
    excluded: int


Coefficient = Callable[[Table, Same, Sequence[Rating]], Figure]


def raw_agreement(table: Table, same: Same = eq, scale: Sequence[Rating] = ()) -> Figure:
    """Return the share of pairs of ratings that agree, averaged over units."""
    counted = _rated(table, 2)
    if not counted:
        return _undefined(Undefined.NOTHING_RATED_TWICE, table, 0)
    return Figure(_observed(counted, same), None, len(counted), len(table) - len(counted))


def cohen_kappa(table: Table, same: Same = eq, scale: Sequence[Rating] = ()) -> Figure:
    """Return Cohen's kappa of two raters. Source: Cohen, Educ. Psychol. Meas. 20 (1960) 37-46."""
    # Units that are alike are looked at once: an interval asks for a thousand kappas.
    alike = Counter(map(tuple, table))
    if any(len(unit) > 2 for unit in alike):
        return _undefined(Undefined.NOT_TWO_RATERS, table, 0)
    counted = [
        (unit, times) for unit, times in alike.items() if len(unit) == 2 and None not in unit
    ]
    if not counted:
        return _undefined(Undefined.NOTHING_RATED_TWICE, table, 0)
    n = sum(times for _, times in counted)
    first: Counter[Rating | None] = Counter()
    second: Counter[Rating | None] = Counter()
    for (one, other), times in counted:
        first[one] += times
        second[other] += times
    chance = Fraction(sum(first[a] * second[b] for a in first for b in second if same(a, b)), n * n)
    observed = Fraction(sum(times for unit, times in counted if same(*unit)), n)
    return _corrected(observed, chance, table, n)


def fleiss_kappa(table: Table, same: Same = eq, scale: Sequence[Rating] = ()) -> Figure:
    """Return Fleiss' kappa, any number of raters. Source: Fleiss, Psychol. Bull. 76 (1971) 378-382.

    It asks for every unit to have a rating of every rater: the others are left out and counted.
    """
    raters = max((len(unit) for unit in table), default=0)
    counted = [list(unit) for unit in table if len(unit) == raters and None not in unit]
    if raters < 2 or not counted:
        return _undefined(Undefined.NOTHING_RATED_TWICE, table, 0)
    shares = Counter(rating for unit in counted for rating in unit)
    drawn = len(counted) * raters
    chance = Fraction(_alike(shares, same), drawn * drawn)
    return _corrected(_observed(counted, same), chance, table, len(counted))


def krippendorff_alpha(table: Table, same: Same = eq, scale: Sequence[Rating] = ()) -> Figure:
    """Return Krippendorff's alpha for nominal ratings, of which some may be missing.

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C and D.
    `chance` is one less the expected disagreement.
    """
    counted = _rated(table, 2)
    if not counted:
        return _undefined(Undefined.NOTHING_RATED_TWICE, table, 0)
    values = Counter(rating for unit in counted for rating in unit)
    n = values.total()
    # Pairs of different draws: a value and itself always agree and are no pair.
    chance = Fraction(_alike(values, same) - n, n * (n - 1))
    apart = sum(
        (Fraction(_apart(Counter(unit), same), len(unit) - 1) for unit in counted), Fraction(0)
    )
    return _corrected(1 - apart / n, chance, table, len(counted))


def gwet_ac1(table: Table, same: Same = eq, scale: Sequence[Rating] = ()) -> Figure:
    """Return Gwet's AC1; with `same` other than equality his AC2.

    `scale` are the categories that could be given; ratings beside them are added. Source: Gwet,
    Br. J. Math. Stat. Psychol. 61 (2008) 29-48; with missing ratings and weights: Gwet, Handbook of
    Inter-Rater Reliability, 4th ed. (2014), chapter 3 and 5.
    """
    counted, rated = _rated(table, 2), _rated(table, 1)
    if not counted:
        return _undefined(Undefined.NOTHING_RATED_TWICE, table, 0)
    shares: dict[Rating, Fraction] = dict.fromkeys(scale, Fraction(0))
    for unit in rated:
        for rating, times in Counter(unit).items():
            shares[rating] = shares.get(rating, Fraction(0)) + Fraction(times, len(unit))
    q = len(shares)
    if q < 2:
        return _undefined(Undefined.ONE_CATEGORY, table, len(counted))
    undecided = sum(
        (share / len(rated) * (1 - share / len(rated)) for share in shares.values()), Fraction(0)
    )
    weights = sum(same(a, b) for a in shares for b in shares)
    chance = Fraction(weights, q * (q - 1)) * undecided
    return _corrected(_observed(counted, same), chance, table, len(counted))


def prevalence(table: Table) -> Mapping[Rating, Fraction]:
    """Return the share of each category among all ratings, the commonest first."""
    given = Counter(rating for unit in table for rating in unit if rating is not None)
    return {rating: Fraction(times, given.total()) for rating, times in given.most_common()}


#: By the name that a report keeps them under.
COEFFICIENTS: Mapping[str, Coefficient] = {
    "raw": raw_agreement,
    "cohen": cohen_kappa,
    "fleiss": fleiss_kappa,
    "alpha": krippendorff_alpha,
    "ac1": gwet_ac1,
}


def _rated(table: Table, least: int) -> list[list[Rating]]:
    """Return the units with `least` ratings or more, without what is missing."""
    given = [[rating for rating in unit if rating is not None] for unit in table]
    return [unit for unit in given if len(unit) >= least]


def _observed(counted: Iterable[Sequence[Rating]], same: Same) -> Fraction:
    shares = [
        1 - Fraction(_apart(Counter(unit), same), len(unit) * (len(unit) - 1)) for unit in counted
    ]
    return sum(shares, Fraction(0)) / len(shares)


def _alike(counts: Counter[Rating], same: Same) -> int:
    """Return the ordered pairs that agree, a rating with itself included."""
    return sum(counts[a] * counts[b] for a in counts for b in counts if same(a, b))


def _apart(counts: Counter[Rating], same: Same) -> int:
    """Return the ordered pairs that do not agree."""
    return counts.total() ** 2 - _alike(counts, same)


def _corrected(observed: Fraction, chance: Fraction, table: Table, n: int) -> Figure:
    value = Undefined.ONE_CATEGORY if chance == 1 else (observed - chance) / (1 - chance)
    return Figure(value, chance, n, len(table) - n)


def _undefined(why: Undefined, table: Table, n: int) -> Figure:
    return Figure(why, None, n, len(table) - n)
