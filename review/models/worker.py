"""When each worker was last seen at work: so that a dead one is said, not waited for."""

from __future__ import annotations

from django.db import models


class WorkerBeat(models.Model):
    """One worker by the name Celery gives it; `seen_at` is when it last finished a piece."""

    name = models.CharField(max_length=255, primary_key=True)
    seen_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name
