"""The sign of life of a worker, kept in our own table: the broker is not asked."""

from __future__ import annotations

from datetime import datetime

from review.models import WorkerBeat


def note_beat(*, worker: str, at: datetime) -> None:
    """Note that a worker has just finished a piece of work."""
    WorkerBeat.objects.bulk_create(
        [WorkerBeat(name=worker, seen_at=at)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["seen_at"],
    )
