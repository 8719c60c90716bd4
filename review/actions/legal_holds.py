"""A compliance officer puts a call under a legal hold, or lifts it: nothing erases it meanwhile."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About, commit_text
from oipsce_site.ledger.record import new_nonce, record
from oipsce_site.people.models import User
from review.actions.erasing import UnableToErase, lock_to_erase
from review.models import LegalHold
from review.oversight_permissions import check_can_ask_erasure


class UnableToHoldLegally(Exception):
    """The hold makes no sense as asked; the sentence says why."""


def place_legal_hold(*, hold_id: UUID, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Put a call under a legal hold. The same form twice places one.

    Raises NotAllowed, or UnableToHoldLegally for a call that is erased or held, and for no reason.
    """
    said = _said(reason)
    try:
        with transaction.atomic():
            stored = lock_to_erase(call_id)
            role = check_can_ask_erasure(by, stored.site)
            if LegalHold.objects.filter(pk=hold_id).exists():
                return
            if stored.erased_at is not None:
                raise UnableToHoldLegally("The call is erased: there is nothing left to hold.")
            if LegalHold.objects.filter(call=stored, lifted_at=None).exists():
                raise UnableToHoldLegally("The call is under a legal hold already.")
            nonce = new_nonce()
            LegalHold.objects.create(
                id=hold_id, call=stored, reason=said, nonce=nonce, placed_by=by, placed_at=at
            )
            record(
                chain_id=stored.pk,
                about=About.CALL,
                kind="legal_hold.place",
                by=person(by, role),
                at=at,
                facts={"hold_id": str(hold_id), "reason_commitment": commit_text(nonce, said)},
            )
    except UnableToErase as refusal:
        raise UnableToHoldLegally(str(refusal)) from refusal


def lift_legal_hold(*, hold_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Lift a legal hold. Raises NotAllowed, or UnableToHoldLegally."""
    said = _said(reason)
    with transaction.atomic():
        held = (
            LegalHold.objects.select_for_update(of=("self",))
            .select_related("call__site")
            .filter(pk=hold_id)
            .first()
        )
        if held is None:
            raise UnableToHoldLegally("There is no such hold.")
        role = check_can_ask_erasure(by, held.call.site)
        if held.lifted_at is not None:
            raise UnableToHoldLegally("The hold is lifted already.")
        held.lift_reason, held.lifted_by, held.lifted_at = said, by, at
        held.save(update_fields=["lift_reason", "lifted_by", "lifted_at"])
        record(
            chain_id=held.call_id,
            about=About.CALL,
            kind="legal_hold.lift",
            by=person(by, role),
            at=at,
            facts={
                "hold_id": str(hold_id),
                "reason_commitment": commit_text(bytes(held.nonce), said),
            },
        )


def _said(reason: str) -> str:
    said = reason.strip()
    if not said:
        raise UnableToHoldLegally("Say which matter it is for, by its number: no words of a call.")
    return said[:500]
