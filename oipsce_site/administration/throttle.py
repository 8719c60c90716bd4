"""How often a sign-in may fail before the next one has to wait, and how long.

Failures count for the pair of an account and an address, and for an address alone at a higher
bound, as a clinic sits behind one. No failures anywhere keep an account from being signed in to at
another address, and what is refused while one waits does not count, so that waiting ends
(audit_security 4: A41, A42).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

MOST_OF_PAIR: Final = 5
MOST_OF_ADDRESS: Final = 50
WINDOW: Final = timedelta(minutes=15)
#: From this failure of a pair on, the entry in the log is an alert (21 CFR 11.300(d)).
ALERT_AT: Final = 3


def refused_until(
    pair: Sequence[datetime], address: Sequence[datetime], at: datetime
) -> datetime | None:
    """Return until when an attempt at `at` is refused; None lets it pass.

    `pair` and `address` are the times of failures, in any order.
    """
    ends = (_full_until(pair, MOST_OF_PAIR, at), _full_until(address, MOST_OF_ADDRESS, at))
    return max((end for end in ends if end is not None), default=None)


def _full_until(failures: Sequence[datetime], most: int, at: datetime) -> datetime | None:
    """Return when one of `most` failures inside the window leaves it; None for fewer of them."""
    inside = sorted(one for one in failures if one + WINDOW > at)
    return inside[-most] + WINDOW if len(inside) >= most else None
