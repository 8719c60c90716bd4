"""Raw agreement, Cohen's kappa and Gwet's AC1 of two readings over many calls, each with an
interval by call.

Leaving out one call after the other (the jackknife: Tukey, Ann. Math. Stat. 29, 1958, 614) costs
one pass over counts of pairs, so that a page can work it out; rounds of few calls use the bootstrap
of `review.core.agreement`, whose exact coefficients these are tested against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from review.core.agreement import MEASURES
from review.core.figures import Z_95
from review.core.readings import Compared, units_of

#: How many of each pair of answers, and whether such a pair counts as the same.
Pairs = Counter[tuple[object, object, bool]]
Value = Callable[[Pairs], float | None]

#: Coefficients that correct for chance are for closed scales: turns have no categories.
_SCALES = {one.id: len(one.scale) for one in MEASURES if one.scale}
_FEWEST_CALLS = 2


class Clustered(NamedTuple):
    """A figure; `low` and `high` are its 95 % interval by call, None where there is none.

    `value` is None where it is not defined: nothing was compared, or one category alone.
    """

    value: float | None
    low: float | None
    high: float | None


class Agreement(NamedTuple):
    """How far two readings agree on a measure: `n` rows (or edges) of `calls` calls. `kappa` and
    `ac1` are None where the measure has no closed scale.
    """

    raw: Clustered
    kappa: Clustered | None
    ac1: Clustered | None
    n: int
    calls: int


def agreement_of(compared: Iterable[Compared], measure: str) -> Agreement:
    """Return the agreement on a measure over these readings."""
    each = [pairs for one in compared if (pairs := _pairs(one, measure))]
    whole: Pairs = sum(each, Counter())
    scale = _SCALES.get(measure, 0)
    return Agreement(
        _clustered(whole, each, raw_of),
        _clustered(whole, each, kappa_of) if scale else None,
        _clustered(whole, each, lambda pairs: ac1_of(pairs, scale)) if scale else None,
        whole.total(),
        len(each),
    )


def raw_of(pairs: Pairs) -> float | None:
    """Return the share of pairs that are the same; None for no pairs."""
    n = pairs.total()
    return sum(count for (_, _, same), count in pairs.items() if same) / n if n else None


def kappa_of(pairs: Pairs) -> float | None:
    """Return Cohen's kappa; None where chance alone explains everything.

    Source: Cohen, Educ. Psychol. Meas. 20 (1960) 37-46.
    """
    first, second = _given(pairs, 0), _given(pairs, 1)
    n = pairs.total()
    return _corrected(raw_of(pairs), sum(first[one] * second[one] for one in first), n * n)


def ac1_of(pairs: Pairs, scale: int) -> float | None:
    """Return Gwet's AC1 over `scale` categories that could be given.

    Source: Gwet, Br. J. Math. Stat. Psychol. 61 (2008) 29-48.
    """
    shares, drawn = _given(pairs, 0) + _given(pairs, 1), 2 * pairs.total()
    undecided = sum(count * (drawn - count) for count in shares.values())
    return _corrected(raw_of(pairs), undecided, drawn * drawn * (scale - 1))


def _pairs(compared: Compared, measure: str) -> Pairs:
    return Counter((one.first, one.second, one.same) for one in units_of(compared, measure))


def _given(pairs: Pairs, side: int) -> Counter[object]:
    given: Counter[object] = Counter()
    for pair, count in pairs.items():
        given[pair[side]] += count
    return given


def _corrected(raw: float | None, chance: int, of: int) -> float | None:
    if raw is None or chance == of:
        return None
    by_chance = chance / of
    return (raw - by_chance) / (1 - by_chance)


def _clustered(whole: Pairs, each: Sequence[Pairs], value_of: Value) -> Clustered:
    value = value_of(whole)
    without = [value_of(whole - one) for one in each]
    told = [one for one in without if one is not None]
    if value is None or len(each) < _FEWEST_CALLS or len(told) < len(each):
        return Clustered(value, None, None)
    n, mean = len(told), sum(told) / len(told)
    half = Z_95 * sqrt((n - 1) / n * sum((one - mean) ** 2 for one in told))
    if not half:
        return Clustered(value, None, None)
    return Clustered(value, max(-1.0, value - half), min(1.0, value + half))
