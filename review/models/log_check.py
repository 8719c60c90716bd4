"""Verifications of the decision log: asked for by a person or due by night, run by a worker."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class CheckState(models.TextChoices):
    """Where a verification stands; FAILED is after the last attempt."""

    QUEUED = "QUEUED", "waiting"
    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"
    FAILED = "FAILED", "failed"


class LogCheck(models.Model):
    """One verification of every chain, checkpoint and trigger, and what it found.

    - `asked_by` is empty for the nightly one.
    - `attempts` fences, as in `PrefillRun`.
    - `faults` are those kept, at most a few hundred: `kind` guard, chain or seal, `place`,
      `code`, `text`, and the `site` of a chain's; `fault_count` counts all of them.
    - `sites` are by a site's id, "" for chains of none: how many chains, how many are broken.
    - `seal` is the last checkpoint as it was: log, size, root, time; empty where there was none.
    - `unsealed` says in a sentence why checkpoints were not verified; empty where they were.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=CheckState.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    chains_done = models.PositiveIntegerField(default=0)
    chains = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True, default="")
    fault_count = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    sites = models.JSONField(default=dict)
    seal = models.JSONField(default=dict)
    unsealed = models.TextField(blank=True, default="")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="logcheck_latest", fields=["-asked_at"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="logcheck_state_known", condition=Q(state__in=CheckState.values)
            ),
            models.UniqueConstraint(
                name="logcheck_one_waits", fields=["state"], condition=Q(state="QUEUED")
            ),
            models.CheckConstraint(
                name="logcheck_lease_iff_running",
                condition=Q(state="RUNNING", lease_until__isnull=False)
                | (~Q(state="RUNNING") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="logcheck_over_has_its_time",
                condition=Q(state__in=("QUEUED", "RUNNING"), finished_at__isnull=True)
                | Q(state__in=("DONE", "FAILED"), finished_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"verification {self.id}"
