"""Agreement written down a second time, pair by pair from the definitions. Imports nothing of ours.

Every function returns None where there is no value. `agree` is 1 or 0 for two ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import fsum

Table = Sequence[Sequence[str | int | None]]
Agree = Callable[[str | int, str | int], float]


def nominal(one: str | int, other: str | int) -> float:
    """Say 1 for equal ratings."""
    return float(one == other)


def raw(table: Table, agree: Agree = nominal) -> float | None:
    """Return the mean over units of the share of pairs that agree."""
    shares = []
    for unit in table:
        pairs = list(permutations([rating for rating in unit if rating is not None], 2))
        if pairs:
            shares.append(fsum(agree(a, b) for a, b in pairs) / len(pairs))
    return fsum(shares) / len(shares) if shares else None


def cohen(table: Table, agree: Agree = nominal) -> float | None:
    """Return 1 - observed / expected disagreement over all crossings of the two raters."""
    if any(len(unit) != 2 for unit in table):
        return None
    full = [[rating for rating in unit if rating is not None] for unit in table]
    both = [unit for unit in full if len(unit) == 2]
    if not both:
        return None
    seen = fsum(1 - agree(a, b) for a, b in both) / len(both)
    crossed = [1 - agree(a, b) for a, _ in both for _, b in both]
    return _one_less(seen, fsum(crossed) / len(crossed))


def fleiss(table: Table, agree: Agree = nominal) -> float | None:
    """Return Fleiss' kappa of the units that every rater has rated."""
    raters = max((len(unit) for unit in table), default=0)
    rated = [[rating for rating in unit if rating is not None] for unit in table]
    full = [unit for unit in rated if len(unit) == raters]
    if not full:
        return None
    given = [rating for unit in full for rating in unit]
    crossed = [1 - agree(a, b) for a in given for b in given]
    seen = raw(full, agree)
    return None if seen is None else _one_less(1 - seen, fsum(crossed) / len(crossed))


def alpha(table: Table, agree: Agree = nominal) -> float | None:
    """Return Krippendorff's alpha: every value against every other of its unit, and of all."""
    units = [[rating for rating in unit if rating is not None] for unit in table]
    units = [unit for unit in units if len(unit) > 1]
    given = [rating for unit in units for rating in unit]
    if not given:
        return None
    seen = fsum(
        (1 - agree(a, b)) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    )
    drawn = fsum(1 - agree(a, b) for a, b in permutations(given, 2)) / (len(given) - 1)
    return _one_less(seen, drawn)


def ac1(table: Table, agree: Agree = nominal, scale: Sequence[str | int] = ()) -> float | None:
    """Return Gwet's AC1 or AC2; `scale` are the categories that could be given."""
    units = [[rating for rating in unit if rating is not None] for unit in table]
    units = [unit for unit in units if unit]
    seen = raw(table, agree)
    kinds = sorted({rating for unit in units for rating in unit} | set(scale), key=str)
    if seen is None or len(kinds) < 2:
        return None
    shares = [fsum(unit.count(kind) / len(unit) for unit in units) / len(units) for kind in kinds]
    weight = fsum(agree(a, b) for a in kinds for b in kinds)
    chance = weight * fsum(p * (1 - p) for p in shares) / (len(kinds) * (len(kinds) - 1))
    return _one_less(1 - seen, 1 - chance)


def _one_less(seen: float, expected: float) -> float | None:
    return None if abs(expected) < 1e-13 else 1 - seen / expected
