"""Where a task says that its worker lives."""

from __future__ import annotations

from datetime import datetime

from celery import current_task

from review.actions.workers import note_beat


def beat(at: datetime) -> None:
    """Note a sign of life of the worker that runs the current task; called by hand, of nobody."""
    # Outside a worker the proxy stands for nothing and has no request.
    name = getattr(getattr(current_task, "request", None), "hostname", None)
    if name is not None:
        note_beat(worker=name, at=at)
