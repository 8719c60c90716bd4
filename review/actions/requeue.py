"""A pre-fill that gave up is asked for again by a person: further attempts of the same run."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.actions.refusals import UnableToMap
from review.actions.revising import lock_call
from review.core.evaluation import ENGINE_VERSION
from review.core.lifecycle import CallState, Owner, may_move
from review.models import Call, PrefillRun, RunState, State
from review.models.proposal import MOST_ATTEMPTS
from review.permissions import check_can_map


def read_again(*, call_id: UUID, by: User, at: datetime) -> None:
    """Queue the failed run of a call again; the caller rings the bell.

    Raises NotAllowed, or UnableToMap for a call that waits for something else.
    """
    with transaction.atomic():
        stored = lock_call(call_id)
        role = check_can_map(by, stored.site)
        run = run_of(stored)
        if stored.state != State.NEEDS_MAPPING or run is None or run.state != RunState.FAILED:
            raise UnableToMap(
                f"The call is {State(stored.state).label} and no pre-fill of this transcript has "
                "failed; there is nothing to read again."
            )
        requeue(stored, run, person(by, role), at)


def run_of(stored: Call) -> PrefillRun | None:
    """Return the run of the call's current transcript by its catalog and this engine, locked."""
    version = stored.catalog_version
    if version is None:
        return None
    runs = PrefillRun.objects.select_for_update().filter(
        call=stored,
        transcript_digest=stored.transcript_digest,
        catalog_digest=version.digest,
        engine=ENGINE_VERSION,
    )
    return runs.first()


def requeue(stored: Call, run: PrefillRun, actor: Actor, at: datetime) -> None:
    """Give a failed run of the locked call as many attempts again as it had at first.

    The number of the attempt goes on counting: it is the token that keeps a lost worker out.
    """
    if not may_move(CallState(stored.state), CallState.PREFILLING, Owner.PREFILL):
        raise UnableToMap(f"The call is {State(stored.state).label}; nothing is read again.")
    run.state = RunState.QUEUED
    run.most_attempts = run.attempts + MOST_ATTEMPTS
    run.finished_at = None
    run.save(update_fields=["state", "most_attempts", "finished_at"])
    stored.state = State.PREFILLING
    stored.needs_mapping = ""
    stored.save(update_fields=["state", "needs_mapping"])
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind="prefill.requeue",
        by=actor,
        at=at,
        facts={
            "run_id": str(run.id),
            "attempts": run.attempts,
            "most_attempts": run.most_attempts,
            "transcript_digest": run.transcript_digest,
            "catalog_digest": run.catalog_digest,
            "engine": run.engine,
        },
    )
