"""How often a proof of identity may fail before signing is suspended, and who is told when.

Source: 21 CFR 11.300(d); audit_security 2b step 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

MOST_FAILURES: Final = 5
ALERT_AT: Final = 3
SUSPENSION: Final = timedelta(minutes=15)


def suspended_until(failures: Sequence[datetime]) -> datetime | None:
    """Return until when failures in a row suspend signing, None for not at all.

    `failures` are the times of those since the last success, in any order. Fifteen minutes count
    from the failure that was one too many.
    """
    if len(failures) < MOST_FAILURES:
        return None
    latest = sorted(failures)[-MOST_FAILURES:]
    is_burst = latest[-1] - latest[0] <= SUSPENSION
    return latest[-1] + SUSPENSION if is_burst else None


def is_alert(count: int) -> bool:
    """Say whether the `count`-th failure in a row is one that security is told of."""
    return count >= ALERT_AT


@dataclass(frozen=True, slots=True)
class FailedRow:
    """Proofs of identity that failed in a row: from when to when, how many, and until when the last
    burst of them suspended signing (None: not at all).
    """

    first: datetime
    last: datetime
    count: int
    suspended_until: datetime | None


def alerting_rows(tried: Iterable[tuple[datetime, bool]]) -> list[FailedRow]:
    """Return the rows of failures that security is told of, of one person's proofs in their order.

    `tried` has the time of each proof and whether it was right; a right one ends a row.
    """
    rows: list[list[datetime]] = [[]]
    for at, right in tried:
        if right:
            rows.append([])
        else:
            rows[-1].append(at)
    return [_row(row) for row in rows if is_alert(len(row))]


def _row(row: Sequence[datetime]) -> FailedRow:
    ends = [suspended_until(row[: number + 1]) for number in range(len(row))]
    suspended = [until for until in ends if until is not None]
    return FailedRow(row[0], row[-1], len(row), max(suspended, default=None))
