"""Past calls as an author chooses among them: site, day and whether they are signed, no name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.queries.past_calls import PastCall


@dataclass(frozen=True, slots=True)
class ShownPastCall:
    """One past call in a list to choose from."""

    id: str
    words: str


def show_past_calls(calls: Sequence[PastCall]) -> tuple[ShownPastCall, ...]:
    """Draw past calls to choose from."""
    return tuple(ShownPastCall(str(one.id), past_words(one)) for one in calls)


def past_words(call: PastCall) -> str:
    """Say which call it is, without its name: `North, 3 Nov 2026, signed`."""
    day = f"{call.day.day} {call.day:%b %Y}" if call.day else "no day"
    return f"{call.site}, {day}, {'signed' if call.is_signed else 'not signed yet'}"
