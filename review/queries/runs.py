"""How far the pre-fill is, read from our own tables and never from the broker."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from review.models import Call, PrefillRun, RunState, State


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


def list_waiting_calls(at: datetime) -> list[UUID]:
    """Return the calls whose run waits, or whose worker let its lease run out: ring for them."""
    waiting = PrefillRun.objects.filter(
        Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=at)
    )
    return list(waiting.order_by("queued_at", "id").values_list("call_id", flat=True))


def list_unqueued_calls() -> list[UUID]:
    """Return the received calls whose transcript has a catalog and no run: an import cut short."""
    received = Call.objects.filter(state=State.RECEIVED, catalog_version__isnull=False)
    asked = PrefillRun.objects.filter(
        call=OuterRef("pk"), transcript_digest=OuterRef("transcript_digest")
    )
    unqueued = received.filter(~Exists(asked)).order_by("received_at", "id")
    return list(unqueued.values_list("id", flat=True))


def lease_of(call_id: UUID) -> datetime | None:
    """Return until when a worker holds the call's run; None when nobody does."""
    running = PrefillRun.objects.filter(call=call_id, state=RunState.RUNNING)
    return running.values_list("lease_until", flat=True).first()
