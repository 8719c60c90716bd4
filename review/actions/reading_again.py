"""Stored calls as another catalog version reads them: what what-ifs and shadows have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from oipsce_site.sealing import SealBroken, SealingKeyError
from review.actions.opening import Work, work_on_all
from review.core.cascade.pipeline import Cascade
from review.core.predicates import Outcome
from review.core.whatif import Compared, Stored, Turned, read_again
from review.models import OutcomeCode
from review.queries.what_if_calls import (
    StandingCall,
    decided_calls_among,
    decided_of,
    standing_rows,
)

_CODES = {one: OutcomeCode(one.value.upper()).value for one in Outcome}


def read_calls_again(cascade: Cascade, calls: Sequence[StandingCall]) -> Iterator[Compared]:
    """Read calls by a version and compare each with what stands; those that do not open are left
    out.
    """
    works = _works([one.id for one in calls])
    rows = standing_rows([one.id for one in calls])
    folded = decided_calls_among(calls)
    for one in calls:
        if one.id not in works:
            continue
        decided = decided_of(folded[one.id]) if one.id in folded else None
        words = works[one.id].call
        yield read_again(
            cascade,
            Stored(str(one.id), words, one.signed, one.outcome, rows[one.id], decided),
        )


def columns_of_compared(one: Compared) -> dict[str, object]:
    """Return what was compared as the tables of lines keep it."""
    return {
        "change": one.change.name,
        "before": _CODES[one.before],
        "after": _CODES[one.after],
        "rows": _plain(one.rows),
        "edges": _plain(one.edges),
        "annotate": list(one.annotate),
        "lost": list(one.lost),
    }


def _plain(turned: Sequence[Turned]) -> list[list[object]]:
    return [list(one) for one in turned]


def _works(call_ids: Sequence[UUID]) -> dict[UUID, Work]:
    """Open the calls together; where one of them does not open, each alone and that one not."""
    try:
        return work_on_all(call_ids=call_ids)
    except (SealBroken, SealingKeyError):
        if len(call_ids) == 1:
            return {}
    return {call_id: work for one in call_ids for call_id, work in _works([one]).items()}
