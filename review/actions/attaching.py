"""Events that come after a call was handed in whole: a new transcript revision, as other bytes are.

Turns and words stay as they are; what was filled of the call without the events is filled anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding, error
from oipsce_site.ledger.actors import program
from oipsce_site.ledger.record import record_all
from oipsce_site.people.models import ApiClient
from review.actions.intake import Imported, ImportOutcome, check_can_store
from review.actions.prefill import queue_runs
from review.actions.reimport import check_can_revise
from review.actions.revising import Reviser, add_revision
from review.actions.running_rows import read_object
from review.actions.sealed import unseal_call
from review.core.transcript import Call as CallValue
from review.core.transcript import RefusedInput, call_digest
from review.core.transcript.neutral.attaching import attach
from review.models import Call, RevisionWhy, State
from review.permissions import check_takes_calls
from review.queries.findings import read_finding


class NoStoredCall(Exception):
    """The client's site has no stored call of this id."""


@dataclass(frozen=True, slots=True)
class Attached:
    """The call after it: what became of it, under which id of its source, and what is to say."""

    imported: Imported
    external_id: str
    findings: Sequence[Finding] = ()


def attach_events_to_call(
    *, call_id: UUID, run_id: UUID, part: str, by: ApiClient, at: datetime
) -> Attached:
    """Add events to a stored call that nobody has read or signed yet. `part` is JSON text.

    The same events again change nothing. Raises NoStoredCall, NotAllowed for a retired site,
    RefusedInput, or UnableToImport for a call that takes no new transcript as it stands.
    """
    check_takes_calls(by.site)
    said = read_object(part)
    if not said.get("events"):
        raise RefusedInput(error("nothing_told", "the request", "Nothing is told: send events."))
    with transaction.atomic():
        stored = _locked(call_id, by)
        known = [one.source_sha256 for one in stored.transcripts.all()]
        if any(_digest(one, said["events"]) in known for one in known):
            return Attached(_imported(stored, ImportOutcome.UNCHANGED), stored.external_id)
        check_can_revise(stored, _after(stored))
        call = unseal_call(stored)
        grown, findings = attach(call, said)
        source = replace(call.source, sha256=_digest(call.source.sha256, said["events"]))
        grown = replace(grown, source=source)
        check_can_store(grown)
        _store(stored, grown, findings, run_id, by, at)
    return Attached(_imported(stored, ImportOutcome.CHANGED), stored.external_id, findings)


def _store(
    stored: Call,
    grown: CallValue,
    findings: Sequence[Finding],
    run_id: UUID,
    by: ApiClient,
    at: datetime,
) -> None:
    actor = program(by)
    gathered = (*map(read_finding, stored.findings), *findings)
    added = {"events": len(grown.events)}
    add_revision(stored, grown, gathered, RevisionWhy.OTHER_BYTES, Reviser(None, actor, at), added)
    stored.state = _after(stored)
    stored.save(update_fields=["state"])
    if stored.state == State.RECEIVED and stored.catalog_version is not None:
        record_all(queue_runs([stored], [run_id], actor, at), at=at)


def _locked(call_id: UUID, by: ApiClient) -> Call:
    found = Call.objects.select_for_update(of=("self",)).select_related("catalog_version", "site")
    stored = found.filter(pk=call_id, site=by.site_id, erased_at=None).first()
    if stored is None:
        raise NoStoredCall
    return stored


def _after(stored: Call) -> State:
    """Return where the call stands then: one that waits for its mapping goes on to."""
    return State.NEEDS_MAPPING if stored.needs_mapping else State.RECEIVED


def _digest(sha256: str, events: object) -> str:
    return call_digest({"attached_to": sha256, "events": events})


def _imported(stored: Call, outcome: ImportOutcome) -> Imported:
    return Imported(
        stored.pk, outcome, stored.state, stored.needs_mapping, stored.transcript_revision
    )
