"""Other bytes of a known call: refused by an import, stored as a new revision where asked for."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from oipsce_site.people.models import Site, User
from review.actions.acting import importing_actor
from review.actions.intake import (
    Imported,
    ImportOutcome,
    Offer,
    UnableToImport,
    answer_unchanged,
    check_can_store,
)
from review.actions.placing import Placer
from review.actions.prefill import queue_prefill
from review.actions.revising import Reviser, add_revision, lock_call
from review.core.lifecycle import CallState, Owner, may_move
from review.core.transcript import Call as CallValue
from review.models import Call, RevisionWhy, State


def import_revision(*, site: Site, offer: Offer, by: User | None, at: datetime) -> Imported:
    """Store other bytes of a known call as its next transcript revision; the old one is kept.

    The call is placed, and its pre-fill asked for, as if it were new. Bytes that any of its
    revisions came from change nothing. Raises NotAllowed, or UnableToImport for an unknown call and
    for one whose transcript people have worked on.
    """
    actor = importing_actor(by, site)
    call = offer.call
    check_can_store(call)
    call_id = load_by_key(site, call).id
    placed = Placer(site).place(call, call_id)
    with transaction.atomic():
        stored = lock_call(call_id)
        if stored.erased_at is not None:
            raise UnableToImport("The call was erased, so it is not taken again.")
        if stored.transcripts.filter(source_sha256=call.source.sha256).exists():
            return answer_unchanged(stored, call)
        state = State.NEEDS_MAPPING if placed.sentence else State.RECEIVED
        check_can_revise(stored, state)
        gathered = (*offer.findings, *placed.findings)
        by_whom = Reviser(by, actor, at)
        add_revision(stored, placed.call, gathered, RevisionWhy.OTHER_BYTES, by_whom)
        stored.state = state
        stored.needs_mapping = placed.sentence
        stored.catalog_version = placed.version
        stored.save(update_fields=["state", "needs_mapping", "catalog_version"])
        if state == State.RECEIVED:
            queue_prefill(call_id=stored.pk, run_id=offer.run_id, by=by, at=at)
            stored.refresh_from_db(fields=["state"])
    return Imported(
        stored.id,
        ImportOutcome.CHANGED,
        stored.state,
        stored.needs_mapping,
        stored.transcript_revision,
    )


def load_by_key(site: Site, call: CallValue) -> Call:
    """Return the call of this key. Raises UnableToImport."""
    found = Call.objects.filter(
        site=site, source=call.source.format, external_id=call.source.external_id
    ).first()
    if found is None:
        raise UnableToImport(
            f"There is no call {call.source.external_id!r} of this source; import it first."
        )
    return found


_WHAT_TO_DO = {
    State.PREFILLING: "Its pre-fill is queued or running; import the file again when it is done.",
    State.IN_REVIEW: (
        "A reviewer is at work on the stored transcript. Withdraw the call and import the file "
        "under another id, or let the review end."
    ),
    State.AWAITING_SECOND_READER: (
        "It waits for a second reader of the stored transcript. Import the file under another id."
    ),
    State.SIGNED: (
        "It is signed, and the signature stands for the stored transcript. Import the file under "
        "another id; that call is reviewed and signed on its own."
    ),
    State.REOPENED: (
        "It was signed and reopened; its signature stands for the stored transcript. Import the "
        "file under another id."
    ),
    State.WITHDRAWN: "It is withdrawn. Import the file under another id.",
}


def check_can_revise(stored: Call, state: State) -> None:
    """Raise UnableToImport for a call that takes no new transcript as it stands; `state` is where
    it would go on to.
    """
    refused = f"The call {stored.external_id!r} takes no new transcript."
    source = State(stored.state)
    if source in _WHAT_TO_DO:
        raise UnableToImport(f"{refused} {_WHAT_TO_DO[source]}")
    moves = source != state
    if moves and not may_move(CallState(source.value), CallState(state.value), Owner.INTAKE):
        raise UnableToImport(f"{refused} It is {source.label}.")
    if stored.rows.filter(touched_at__isnull=False).exists():
        raise UnableToImport(
            f"{refused} People have decided rows of it by the turns of the stored one. Import the "
            "file under another id."
        )
