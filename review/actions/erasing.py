"""The words of a call are erased: asked for by one person, done by another.

What goes: the call's key, and with it every sealed text, wherever it was copied; turns, events and
notes with their nonces; title, attributes, speakers, findings, facts, reports and proposals; what a
version in shadow made of its rows; stored audits that hold the call. What stays: the chain with its
commitments, which open to nothing from now on, the signed records, verdicts and turn numbers.
Design 5; audit_security 2e; ICH E6(R3) 4.2.2.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.postgres.search import SearchVector
from django.db import transaction
from django.db.models import Case, F, Value, When
from django.db.models.fields import BinaryField

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.actions.disputing import end_disputes
from review.core.audit.names import ERASE, Why
from review.core.lifecycle import SENTENCES, CallState, Owner, may_move
from review.models import (
    AuditExport,
    AuditPiece,
    BatchState,
    Call,
    CallNote,
    Decision,
    Erasure,
    ErasureState,
    Evaluation,
    Event,
    EvidenceCommitment,
    ExportState,
    Ground,
    ImportLine,
    LegalHold,
    PrefillRun,
    ProposedRow,
    RunState,
    ShadowLine,
    ShadowRun,
    ShadowState,
    SigningIntent,
    SignOff,
    State,
    TranscriptRevision,
    Turn,
)
from review.oversight_permissions import check_can_approve_erasure, check_can_ask_erasure

_EMPTY = Value(b"", output_field=BinaryField())


class UnableToErase(Exception):
    """The call cannot be erased as it stands; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Erasing:
    """Whose erasure of a call it is, and on what ground."""

    erasure_id: UUID
    ground: Ground
    asked_by: UUID
    actor: Actor
    at: datetime


def ask_erasure(*, erasure_id: UUID, call_id: UUID, ground: Ground, by: User, at: datetime) -> None:
    """Ask to have a call erased; another person decides. The same form twice asks once.

    Raises NotAllowed, or UnableToErase for a call that is held, erased, or asked for already.
    """
    with transaction.atomic():
        stored = lock_to_erase(call_id)
        role = check_can_ask_erasure(by, stored.site)
        if Erasure.objects.filter(pk=erasure_id, call=stored, asked_by=by).exists():
            return
        _check_may_be_erased(stored)
        if Erasure.objects.filter(call=stored, state=ErasureState.ASKED).exists():
            raise UnableToErase("Somebody asked for this already; it waits for an administrator.")
        Erasure.objects.create(
            id=erasure_id,
            call=stored,
            ground=ground,
            state=ErasureState.ASKED,
            asked_by=by,
            asked_at=at,
        )
        _record(stored, "erasure.ask", person(by, role), at, {"ground": ground.value.lower()})


def approve_erasure(*, erasure_id: UUID, by: User, at: datetime) -> None:
    """Erase a call that somebody else asked to have erased.

    Raises NotAllowed, or UnableToErase.
    """
    role = check_can_approve_erasure(by)
    with transaction.atomic():
        asked, stored = _lock_asked(erasure_id, by)
        actor = person(by, role)
        erase_call(stored, Erasing(asked.pk, Ground(asked.ground), asked.asked_by_id, actor, at))
        _decide(asked, ErasureState.DONE, by, at)


def refuse_erasure(*, erasure_id: UUID, by: User, at: datetime) -> None:
    """Leave a call as it is that somebody else asked to have erased.

    Raises as `approve_erasure`.
    """
    role = check_can_approve_erasure(by)
    with transaction.atomic():
        asked, stored = _lock_asked(erasure_id, by)
        _decide(asked, ErasureState.REFUSED, by, at)
        _record(
            stored, "erasure.refuse", person(by, role), at, {"asked_by": str(asked.asked_by_id)}
        )


def lock_to_erase(call_id: UUID) -> Call:
    """Return a call under its lock. Raises UnableToErase."""
    found = Call.objects.select_for_update(of=("self",)).select_related("site")
    stored = found.filter(pk=call_id).first()
    if stored is None:
        raise UnableToErase("There is no such call.")
    return stored


def erase_call(stored: Call, erasing: Erasing) -> None:
    """Erase the words of a locked call, with the entry that says so. Raises UnableToErase.

    Inside a transaction: killed in the middle, the call is as it was.
    """
    _check_may_be_erased(stored)
    count, digest = _commitments_of(stored)
    end_disputes(stored, erasing.actor, erasing.at)
    _empty_call(stored, erasing.at)
    _empty_rows(stored)
    exports = _empty_exports(stored)
    _record(
        stored,
        ERASE,
        erasing.actor,
        erasing.at,
        {
            "erasure_id": str(erasing.erasure_id),
            "ground": erasing.ground.value.lower(),
            "asked_by": str(erasing.asked_by),
            "commitments": count,
            "commitments_digest": digest,
            "audits_emptied": exports,
        },
    )


def _lock_asked(erasure_id: UUID, by: User) -> tuple[Erasure, Call]:
    asked = Erasure.objects.filter(pk=erasure_id).first()
    if asked is None:
        raise UnableToErase("There is no such wish.")
    stored = lock_to_erase(asked.call_id)
    asked.refresh_from_db()
    if asked.state != ErasureState.ASKED:
        raise UnableToErase("Somebody has decided this already.")
    if asked.asked_by_id == by.pk:
        raise UnableToErase("You asked for this yourself; a second person decides.")
    return asked, stored


def _decide(asked: Erasure, state: ErasureState, by: User, at: datetime) -> None:
    asked.state, asked.decided_by, asked.decided_at = state, by, at
    asked.save(update_fields=["state", "decided_by", "decided_at"])


def _check_may_be_erased(stored: Call) -> None:
    if stored.erased_at is not None:
        raise UnableToErase("The call is erased already.")
    if LegalHold.objects.filter(call=stored, lifted_at=None).exists():
        raise UnableToErase("The call is under a legal hold, so nothing erases it.")
    waiting = PrefillRun.objects.filter(call=stored, state__in=(RunState.QUEUED, RunState.RUNNING))
    if waiting.exists():
        raise UnableToErase("Its pre-fill is queued or running. Ask again when it is done.")
    over = (BatchState.DONE, BatchState.FAILED)
    lines = ImportLine.objects.filter(call=stored)
    if lines.exclude(batch__state__in=over).exists():
        raise UnableToErase("Its import is not over, and its file still there. Ask again then.")
    building = AuditExport.objects.filter(site=stored.site_id, state=ExportState.RUNNING)
    if building.exists():
        raise UnableToErase("An audit of the site is being built. Ask again when it is done.")


def _commitments_of(stored: Call) -> tuple[int, str]:
    """Return how many commitments open to nothing from now on, and one digest over them."""
    found = EvidenceCommitment.objects.filter(evaluation__call=stored)
    distinct = sorted(set(found.values_list("commitment", flat=True)))
    return len(distinct), hashlib.sha256("".join(distinct).encode()).hexdigest()


def _empty_call(stored: Call, at: datetime) -> None:
    stored.state = _state_after(stored)
    stored.wrapped_key, stored.title, stored.needs_mapping = b"", "", ""
    stored.attributes, stored.speakers, stored.flags, stored.findings = {}, [], [], []
    stored.started_at = stored.queue_edge = None
    stored.held_by = stored.held_until = stored.hold_key = stored.assigned_to = None
    stored.erased_at = at
    stored.save(
        update_fields=[
            *("state", "wrapped_key", "title", "needs_mapping", "attributes", "speakers", "flags"),
            *("findings", "started_at", "queue_edge", "held_by", "held_until", "hold_key"),
            *("assigned_to", "erased_at"),
        ]
    )
    # What finds the tombstone again is where the call came from.
    words = SearchVector(Value(stored.external_id), config="simple")
    Call.objects.filter(pk=stored.pk).update(search=words)


def _state_after(stored: Call) -> State:
    """Return where an erased call stands: a signed one stays signed. Raises UnableToErase."""
    state = CallState(stored.state)
    if state in (CallState.SIGNED, CallState.WITHDRAWN):
        return State(stored.state)
    if not may_move(state, CallState.WITHDRAWN, Owner.RETENTION):
        raise UnableToErase(f"A call in this state is not erased. {SENTENCES[state]}")
    return State.WITHDRAWN


def _empty_rows(stored: Call) -> None:
    for words in (Turn, Event, CallNote):
        words.objects.filter(call=stored).delete()
    TranscriptRevision.objects.filter(call=stored).update(
        attributes={}, speakers=[], flags=[], findings=[]
    )
    Evaluation.objects.filter(call=stored).update(report="")
    ProposedRow.objects.filter(run__call=stored).update(row={})
    Decision.objects.filter(call=stored).update(
        value={}, sealed=_emptied("sealed"), sealed_nonce=_emptied("sealed_nonce")
    )
    SignOff.objects.filter(call=stored).update(sealed_inputs=b"")
    SigningIntent.objects.filter(call=stored).update(sealed_inputs=b"")
    LegalHold.objects.filter(call=stored).update(reason="erased", nonce=b"")
    ShadowLine.objects.filter(call=stored).update(rows=[], edges=[], annotate=[], lost=[])
    waiting = ShadowRun.objects.filter(call=stored, state=ShadowState.WAITING)
    waiting.update(state=ShadowState.UNREAD, lease_until=None)


def _emptied(column: str) -> Case:
    """Return what a sealed column becomes: where there was nothing, nothing is there."""
    return Case(When(**{f"{column}__isnull": True}, then=F(column)), default=_EMPTY)


def _empty_exports(stored: Call) -> int:
    """Empty the stored files of audits that hold the call; copies that left are their owners'."""
    held = AuditExport.objects.filter(
        **{f"universe__{stored.pk}": Why.INCLUDED.value}, state=ExportState.DONE
    )
    emptied = list(held.exclude(wrapped_key=b"").select_for_update())
    for export in emptied:
        AuditPiece.objects.filter(export=export).delete()
        export.wrapped_key = b""
        export.save(update_fields=["wrapped_key"])
    return len(emptied)


def _record(
    stored: Call, kind: str, actor: Actor, at: datetime, facts: dict[str, str | int | bool | None]
) -> None:
    record(chain_id=stored.pk, about=About.CALL, kind=kind, by=actor, at=at, facts=facts)
