"""Which calls get a blind reading, and what ends one: parts of the actions that decide, sign,
reopen and revise, inside their transaction and under their lock on the call.

Every draw and every end is an entry of the call's chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid5

from catalogs.core.document import Document
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from review.actions.call_line import place_again, sample_key, write_line_again
from review.actions.holds import drop_hold
from review.core.queue import UNREAD, QueueClass, Second
from review.core.readings import Drawn, ReadingKind, draw_drift, draw_second
from review.models import (
    Call,
    PhaseRow,
    Reading,
    ReadingEnd,
    ReadingState,
    RequiredCode,
    StandingCode,
    State,
)
from review.queries.folded import Folded
from review.queries.readings import differences_of, last_done, live_reading, shares_at


def follow_decision(stored: Call, folded: Folded, actor: Actor, at: datetime) -> None:
    """Keep a call's blind reading in step with a decision: drawn when the first reading is done,
    and settled when its differences are.
    """
    second = Second(stored.second_reading)
    if second is Second.NONE:
        if stored.queue_class == QueueClass.READY and _is_read(stored):
            _draw_second(stored, folded, actor, at)
    elif second not in UNREAD:
        settle_again(stored, folded)


def settle_again(stored: Call, folded: Folded) -> None:
    """Say of a call that was read twice whether a difference is open."""
    reading = last_done(stored.pk)
    if reading is None:
        return
    is_open = any(not one.settled for one in differences_of(reading, folded))
    set_second(stored, Second.DIFFERENT if is_open else Second.DONE)


def set_second(stored: Call, second: Second) -> None:
    """Say how a call stands with its blind reading, and write its line accordingly."""
    was = Second(stored.second_reading)
    if was is second:
        return
    stored.second_reading = second.value
    stored.save(update_fields=["second_reading"])
    if stored.queue_class is None:
        return
    if (was in UNREAD) != (second in UNREAD):
        write_line_again(stored)
    else:
        place_again(stored)


def draw_signed(stored: Call, document: Document, actor: Actor, at: datetime) -> None:
    """Draw whether a call that was just signed is read again; one that was read twice is not."""
    if Second(stored.second_reading) is not Second.NONE:
        return
    phases = [phase.id for phase in document.phases]
    shares = shares_at(stored.site_id)
    drawn = draw_drift(stored.pk, stored.revision, phases, key=sample_key(), shares=shares)
    if drawn is not None:
        ask_for_reading(stored, drawn, document.digest, actor, at)


def ask_for_reading(
    stored: Call, drawn: Drawn, catalog_digest: str, actor: Actor, at: datetime
) -> Reading:
    """Store that a call is to be read blind."""
    made = Reading.objects.filter(call=stored).count()
    reading = Reading.objects.create(
        id=uuid5(stored.pk, f"reading:{made + 1}"),
        call=stored,
        kind=drawn.kind.value,
        state=ReadingState.WAITING,
        review=stored.revision,
        transcript_revision=stored.transcript_revision,
        catalog_digest=catalog_digest,
        phases=list(drawn.phases),
        drawn_at=at,
    )
    facts: dict[str, Value] = {"kind": drawn.kind.value, "review": stored.revision}
    record_reading("reading.draw", reading, actor, at, {**facts, "rows": len(drawn.phases)})
    return reading


def end_readings(stored: Call, why: ReadingEnd, actor: Actor, at: datetime) -> None:
    """End the reading of a call that is another by now, and forget what was read before."""
    reading = live_reading(stored.pk)
    if reading is not None:
        end_reading(reading, why, actor, at)
    set_second(stored, Second.NONE)


def end_reading(
    reading: Reading,
    why: ReadingEnd,
    actor: Actor,
    at: datetime,
    facts: Mapping[str, Value] | None = None,
) -> None:
    """End a reading without a result."""
    reading.state = ReadingState.ENDED
    reading.ended_at = at
    reading.ended_why = why
    reading.save(update_fields=["state", "ended_at", "ended_why"])
    record_reading("reading.end", reading, actor, at, {"why": why.value, **(facts or {})})


def record_reading(
    kind: str, reading: Reading, actor: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    """Write an entry about a reading into the chain of its call."""
    record(
        chain_id=reading.call_id,
        about=About.CALL,
        kind=kind,
        by=actor,
        at=at,
        facts={"reading": str(reading.pk), **facts},
    )


def _is_read(stored: Call) -> bool:
    """Say whether a person has decided every row that is or may be owed."""
    open_rows = PhaseRow.objects.filter(call=stored, standing=StandingCode.PROPOSED)
    return not open_rows.exclude(required=RequiredCode.NO).exists()


def _draw_second(stored: Call, folded: Folded, actor: Actor, at: datetime) -> None:
    """Draw once in a review of a transcript: what was called off is not drawn again."""
    before = Reading.objects.filter(
        call=stored, review=stored.revision, transcript_revision=stored.transcript_revision
    )
    if before.exclude(kind=ReadingKind.SAMPLE.value).exists():
        return
    drawn = draw_second(
        stored.pk,
        stored.revision,
        [phase.id for phase in folded.document.phases],
        folded.grounds.critical,
        key=sample_key(),
        shares=shares_at(stored.site_id),
    )
    if drawn is None:
        return
    ask_for_reading(stored, drawn, folded.document.digest, actor, at)
    stored.state = State.AWAITING_SECOND_READER
    stored.save(update_fields=["state"])
    drop_hold(stored)
    set_second(stored, Second.WAITING)
