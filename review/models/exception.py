"""Exceptions: what an officer leaves out of the counts for a while, and who approved it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from oipsce_site.people.models import Site


class ExceptionReason(models.TextChoices):
    """Why something is excepted; words beside it may say more."""

    POLICY = "POLICY", "policy is being changed"
    SYSTEM = "SYSTEM", "a system outside was down or wrong"
    CATALOG = "CATALOG", "the catalog asks for too much"
    TRAINING = "TRAINING", "the agent is being corrected"
    OTHER = "OTHER", "another reason, in words"


class ComplianceException(models.Model):
    """An exception of one site: calls of these days that failed one thing count as excepted.

    - `catalog` is a slug, `name` an edge or item as `review.core.compliance.marks` writes it, or a
      phase alone: all items of it.
    - `first` to `last` are days of calls, at most a year; after `last` it is over by the clock.
    - `words` are the officer's own, without words of calls; the log has a commitment under `nonce`.
    - It counts from `approved_at`, by a second person; `ended_at` takes it back.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+")
    catalog = models.CharField(max_length=64)
    name = models.CharField(max_length=401)
    reason = models.CharField(max_length=16, choices=ExceptionReason.choices)
    words = models.CharField(max_length=1000)
    nonce = models.BinaryField(max_length=32)
    first = models.DateField()
    last = models.DateField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    approved_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="exception_of_site", fields=["site", "-asked_at"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="exception_reason_known", condition=Q(reason__in=ExceptionReason.values)
            ),
            models.CheckConstraint(
                name="exception_days_forward", condition=Q(last__gte=F("first"))
            ),
            models.CheckConstraint(
                name="exception_says_words", condition=Q(words__regex=r"\S", name__regex=r"\S")
            ),
            models.CheckConstraint(
                name="exception_second_person",
                condition=Q(approved_by=None, approved_at=None)
                | (
                    Q(approved_by__isnull=False, approved_at__isnull=False)
                    & ~Q(approved_by=F("asked_by"))
                ),
            ),
            models.CheckConstraint(
                name="exception_ended_by_somebody",
                condition=Q(ended_by=None, ended_at=None)
                | Q(ended_by__isnull=False, ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"exception {self.id}"
