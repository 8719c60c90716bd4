"""Past calls for the worker's rehearsal and for the hits of a draft: opened, never shown."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from oipsce_site.sealing import SealBroken
from review.actions.opening import work_on_all
from review.core.masking import masker_of
from review.core.transcript import Call
from review.queries.past_calls import is_at_hand


def past_call(name: str) -> Call | None:
    """Return a past call by its id for a rehearsal; None for one that is not at hand.

    Raises SealingKeyError where no seal opens at this moment: the rehearsal is tried again.
    """
    try:
        call_id = UUID(name)
        found = work_on_all(call_ids=[call_id]) if is_at_hand(call_id) else {}
    except (ValueError, SealBroken):
        return None
    return found[call_id].call if found else None


def masked_calls(call_ids: Sequence[UUID]) -> dict[UUID, Call]:
    """Return past calls with their identifiers masked, whatever their site masks: patterns that an
    author types are run over them. One that does not open is left out. Raises SealingKeyError.
    """
    found: dict[UUID, Call] = {}
    for call_id in call_ids:
        try:
            work = work_on_all(call_ids=[call_id])
        except SealBroken:
            continue
        found |= {one: masker_of(its.call).call(its.call) for one, its in work.items()}
    return found
