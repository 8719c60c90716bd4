"""Disputes of signed calls: what a person holds to be wrong, until when, and the answer."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from review.models.signoff import SignOff


class DisputeKind(models.TextChoices):
    """What is held to be wrong."""

    VERDICT = "VERDICT", "the verdict is wrong"
    EVIDENCE = "EVIDENCE", "evidence is wrong or missing"
    TRANSCRIPT = "TRANSCRIPT", "the transcript is wrong"
    CATALOG = "CATALOG", "the catalog does not fit the call"


class DisputedResult(models.TextChoices):
    """Which result of the whole call is disputed, where no single phase is."""

    CALL_SUCCESS = "CALL_SUCCESS", "CallSuccess"
    COVERAGE = "COVERAGE", "Coverage"
    ORDER_SAFE = "ORDER_SAFE", "OrderSafe"


class DisputeEnd(models.TextChoices):
    """How a dispute ended."""

    UPHELD = "UPHELD", "upheld: it stands as signed"
    OVERTURNED = "OVERTURNED", "overturned: what was signed is wrong"
    WITHDRAWN = "WITHDRAWN", "withdrawn"
    ERASED = "ERASED", "ended when the call was erased"


_ANSWERS = (DisputeEnd.UPHELD, DisputeEnd.OVERTURNED)


class Dispute(models.Model):
    """One dispute of one signature, of which one waits at a time (by trigger it ends once).

    `phase` or `result` says what is disputed. The words lie sealed among the notes of the call,
    under the numbers `note` and `answer_note`; the log keeps their commitments, and an erasure
    takes them with the other notes. `due` is fixed when it is filed.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    signoff = models.ForeignKey(SignOff, on_delete=models.PROTECT, related_name="disputes")
    kind = models.CharField(max_length=16, choices=DisputeKind.choices)
    phase = models.CharField(max_length=200, blank=True, default="")
    result = models.CharField(max_length=16, choices=DisputedResult.choices, blank=True, default="")
    note = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    due = models.DateTimeField()
    end = models.CharField(max_length=16, choices=DisputeEnd.choices, blank=True, default="")
    answer_note = models.PositiveIntegerField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="dispute_latest", fields=["-at", "-id"]),
            models.Index(name="dispute_waiting", fields=["due"], condition=Q(end="")),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="dispute_kind_known", condition=Q(kind__in=DisputeKind.values)
            ),
            models.CheckConstraint(
                name="dispute_says_of_what",
                condition=(Q(result="") & ~Q(phase=""))
                | Q(phase="", result__in=DisputedResult.values),
            ),
            models.UniqueConstraint(
                name="dispute_one_waits", fields=["signoff"], condition=Q(end="")
            ),
            models.CheckConstraint(name="dispute_due_later", condition=Q(due__gt=F("at"))),
            models.CheckConstraint(
                name="dispute_end_is_whole",
                condition=Q(end="", answer_note=None, ended_by=None, ended_at=None)
                | Q(end=DisputeEnd.ERASED, answer_note=None, ended_at__isnull=False)
                | Q(
                    end=DisputeEnd.WITHDRAWN,
                    answer_note=None,
                    ended_by=F("by"),
                    ended_at__isnull=False,
                )
                | (
                    Q(
                        end__in=_ANSWERS,
                        answer_note__isnull=False,
                        ended_by__isnull=False,
                        ended_at__isnull=False,
                    )
                    & ~Q(ended_by=F("by"))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"dispute {self.id}"
