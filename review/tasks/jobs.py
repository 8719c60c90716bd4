"""What every task is: one that finds its process's connection to the database usable."""

from __future__ import annotations

from typing import Any

from celery.contrib.django.task import DjangoTask
from django.db import close_old_connections


class Job(DjangoTask[..., Any]):
    """A task that goes on with the connection of the one before it, if that is still good.

    Celery would open one for each task, and a server's fresh process knows no table and no plan:
    that was a tenth of what an import costs. As between two requests, a connection that is broken,
    or older than CONN_MAX_AGE, is closed first; its first use asks whether it lives.
    """

    def before_start(self, *_: object) -> None:
        """Let go of a connection that is old or broken."""
        close_old_connections()
