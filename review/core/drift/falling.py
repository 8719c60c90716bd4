"""Whether agreement fell: two periods in a row below all that came before them.

One low period happens by chance; domain.md 4 raises its alarm at two. A period is low when the
whole interval of its difference from the earlier ones (Newcombe 1998) lies below nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from review.core.figures import Share, share_of
from review.core.report_card import difference_of

#: So many low periods in a row are an alarm.
IN_A_ROW = 2
#: A period with fewer calls is passed over: one or two differences would make it low.
FEWEST_CALLS = 5


class Fall(NamedTuple):
    """Agreement in the latest periods against all before them; `is_sure` after two low ones."""

    since: date
    before: Share
    now: Share
    is_sure: bool


def fall_of(periods: Mapping[date, Share]) -> Fall | None:
    """Return the fall that lasts until the latest period; None where that one is not low.

    `periods` are by their first day. Where the one before it is low as well the fall is sure.
    """
    told = sorted((day, share) for day, share in periods.items() if share.n >= FEWEST_CALLS)
    for length in (IN_A_ROW, 1):
        before, latest = told[:-length], told[-length:]
        usual = _pooled(share for _, share in before)
        if len(latest) == length and all(_is_low(share, usual) for _, share in latest):
            return Fall(
                latest[0][0], usual, _pooled(share for _, share in latest), length == IN_A_ROW
            )
    return None


def _is_low(share: Share, usual: Share) -> bool:
    difference = difference_of(share, usual)
    return difference is not None and difference.high < 0


def _pooled(shares: Iterable[Share]) -> Share:
    known = list(shares)
    return share_of(sum(one.part for one in known), sum(one.n for one in known))
