"""What every task is: one that keeps its process's connection to the database while work lasts."""

from __future__ import annotations

from typing import Any

from celery.contrib.django.task import DjangoTask
from django.db import close_old_connections, connections


class Job(DjangoTask[..., Any]):
    """A task that leaves its connection to the next one, if it returns that it found work.

    Celery would open one for each task, and a server's fresh process knows no table and no plan:
    that was a tenth of what an import costs. An idle one is memory for nothing, so where no work is
    left it is closed. As between two requests, a connection that is broken, or older than
    CONN_MAX_AGE, is closed first; its first use asks whether it lives (docs/adr/0037).
    """

    def before_start(self, *_: object) -> None:
        """Let go of a connection that is old or broken."""
        close_old_connections()

    def after_return(self, status: str, retval: object, *_: object) -> None:
        """Let go of the connection unless there was work."""
        if not retval or status != "SUCCESS":
            connections.close_all()
