"""Pre-fill runs (the truth about the job) and what they proposed (insert-only, by trigger)."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from review.models.call import HEX_DIGEST, Call
from review.models.row import PointState, RequiredCode, VerdictCode, point_checks

MOST_ATTEMPTS = 3


class RunState(models.TextChoices):
    """Where a run stands; FAILED is after the last attempt."""

    QUEUED = "QUEUED", "queued"
    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"
    FAILED = "FAILED", "failed"


class PrefillRun(models.Model):
    """One pre-fill of one transcript by one catalog and engine: asked for twice, it is one row.

    `attempts` is also the fencing token: a worker whose attempt is not the latest may not store. It
    only grows; a person who asks for a failed run again raises `most_attempts` instead.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="runs")
    state = models.CharField(max_length=8, choices=RunState.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    most_attempts = models.PositiveSmallIntegerField(
        default=MOST_ATTEMPTS, db_default=MOST_ATTEMPTS
    )
    transcript_digest = models.CharField(max_length=64)
    catalog_digest = models.CharField(max_length=64)
    engine = models.CharField(max_length=64)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True, default="")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="prefillrun_waiting",
                fields=["queued_at", "id"],
                condition=Q(state__in=("QUEUED", "RUNNING")),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="prefillrun_once",
                fields=["call", "transcript_digest", "catalog_digest", "engine"],
            ),
            models.CheckConstraint(
                name="prefillrun_state_known", condition=Q(state__in=RunState.values)
            ),
            models.CheckConstraint(
                name="prefillrun_attempts_bounded", condition=Q(attempts__lte=F("most_attempts"))
            ),
            models.CheckConstraint(
                name="prefillrun_lease_iff_running",
                condition=Q(
                    state=RunState.RUNNING,
                    lease_until__isnull=False,
                    started_at__isnull=False,
                    attempts__gte=1,
                )
                | (~Q(state=RunState.RUNNING) & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="prefillrun_finished_iff_over",
                condition=Q(state__in=(RunState.DONE, RunState.FAILED), finished_at__isnull=False)
                | Q(state__in=(RunState.QUEUED, RunState.RUNNING), finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="prefillrun_failed_says_why",
                condition=~Q(state=RunState.FAILED) | Q(failure__regex=r"\S"),
            ),
            models.CheckConstraint(
                name="prefillrun_digests_form",
                condition=Q(transcript_digest__regex=HEX_DIGEST)
                & Q(catalog_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"pre-fill {self.id}"


class ProposedRow(models.Model):
    """What one run proposes for one phase: the columns to search by, `row` to fold and judge again.

    `row` is the whole `review.core.rows.Row` as JSON; it holds spans and codes, no words.
    """

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(
        PrefillRun, on_delete=models.PROTECT, db_index=False, related_name="proposals"
    )
    phase = models.CharField(max_length=200)
    start_state = models.CharField(max_length=8, choices=PointState.choices)
    start_turn = models.IntegerField(null=True)
    finish_state = models.CharField(max_length=8, choices=PointState.choices)
    finish_turn = models.IntegerField(null=True)
    verdict = models.CharField(max_length=8, choices=VerdictCode.choices)
    required = models.CharField(max_length=8, choices=RequiredCode.choices)
    volunteered = models.BooleanField()
    flags = ArrayField(models.CharField(max_length=64), default=list)
    row = models.JSONField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="proposedrow_once", fields=["run", "phase"]),
            *point_checks("proposedrow"),
        ]

    def __str__(self) -> str:
        return f"{self.phase} by {self.run_id}"
