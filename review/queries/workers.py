"""Whether any worker is alive: what people are told instead of being left to wait."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from review.models import WorkerBeat

# Four sweeps: one that is late beside a long piece of work is no alarm.
PATIENCE = timedelta(seconds=40)


@dataclass(frozen=True, slots=True)
class WorkerLife:
    """When any worker was last seen (None: never), and whether that is recent."""

    seen_at: datetime | None
    is_alive: bool


def worker_life(at: datetime) -> WorkerLife:
    """Say whether a worker has finished anything lately; each sweeps every ten seconds."""
    seen = WorkerBeat.objects.aggregate(latest=Max("seen_at"))["latest"]
    return WorkerLife(seen, seen is not None and at - seen <= PATIENCE)
