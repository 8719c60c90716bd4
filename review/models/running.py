"""Calls that come in through the API: those still running, and who handed which one in."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from catalogs.models import CatalogVersion
from oipsce_site.people.models import ApiClient, Site


class LiveCode(models.TextChoices):
    """`review.core.evaluation.LiveState` as the database keeps it."""

    VIOLATED = "VIOLATED", "violated"
    OPEN = "OPEN", "open"
    HOLDS_SO_FAR = "HOLDS_SO_FAR", "holds so far"
    DONE = "DONE", "done"


class RunningCall(models.Model):
    """A call that is told part by part; ended, it becomes a `Call` of the same id.

    - `sealed_head` opens at slot ``head:0``: what is said of the call before anybody speaks. It,
      the parts and the key go when the call ends; then they are the call's.
    - `unmapped` is the sentence that says why nothing is judged; `live` is empty then.
    - `parts` counts the parts, `last_turn` is the number of the last turn.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+", db_index=False)
    client = models.ForeignKey(ApiClient, on_delete=models.PROTECT, related_name="+")
    source = models.CharField(max_length=100)
    external_id = models.CharField(max_length=500)
    head_digest = models.CharField(max_length=64)
    catalog_version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, related_name="+", null=True
    )
    unmapped = models.TextField(blank=True, default="")
    live = models.CharField(max_length=16, choices=LiveCode.choices, blank=True, default="")
    wrapped_key = models.BinaryField(max_length=400)
    sealed_head = models.BinaryField()
    parts = models.PositiveIntegerField(default=0)
    turn_count = models.PositiveIntegerField(default=0)
    last_turn = models.IntegerField(null=True)
    opened_at = models.DateTimeField()
    heard_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="running_unended", fields=["heard_at"], condition=Q(ended_at__isnull=True)
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="running_once_per_source", fields=["site", "source", "external_id"]
            ),
            models.CheckConstraint(
                name="running_ended_has_no_words",
                condition=Q(ended_at__isnull=True) | Q(wrapped_key=b"", sealed_head=b""),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class RunningPart(models.Model):
    """One part of a running call as it came; `sealed` opens at slot ``part:NUMBER``."""

    id = models.BigAutoField(primary_key=True)
    running = models.ForeignKey(
        RunningCall, on_delete=models.PROTECT, related_name="told", db_index=False
    )
    number = models.PositiveIntegerField()
    sealed = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="running_part_once", fields=["running", "number"]),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.running_id}"


class ApiReceipt(models.Model):
    """Which client handed a call in: its violations are told."""

    call_id = models.UUIDField(primary_key=True, editable=False)
    client = models.ForeignKey(ApiClient, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"receipt of {self.call_id}"


class ApiAnswer(models.Model):
    """What a client was answered under a key of its own, so that asking again does nothing again.

    `digest` is of the request. `answer` is JSON text without words of a call; kept for a month.
    """

    id = models.BigAutoField(primary_key=True)
    client = models.ForeignKey(
        ApiClient, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True, default="")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="api_answer_once", fields=["client", "key"]),
        ]

    def __str__(self) -> str:
        return f"answer {self.id}"
