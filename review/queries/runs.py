"""How far the pre-fill is, read from our own tables and never from the broker."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from review.models import BatchState, ImportBatch, PrefillRun, RunState, State


@dataclass(frozen=True, slots=True)
class RunCount:
    """How many runs wait, run, are done and have failed for good."""

    queued: int
    running: int
    done: int
    failed: int

    @property
    def is_over(self) -> bool:
        """Whether nothing is waiting or running any more."""
        return self.queued == 0 and self.running == 0


def count_runs(call_ids: Collection[UUID]) -> RunCount:
    """Count the runs of these calls by state, in one query."""
    counts = PrefillRun.objects.filter(call__in=call_ids).aggregate(
        queued=Count("pk", filter=Q(state=RunState.QUEUED)),
        running=Count("pk", filter=Q(state=RunState.RUNNING)),
        done=Count("pk", filter=Q(state=RunState.DONE)),
        failed=Count("pk", filter=Q(state=RunState.FAILED)),
    )
    return RunCount(**counts)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many pre-fills and import batches a worker could take at this moment."""

    prefills: int
    imports: int


def count_waiting(at: datetime) -> Waiting:
    """Count what waits: queued, or with a lease that has run out."""
    runs = PrefillRun.objects.filter(run_waits(at), call__state=State.PREFILLING)
    return Waiting(runs.count(), ImportBatch.objects.filter(batch_waits(at)).count())


def run_waits(at: datetime) -> Q:
    """Return the condition of a run that a worker may take."""
    return Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=at)


def batch_waits(at: datetime) -> Q:
    """Return the condition of an import batch that a worker may take."""
    return Q(state=BatchState.QUEUED) | Q(state=BatchState.RUNNING, lease_until__lt=at)
