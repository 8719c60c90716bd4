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

from django.db import connection, transaction
from django.db.models import Q

from review.models import Call, PrefillRun, RunState, State

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
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_WAITING, [at, most])
        waiting = [StartedRun(*found) for found in cursor.fetchall()]
        taken = waiting[:1] if waiting and waiting[0].attempt > 1 else _fresh(waiting)
        cursor.execute(_TAKE, [at, at + LEASE, [one.run_id for one in taken]])
    return taken


# One statement each and no join in the first: it looks at most runs that wait, and locks few.
_WAITING = (
    "SELECT id, attempts + 1, call_id, catalog_digest "  # noqa: S608 - names of our own
    f"FROM {PrefillRun._meta.db_table} AS run "
    f"WHERE (state = '{RunState.QUEUED}' OR (state = '{RunState.RUNNING}' AND lease_until < %s)) "
    "AND attempts < most_attempts "
    f"AND EXISTS (SELECT 1 FROM {Call._meta.db_table} AS call WHERE call.id = run.call_id "
    f"AND call.state = '{State.PREFILLING}') "
    "ORDER BY queued_at, id LIMIT %s FOR UPDATE OF run SKIP LOCKED"
)
_TAKE = (
    f"UPDATE {PrefillRun._meta.db_table} "  # noqa: S608 - names of our own
    f"SET state = '{RunState.RUNNING}', attempts = attempts + 1, started_at = %s, lease_until = %s "
    "WHERE id = ANY(%s::uuid[])"
)


def renew_claims(*, started: Sequence[StartedRun], at: datetime) -> None:
    """Hold these runs for another lease, those that are still in this worker's hands."""
    fences = Q()
    for run in started:
        fences |= Q(pk=run.run_id, attempts=run.attempt)
    if started:
        mine = PrefillRun.objects.filter(fences, state=RunState.RUNNING)
        mine.update(lease_until=at + LEASE)


def _fresh(waiting: Sequence[StartedRun]) -> list[StartedRun]:
    return [one for one in waiting if one.attempt == 1]
