"""The end of a signature: a part of whatever ends it, inside its transaction and its lock."""

from __future__ import annotations

from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from review.actions.revising import Reviser
from review.core.signoff.record import VOID, Voided, void_facts
from review.models import Call, SignedLine, SignOff, VoidWhy


def end_signature(stored: Call, why: Voided, ending: Reviser) -> None:
    """End the signature that stands, if one does, by an entry that names who ended it.

    The signature itself stays as it was made, and is shown as void from now on. `stored` is locked.
    """
    stands = SignOff.objects.filter(call=stored, void_at=None).first()
    if stands is None:
        return
    stands.void_why = VoidWhy[why.name]
    stands.void_by = ending.user
    stands.void_at = ending.at
    stands.save(update_fields=["void_why", "void_by", "void_at"])
    SignedLine.objects.filter(signoff=stands).update(stands=False)
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind=VOID,
        by=ending.actor,
        at=ending.at,
        facts=void_facts(bytes(stands.record), why),
    )
