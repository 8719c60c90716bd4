"""What keeps a question from being sent: budgets, a pause after failures, and from being seen."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from review.core.cascade.adjudication.reasons import Reason

_IN_A_ROW: Final = 3
_PAUSE: Final = timedelta(minutes=10)
_LONG_PAUSE: Final = timedelta(hours=1)
#: Somebody must do something about these before another question makes sense.
_AT_ONCE: Final = frozenset({Reason.REFUSED, Reason.BILLING})
_BREAKING: Final = frozenset(
    {
        Reason.TIMEOUT,
        Reason.BUSY,
        Reason.FAILED,
        Reason.UNREACHABLE,
        Reason.TOO_LARGE,
        Reason.REDIRECTED,
        Reason.NOT_JSON,
        Reason.LOST,
        *_AT_ONCE,
    }
)
_MOST_RETRIES: Final = 2
#: Only what was surely not paid for is sent again: after a time-out nobody knows.
_RETRIED: Final = frozenset({Reason.BUSY, Reason.FAILED})
_BLIND_IN: Final = 10
_MILLION: Final = 1_000_000


class Caps(NamedTuple):
    """The most that may be spent: tokens per call, per day, per catalog and day, and money per day
    in hundredths; a million tokens cost `cents_per_million` at most. A cap of 0 is off: nothing.
    """

    per_call: int
    per_day: int
    per_catalog: int
    cents_per_day: int
    cents_per_million: int


class Spent(NamedTuple):
    """The tokens that were spent or are reserved, by the same measure."""

    on_call: int
    on_day: int
    on_catalog: int


def over_cap(caps: Caps, spent: Spent, tokens: int) -> bool:
    """Say whether a question of so many tokens at most would pass any cap; money is counted as
    tokens cost at most.

    >>> caps = Caps(100, 100, 100, 1, 10_000)
    >>> over_cap(caps, Spent(0, 0, 0), 100), over_cap(caps, Spent(0, 1, 0), 100)
    (False, True)
    """
    cents = (spent.on_day + tokens) * caps.cents_per_million
    return (
        spent.on_call + tokens > caps.per_call
        or spent.on_day + tokens > caps.per_day
        or spent.on_catalog + tokens > caps.per_catalog
        or cents > caps.cents_per_day * _MILLION
    )


class Attempted(NamedTuple):
    """How an earlier request ended, and when."""

    reason: Reason
    at: datetime


def paused_by(latest: Sequence[Attempted], now: datetime) -> Reason | None:
    """Return the cause for which nothing is sent at the moment; `latest` are the requests of the
    endpoint that ended last, the newest first.
    """
    if not latest:
        return None
    newest = latest[0]
    if newest.reason in _AT_ONCE:
        return newest.reason if now - newest.at < _LONG_PAUSE else None
    row = latest[:_IN_A_ROW]
    failing = len(row) == _IN_A_ROW and all(one.reason in _BREAKING for one in row)
    return newest.reason if failing and now - newest.at < _PAUSE else None


def retry_wait(reason: Reason, retries: int, jitter: float) -> float | None:
    """Return the seconds to wait before the same request is sent again; None: it is not.

    `jitter` is drawn between 0 and 1.
    """
    if reason not in _RETRIED or retries >= _MOST_RETRIES:
        return None
    return float((0.5 + jitter) * 2**retries)


def is_shown_blind(call_id: str, phase: str) -> bool:
    """Say whether a reviewer sees the proposals only after deciding: so it is with one row of ten,
    the same ones always, so that agreement can be measured without them.
    """
    drawn = hashlib.sha256(f"{call_id}/{phase}".encode()).digest()
    return drawn[0] % _BLIND_IN == 0


#: Where nothing was answered that anybody asks money for.
_UNPAID: Final = frozenset(
    {
        Reason.BUSY,
        Reason.FAILED,
        Reason.UNREACHABLE,
        Reason.REFUSED,
        Reason.BILLING,
        Reason.REDIRECTED,
        Reason.ADDRESS,
    }
)


def may_be_paid(reason: Reason) -> bool:
    """Say whether a request that ended so may have been paid for: it is then never sent again."""
    return reason not in _UNPAID
