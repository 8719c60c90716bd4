"""Who works at which pre-fill: claims under a lease, renewed while the work goes on.

A claim is no entry of the decision log: nothing is decided by it, and what the attempt stores is
recorded with the attempt's number. A run that was tried before is claimed alone, so that a call
which kills its worker takes no other call's attempts with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from review.models import PrefillRun, RunState, State
from review.queries import run_waits

# With the sweep every ten seconds a lost worker's calls are taken up again within a minute.
LEASE = timedelta(seconds=45)


@dataclass(frozen=True, slots=True)
class StartedRun:
    """What a worker needs: which run and attempt it is, of which call, and which catalog reads."""

    run_id: UUID
    attempt: int
    call_id: UUID
    catalog_digest: str


def claim_prefills(*, most: int, at: datetime) -> list[StartedRun]:
    """Take up to `most` waiting runs, the oldest first, under a lease; empty when none waits.

    Waiting is a queued run, or one whose worker let its lease run out. What another claim holds
    at this moment is passed over.
    """
    with transaction.atomic():
        waiting = list(
            PrefillRun.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(run_waits(at), call__state=State.PREFILLING, attempts__lt=F("most_attempts"))
            .order_by("queued_at", "id")[:most]
        )
        taken = waiting[:1] if waiting and waiting[0].attempts else _fresh(waiting)
        PrefillRun.objects.filter(pk__in=[run.pk for run in taken]).update(
            state=RunState.RUNNING,
            attempts=F("attempts") + 1,
            started_at=at,
            lease_until=at + LEASE,
        )
    return [StartedRun(run.id, run.attempts + 1, run.call_id, run.catalog_digest) for run in taken]


def renew_claims(*, started: Sequence[StartedRun], at: datetime) -> None:
    """Hold these runs for another lease, those that are still in this worker's hands."""
    fences = Q()
    for run in started:
        fences |= Q(pk=run.run_id, attempts=run.attempt)
    if started:
        mine = PrefillRun.objects.filter(fences, state=RunState.RUNNING)
        mine.update(lease_until=at + LEASE)


def _fresh(runs: Sequence[PrefillRun]) -> list[PrefillRun]:
    return [run for run in runs if not run.attempts]
