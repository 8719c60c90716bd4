"""A signed call is reopened by two people: one asks, a senior reviewer who is not them decides.

The signature stands and is shown until something is changed (design 4.1, 5; audit_security 2d).
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, Act
from oipsce_site.people.models import User
from review.actions.drawing import end_readings
from review.actions.refusals import UnableToMap
from review.actions.revising import lock_call
from review.actions.sealed import seal_note
from review.core.lifecycle import CallState, Owner, may_move
from review.models import Call, NoteKind, ReadingEnd, State
from review.permissions import (
    NotAllowed,
    check_can_ask_to_reopen,
    check_can_reopen,
)
from review.queries.signing import reopening_asked

LONGEST_REASON = 2000


class UnableToReopen(Exception):
    """The call is not reopened; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


def ask_to_reopen(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Ask to have a signed call reopened. Raises NotAllowed or UnableToReopen."""
    with transaction.atomic():
        stored = _lock(call_id)
        actor = person(by, check_can_ask_to_reopen(by, stored.site))
        _check_signed(stored)
        if reopening_asked(list(stored.notes.order_by("number"))) is not None:
            raise UnableToReopen("Somebody has asked for it already; a senior reviewer decides.")
        kept = _keep(stored, NoteKind.REOPEN_ASKED, reason, by, at)
        _record(stored, "call.reopen_ask", actor, at, kept)


def reopen_call(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Reopen a signed call that somebody else asked for: a new review begins.

    Its rows and decisions stay, and so does the signature. Raises NotAllowed, also for who asked
    themselves, or UnableToReopen.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        actor = _check_decides(stored, by)
        kept = _keep(stored, NoteKind.REOPENED, reason, by, at)
        stored.state = State.REOPENED
        stored.revision += 1
        stored.save(update_fields=["state", "revision"])
        end_readings(stored, ReadingEnd.REOPENED, actor, at)
        _record(stored, "call.reopen", actor, at, kept)


def decline_reopening(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Leave a call signed that somebody else asked to reopen. Raises as `reopen_call`."""
    with transaction.atomic():
        stored = _lock(call_id)
        actor = _check_decides(stored, by)
        kept = _keep(stored, NoteKind.REOPEN_DECLINED, reason, by, at)
        _record(stored, "call.reopen_decline", actor, at, kept)


def _lock(call_id: UUID) -> Call:
    try:
        return lock_call(call_id)
    except UnableToMap as refusal:
        raise UnableToReopen(str(refusal)) from refusal


def _check_signed(stored: Call) -> None:
    if not may_move(CallState(stored.state), CallState.REOPENED, Owner.SIGNING):
        raise UnableToReopen(f"The call is {State(stored.state).label}; a signed one is reopened.")


def _check_decides(stored: Call, by: User) -> Actor:
    """Return how the log names who decides. Raises NotAllowed or UnableToReopen."""
    role = check_can_reopen(by, stored.site)
    _check_signed(stored)
    asked = reopening_asked(list(stored.notes.order_by("number")))
    if asked is None:
        raise UnableToReopen("Nobody has asked to have it reopened.")
    if asked.by_id == by.pk and Act.REOPEN_CALLS in BY_A_SECOND_PERSON:
        raise NotAllowed("You have asked for it yourself: another senior reviewer decides.")
    return person(by, role)


def _keep(stored: Call, kind: NoteKind, reason: str, by: User, at: datetime) -> str:
    """Seal the reason; returns the commitment to it."""
    words = reason.strip()
    if not words:
        raise UnableToReopen("Write down why; it stands beside the signature.", "reason")
    if len(words) > LONGEST_REASON:
        raise UnableToReopen(
            f"The reason has {len(words):,} characters; {LONGEST_REASON:,} are kept. Shorten it.",
            "reason",
        )
    return seal_note(stored, kind, words, by, at)


def _record(stored: Call, kind: str, by: Actor, at: datetime, commitment: str) -> None:
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind=kind,
        by=by,
        at=at,
        facts={"review": stored.revision, "reason_commitment": commitment},
    )
