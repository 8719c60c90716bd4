"""Which calls are read a second time, blind (design 4.3, 4.6).

A draw is a keyed hash of the call's id, its review and what is drawn for: drawn again it is the
same draw, and nobody without the key can tell beforehand. What a share means for each:

| kind | drawn of | read |
| --- | --- | --- |
| DOUBLE | all calls, when the first reading is done | every row |
| CRITICAL | rows at a critical edge, when the first reading is done | the rows that were drawn |
| SAMPLE | calls on which nothing was flagged (`review.core.queue.is_sampled`) | every row, first |
| DRIFT | signed calls, when they are signed | every row |
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Sequence
from datetime import timedelta
from enum import Enum
from typing import NamedTuple
from uuid import UUID

#: How long a blind reading is held without an answer: a whole call is read before the first.
READING_HOLD = timedelta(hours=2)


class ReadingKind(Enum):
    """Why a call is read blind."""

    DOUBLE = "DOUBLE"
    CRITICAL = "CRITICAL"
    SAMPLE = "SAMPLE"
    DRIFT = "DRIFT"


class Shares(NamedTuple):
    """How many of a hundred are drawn: calls, rows at a critical edge, signed calls."""

    double: int
    critical: int
    drift: int


#: Design 4.6: one in twenty.
DEFAULT_SHARES = Shares(5, 5, 5)


class Drawn(NamedTuple):
    """What the draw took: why, and the phases that are read."""

    kind: ReadingKind
    phases: tuple[str, ...]


def draw_second(
    call_id: UUID,
    review: int,
    phases: Sequence[str],
    critical: Collection[str],
    *,
    key: bytes,
    shares: Shares,
) -> Drawn | None:
    """Return what a second reader reads of a call whose first reading is done; None for nothing.

    `phases` are all of the catalog in their order, `critical` those at an end of a critical edge.
    """
    if _is_drawn(f"{ReadingKind.DOUBLE.value}:{review}", call_id, key, shares.double):
        return Drawn(ReadingKind.DOUBLE, tuple(phases))
    rows = tuple(
        phase
        for phase in phases
        if phase in critical
        and _is_drawn(
            f"{ReadingKind.CRITICAL.value}:{review}:{phase}", call_id, key, shares.critical
        )
    )
    return Drawn(ReadingKind.CRITICAL, rows) if rows else None


def draw_drift(
    call_id: UUID, review: int, phases: Sequence[str], *, key: bytes, shares: Shares
) -> Drawn | None:
    """Return what is read again of a call that was signed; None for nothing."""
    if _is_drawn(f"{ReadingKind.DRIFT.value}:{review}", call_id, key, shares.drift):
        return Drawn(ReadingKind.DRIFT, tuple(phases))
    return None


def _is_drawn(purpose: str, call_id: UUID, key: bytes, percent: int) -> bool:
    words = b"oip-sce/second-reading/v1\0" + purpose.encode() + b"\0" + call_id.bytes
    drawn = hmac.new(key, words, hashlib.sha256).digest()
    return int.from_bytes(drawn[:8], "big") * 100 < percent << 64
