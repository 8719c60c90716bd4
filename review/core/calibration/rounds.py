"""The life of a calibration round: rated blind, differences talked over, closed with figures."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple
from uuid import UUID

FEWEST_CALLS, MOST_CALLS = 2, 5
FEWEST_RATERS, MOST_RATERS = 2, 6


class RoundState(Enum):
    """Where a round stands. RATING: nobody sees what another said. DIFFERING: all are done."""

    RATING = "RATING"
    DIFFERING = "DIFFERING"
    CLOSED = "CLOSED"
    CALLED_OFF = "CALLED_OFF"


class Calibrating(NamedTuple):
    """At which sites a person holds calibration rounds, sees all of them, and reads calls.

    None is every site: catalogs belong to the organisation. `waives` may do without a round.
    """

    holds: frozenset[UUID] | None
    sees: frozenset[UUID] | None
    reads: frozenset[UUID]
    waives: bool = False


def check_size(calls: int, raters: int) -> str:
    """Return what is wrong with the size of a round in words; empty where nothing is.

    Source: design 4.6 and domain.md (calibration session, S24).
    """
    if not FEWEST_CALLS <= calls <= MOST_CALLS:
        return (
            f"A round has {FEWEST_CALLS} to {MOST_CALLS} calls, not {calls}: "
            "few enough to talk over every difference."
        )
    if not FEWEST_RATERS <= raters <= MOST_RATERS:
        return f"A round has {FEWEST_RATERS} to {MOST_RATERS} raters, not {raters}."
    return ""
