"""A running call ends: it is taken in as if it had come as one file, under the same id.

Its parts and their key go with the same transaction: the words are the call's from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction

from oipsce_site.ledger.actors import program, worker
from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import ApiClient
from review.actions.intake import Imported, Offer, Refused, import_calls
from review.actions.kept_calls import take_kept
from review.actions.receipts import keep_receipt
from review.actions.running_rows import (
    UnableToHear,
    lock_running,
    read_object,
    record_running,
    sealer_of_running,
)
from review.core.parsers.oip_call import parse_value
from review.core.transcript import RefusedInput
from review.core.transcript.neutral.growing import whole_call
from review.models import RunningCall

WORKER = "running_calls"
IDLE = timedelta(hours=24)
_MOST_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Ended:
    """A call that has ended: its client's id, and what became of it."""

    external_id: str
    imported: Imported


def end_running_call(
    *, call_id: UUID, run_id: UUID, ended: bool | None, by: ApiClient, at: datetime
) -> Ended:
    """End a call and take it in; its pre-fill is asked for under `run_id`.

    `ended` None says that it was cut off. Raises NoRunningCall, RefusedInput for a call without a
    turn, UnableToHear for one that ended before or whose key another call has by now.
    """
    with transaction.atomic():
        row = lock_running(call_id, by)
        if row.ended_at is not None:
            raise UnableToHear("The call has ended already.")
        return _end(row, run_id, program(by), at, ended=ended)


def end_idle_calls(*, by: str, at: datetime) -> int:
    """End calls that nothing was heard of for a day, as cut off; returns how many.

    What cannot be taken in is dropped: nobody tells more of it, and no words are kept for nobody.
    """
    with transaction.atomic():
        idle = RunningCall.objects.filter(ended_at__isnull=True, heard_at__lt=at - IDLE)
        rows = list(
            idle.select_for_update(skip_locked=True, of=("self",)).select_related("site", "client")[
                :_MOST_AT_ONCE
            ]
        )
        for row in rows:
            _end_idle(row, worker(by), at)
    return len(rows)


def _end_idle(row: RunningCall, by: Actor, at: datetime) -> None:
    try:
        with transaction.atomic():
            _end(row, uuid4(), by, at, ended=None)
    except (RefusedInput, UnableToHear):
        row.refresh_from_db()
        _close(row, at)
        record_running(row, "running.drop", by, at, {"parts": row.parts})


def _end(row: RunningCall, run_id: UUID, by: Actor, at: datetime, *, ended: bool | None) -> Ended:
    sealer = sealer_of_running(row)
    head = read_object(sealer.open("head:0", row.sealed_head))
    parts = [
        read_object(sealer.open(f"part:{number}", sealed))
        for number, sealed in row.told.order_by("number").values_list("number", "sealed")
    ]
    call, findings = parse_value(whole_call(head, parts, ended=ended), where="the call")
    if call is None:
        raise RefusedInput(findings[0])
    offer = Offer(row.pk, run_id, call, findings)
    [imported] = import_calls(site=row.site, offers=[offer], actor=by, received_by=None, at=at)
    if isinstance(imported, Refused):
        raise UnableToHear(imported.sentence)
    if imported.call_id == row.pk:
        keep_receipt(row.pk, row.client, at)
    _close(row, at)
    record_running(row, "running.end", by, at, {"parts": row.parts, "turns": row.turn_count})
    return Ended(row.external_id, imported)


def _close(row: RunningCall, at: datetime) -> None:
    """Let the words go: they are the call's now, or nobody's."""
    row.told.all().delete()
    row.wrapped_key, row.sealed_head, row.ended_at = b"", b"", at
    row.save(update_fields=["wrapped_key", "sealed_head", "ended_at"])
    transaction.on_commit(partial(take_kept, row.pk))
