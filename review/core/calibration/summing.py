"""The figures of a round in one sentence, for who publishes the version."""

from __future__ import annotations

from collections.abc import Sequence

from review.core.agreement import Figure, Measured, Undefined, decimal


def summary(measured: Sequence[Measured], *, calls: int, raters: int, number: int) -> str:
    """Say how well raters agreed: per measure raw agreement, AC1 and n; what a small n bears."""
    parts = [_part(one) for one in measured if one.figures["raw"].n]
    small = next((one.small_n for one in measured if one.id in ("verdict", "mark")), "")
    head = f"Round {number}: {calls} calls, {raters} raters."
    return " ".join(part for part in (head, f"{'; '.join(parts)}." if parts else "", small) if part)


def _part(one: Measured) -> str:
    raw, ac1 = one.figures["raw"], one.figures["ac1"]
    return f"{one.name}: raw {_value(raw)}, AC1 {_value(ac1)} (n {raw.n})"


def _value(figure: Figure) -> str:
    value = figure.value
    return value.value if isinstance(value, Undefined) else decimal(value)
