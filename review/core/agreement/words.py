"""What is said about figures: decimals, and how little a small number of rows bears."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

#: Below this a 95 % interval of kappa holds the true value clearly less than 95 times of 100.
_ENOUGH_ROWS = 50
_ENOUGH_CALLS = 30


def decimal(value: Fraction, places: int = 2) -> str:
    """Write a fraction with so many decimal places, half to even."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    return f"{abs(rounded) if rounded == 0 else rounded:f}"


def small_n(n: int, calls: int) -> str:
    """Say in words what `n` rated units of so many calls cannot bear; empty where they are enough.

    Source: reference/domain.md, S39: of a true agreement of 0.85, the interval that is computed
    held the true kappa 52 times of 100 at 10 units, 77 times at 20, 94 times at 50.
    """
    if n == 0:
        return "Nothing was rated by two people: there is no figure."
    if calls == 1:
        return (
            f"{_counted(n, 'rating')} of one call: there is no interval, because rows of one call "
            "are not independent. Take the figures as counts, not as rates."
        )
    of_calls = f"{_counted(n, 'rating')} of {calls} calls"
    if n < _ENOUGH_ROWS:
        return (
            f"{of_calls} are few: at 20 ratings a computed 95 % interval of kappa misses the true "
            "value about one time in four. Look at each difference; do not rely on the figure."
        )
    if calls < _ENOUGH_CALLS:
        return (
            f"{of_calls}: the interval draws whole calls, and {calls} are few to draw from. It is "
            "rather too narrow than too wide."
        )
    return ""


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
