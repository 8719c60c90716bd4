"""A signed call is disputed, and answered within a limit by who neither signed nor filed it.

The signature stands whatever the answer; what was overturned is changed by asking to have the call
reopened, as anything signed is (`reopening`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.actions.refusals import UnableToMap
from review.actions.revising import lock_call
from review.actions.sealed import seal_note
from review.core.compliance.disputes import LONGEST_WORDS, due_after
from review.models import (
    Call,
    Dispute,
    DisputedResult,
    DisputeEnd,
    DisputeKind,
    NoteKind,
    PhaseRow,
    SignOff,
    State,
)
from review.oversight_permissions import check_can_answer_dispute, check_can_dispute
from review.permissions import NotAllowed


class UnableToDispute(Exception):
    """Nothing is filed or answered; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class DisputeWish:
    """What is held to be wrong, and of what: a phase (`result` None), or a result of the call."""

    kind: DisputeKind
    phase: str
    result: DisputedResult | None
    words: str


def file_dispute(
    *, dispute_id: UUID, call_id: UUID, wish: DisputeWish, by: User, at: datetime
) -> None:
    """Dispute what was signed of a call; an answer is due within DISPUTE_DAYS.

    The same form twice files once. Raises NotAllowed, or UnableToDispute.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        actor = person(by, check_can_dispute(by, stored.site))
        if Dispute.objects.filter(pk=dispute_id, signoff__call=stored, by=by).exists():
            return
        signed = _signature_of(stored)
        words = _check(stored, wish)
        kept = seal_note(stored, NoteKind.DISPUTED, words, by, at)
        filed = Dispute.objects.create(
            id=dispute_id,
            signoff=signed,
            kind=wish.kind,
            phase=wish.phase,
            result=wish.result or "",
            note=_last_note(stored),
            by=by,
            at=at,
            due=due_after(at, settings.DISPUTE_DAYS),
        )
        facts: dict[str, Value] = {
            "signature": signed.digest,
            "kind": wish.kind.value,
            "of": wish.phase or filed.result,
            "due": filed.due.isoformat(),
            "words_commitment": kept,
        }
        _record(stored, filed, "dispute.file", actor, at, facts)


def answer_dispute(
    *, dispute_id: UUID, end: DisputeEnd, words: str, by: User, at: datetime
) -> None:
    """Uphold what is disputed, or overturn it; the signature stands either way.

    Raises NotAllowed, also for who signed or filed it, or UnableToDispute.
    """
    with transaction.atomic():
        stored, found = _lock_dispute(dispute_id)
        actor = _check_answers(stored, found, by)
        _check_waits(found)
        if end not in (DisputeEnd.UPHELD, DisputeEnd.OVERTURNED):
            raise UnableToDispute("Say whether it stands as signed.", "end")
        said = _check_words(words, "Write down why; who disputed it reads this.")
        kept = seal_note(stored, NoteKind.DISPUTE_ANSWERED, said, by, at)
        found.answer_note = _last_note(stored)
        _end(found, end, by, at)
        facts: dict[str, Value] = {
            "answer": end.value,
            "filed_by": str(found.by_id),
            "late": at > found.due,
            "words_commitment": kept,
        }
        _record(stored, found, "dispute.answer", actor, at, facts)


def withdraw_dispute(*, dispute_id: UUID, by: User, at: datetime) -> None:
    """Take back a dispute that one filed oneself. Raises NotAllowed or UnableToDispute."""
    with transaction.atomic():
        stored, found = _lock_dispute(dispute_id)
        role = check_can_dispute(by, stored.site)
        if found.by_id != by.pk:
            raise NotAllowed("Who filed a dispute withdraws it, and nobody else.")
        _check_waits(found)
        _end(found, DisputeEnd.WITHDRAWN, by, at)
        _record(stored, found, "dispute.withdraw", person(by, role), at, {})


def end_disputes(stored: Call, actor: Actor, at: datetime) -> None:
    """End what is disputed of a call whose words go; a part of erasing it, under its lock."""
    waiting = Dispute.objects.select_for_update().filter(signoff__call=stored, end="")
    for found in waiting.order_by("pk"):
        _end(found, DisputeEnd.ERASED, None, at)
        _record(stored, found, "dispute.end", actor, at, {"why": DisputeEnd.ERASED.value})


def _lock(call_id: UUID) -> Call:
    try:
        return lock_call(call_id)
    except UnableToMap as refusal:
        raise UnableToDispute(str(refusal)) from refusal


def _lock_dispute(dispute_id: UUID) -> tuple[Call, Dispute]:
    call_id = Dispute.objects.filter(pk=dispute_id).values_list("signoff__call", flat=True).first()
    if call_id is None:
        raise UnableToDispute("There is no such dispute.")
    stored = _lock(call_id)
    own = Dispute.objects.select_for_update(of=("self",)).select_related("signoff")
    return stored, own.get(pk=dispute_id)


def _signature_of(stored: Call) -> SignOff:
    """Return the signature that may be disputed. Raises UnableToDispute."""
    if stored.erased_at is not None:
        raise UnableToDispute("The words of the call are erased; nothing is disputed any more.")
    signed = SignOff.objects.filter(call=stored, void_at=None).first()
    if stored.state != State.SIGNED or signed is None:
        raise UnableToDispute(f"The call is {State(stored.state).label}; a signed one is disputed.")
    if Dispute.objects.filter(signoff=signed, end="").exists():
        raise UnableToDispute("Somebody disputes this signature already; the answer is to come.")
    return signed


def _check(stored: Call, wish: DisputeWish) -> str:
    """Return the words of a dispute that is one."""
    has_phase = PhaseRow.objects.filter(call=stored, phase=wish.phase).exists()
    if has_phase == (wish.result is not None):
        raise UnableToDispute("This was not signed. Choose one of the list.", "about")
    return _check_words(wish.words, "Write down what is wrong; it is kept sealed with the call.")


def _check_words(words: str, missing: str) -> str:
    said = words.strip()
    if not said:
        raise UnableToDispute(missing, "words")
    if len(said) > LONGEST_WORDS:
        raise UnableToDispute(
            f"This has {len(said):,} characters; {LONGEST_WORDS:,} are kept. Shorten it.", "words"
        )
    return said


def _check_answers(stored: Call, found: Dispute, by: User) -> Actor:
    role = check_can_answer_dispute(by, stored.site)
    if found.by_id == by.pk:
        raise NotAllowed("You filed this dispute yourself: somebody else answers it.")
    if found.signoff.by_id == by.pk:
        raise NotAllowed("You signed what is disputed: somebody else answers it.")
    return person(by, role)


def _check_waits(found: Dispute) -> None:
    if found.end:
        raise UnableToDispute("The dispute is over: it was answered, withdrawn or ended.")


def _last_note(stored: Call) -> int:
    """Return the number of the note that was just kept; the call is locked."""
    return stored.notes.order_by("-number").values_list("number", flat=True)[0]


def _end(found: Dispute, end: DisputeEnd, by: User | None, at: datetime) -> None:
    found.end, found.ended_by, found.ended_at = end, by, at
    found.save(update_fields=["end", "answer_note", "ended_by", "ended_at"])


def _record(
    stored: Call,
    found: Dispute,
    kind: str,
    by: Actor,
    at: datetime,
    facts: Mapping[str, Value],
) -> None:
    record(
        chain_id=stored.pk,
        about=About.CALL,
        kind=kind,
        by=by,
        at=at,
        facts={"dispute_id": str(found.pk), **facts},
    )
