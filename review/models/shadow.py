"""What versions in shadow say of calls (docs/adr/0043): who is to look, and what came out.

A row of `ShadowRun` is a call that the pre-fill left for a trial, once; its line is added when a
worker has read it. Nothing here touches the call.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from catalogs.models import VersionTrial
from review.models.call import HEX_DIGEST, Call
from review.models.listed import OutcomeCode
from review.models.what_if import ChangeCode


class ShadowState(models.TextChoices):
    """Where a run stands. UNREAD calls were erased or moved on first; FAILED is after the last
    attempt.
    """

    WAITING = "WAITING", "waiting"
    DONE = "DONE", "done"
    UNREAD = "UNREAD", "could not be compared"
    FAILED = "FAILED", "given up"


class ShadowRun(models.Model):
    """A call that a version in shadow is to read. `attempts` fences (docs/adr/0013)."""

    id = models.BigAutoField(primary_key=True)
    trial = models.ForeignKey(
        VersionTrial, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=ShadowState.choices, default=ShadowState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    failure = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="shadowrun_waiting", fields=["id"], condition=Q(state="WAITING")),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="shadowrun_once", fields=["trial", "call"]),
            models.CheckConstraint(
                name="shadowrun_state_known", condition=Q(state__in=ShadowState.values)
            ),
            models.CheckConstraint(
                name="shadowrun_done_is_free",
                condition=Q(state="WAITING") | Q(lease_until__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.call_id} beside {self.trial_id}"


class ShadowLine(models.Model):
    """What a version in shadow makes of a call (insert-only): codes and turn numbers, never words.

    `before` is by the version that judges the call, `judged_by` its digest. `rows` and `edges` are
    lists of [name, turn, before, after] as in `review.core.whatif.Turned`; erasing the call empties
    them.
    """

    id = models.BigAutoField(primary_key=True)
    trial = models.ForeignKey(
        VersionTrial, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+")
    judged_by = models.CharField(max_length=64)
    change = models.CharField(max_length=20, choices=ChangeCode.choices)
    before = models.CharField(max_length=16, choices=OutcomeCode.choices)
    after = models.CharField(max_length=16, choices=OutcomeCode.choices)
    rows = models.JSONField()
    edges = models.JSONField()
    annotate = models.JSONField()
    lost = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="shadowline_by_change", fields=["trial", "change", "id"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="shadowline_once", fields=["trial", "call"]),
            models.CheckConstraint(
                name="shadowline_codes_known",
                condition=Q(
                    change__in=ChangeCode.values,
                    before__in=OutcomeCode.values,
                    after__in=OutcomeCode.values,
                    judged_by__regex=HEX_DIGEST,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.call_id} beside {self.trial_id}"
