"""How often a proof of identity may fail before signing is suspended, and who is told when.

Source: 21 CFR 11.300(d); audit_security 2b step 10.
"""

from __future__ import annotations

from collections.abc import Sequence
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
