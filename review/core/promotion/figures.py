"""Agreement of a model with people on the same rows, and how often its answers flip.

The unit is a row that a person settled and that was signed: they say whether the phase is there
(pass) or was left out (fail). The model says present, absent or abstains. To abstain is a rating of
its own: it agrees with nobody, so a model cannot look better by keeping silent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from review.core.agreement import Interval, Undefined, cohen_kappa, percentile_interval
from review.core.cascade.adjudication import Said
from review.core.figures import Share, share_of


class MeasuredRow(NamedTuple):
    """What a model said of a row of a call, and whether people decided that the phase is there."""

    call: str
    said: Said
    present: bool


class Agreement(NamedTuple):
    """Figures over `rows` rows of `calls` calls.

    `kappa` is Cohen's, None where it is not defined (nothing, or one category alone); `low` and
    `high` its bootstrap interval by call at 95 %. `recall`: of the rows that people decided were
    left out, the share that the model called absent, with Wilson's interval.
    """

    rows: int
    calls: int
    kappa: Fraction | None
    low: Fraction | None
    high: Fraction | None
    recall: Share


class Proven(NamedTuple):
    """All that is known of a model on a phase: agreement in one language, and flips in any."""

    agreement: Agreement
    flips: Share


def measured_calls(rows: Sequence[MeasuredRow]) -> int:
    """Return how many calls these rows are of: the positions that an interval draws from."""
    return len({one.call for one in rows})


def agreement_of(rows: Sequence[MeasuredRow], draws: Sequence[Sequence[int]]) -> Agreement:
    """Return the agreement on these rows; each of `draws` holds as many positions of calls as
    there are calls (`measured_calls`).
    """
    tables: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in rows:
        decided = Said.PRESENT if one.present else Said.ABSENT
        tables[one.call].append((one.said.value, decided.value))
    calls = [tables[key] for key in sorted(tables)]
    omitted = [one for one in rows if not one.present]
    interval = percentile_interval(calls, draws, _kappa) if calls else _NO_INTERVAL
    return Agreement(
        rows=len(rows),
        calls=len(calls),
        kappa=_kappa([unit for table in calls for unit in table]),
        low=interval.low,
        high=interval.high,
        recall=share_of(sum(one.said is Said.ABSENT for one in omitted), len(omitted)),
    )


def proven_to_json(proven: Proven) -> dict[str, Any]:
    """Write the figures as plain values; fractions as "3/4", shares as [part, n]."""
    one = proven.agreement
    return {
        "rows": one.rows,
        "calls": one.calls,
        "kappa": [
            None if value is None else str(value) for value in (one.kappa, one.low, one.high)
        ],
        "recall": [one.recall.part, one.recall.n],
        "flips": [proven.flips.part, proven.flips.n],
    }


def proven_from_json(plain: Mapping[str, Any]) -> Proven:
    """Read the figures back. Raises KeyError, TypeError or ValueError for another shape."""
    kappa, low, high = (None if one is None else Fraction(one) for one in plain["kappa"])
    recall, flips = share_of(*plain["recall"]), share_of(*plain["flips"])
    return Proven(Agreement(plain["rows"], plain["calls"], kappa, low, high, recall), flips)


_NO_INTERVAL = Interval(None, None, 0, 0)


def _kappa(table: Sequence[Sequence[Any]]) -> Fraction | None:
    value = cohen_kappa(table).value
    return None if isinstance(value, Undefined) else value
