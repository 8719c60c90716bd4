"""Times of day-long clocks as people write them (``1:02:03.5``, ``02:03``) as exact seconds."""

from __future__ import annotations

import re
from decimal import Decimal

_CLOCK = re.compile(
    r"(?:(?P<h>[0-9]{1,6}):(?P<m>[0-5]?[0-9])|(?P<long>[0-9]{1,6})):(?P<s>[0-5]?[0-9])"
    r"(?:[.,](?P<part>[0-9]{1,9}))?"
)


def clock_seconds(text: str) -> Decimal | None:
    """Return the seconds a clock shows: two fields are minutes and seconds, three have hours first.

    Hours, and minutes without hours, may be any number; None for what is no clock.

    >>> clock_seconds("1:02:03.5"), clock_seconds("75:30"), clock_seconds("9h")
    (Decimal('3723.5'), Decimal('4530'), None)
    """
    shown = _CLOCK.fullmatch(text.strip())
    if shown is None:
        return None
    minutes = int(shown["long"]) if shown["h"] is None else int(shown["h"]) * 60 + int(shown["m"])
    return Decimal(f"{minutes * 60 + int(shown['s'])}.{shown['part'] or '0'}").normalize() + 0
