"""The sign of life of a worker, kept in our own table: the broker is not asked."""

from __future__ import annotations

from datetime import datetime, timedelta

from review.models import WorkerBeat

_KEPT = timedelta(days=7)


def note_beat(*, worker: str, at: datetime) -> None:
    """Note that a worker has just finished a piece of work."""
    WorkerBeat.objects.bulk_create(
        [WorkerBeat(name=worker, seen_at=at)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["seen_at"],
    )


def forget_old_beats(*, at: datetime) -> None:
    """Forget workers that have not been seen for a week: each new container brings a new name."""
    WorkerBeat.objects.filter(seen_at__lt=at - _KEPT).delete()
