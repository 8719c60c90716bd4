"""What a person is told on their next page: somebody else holds a call that was theirs."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from review.models.call import Call


class NoticeKind(models.TextChoices):
    """What was done to the hold."""

    ENDED = "ENDED", "claimed it after your hold had ended"
    TAKEN_OVER = "TAKEN_OVER", "took it over"
    RELEASED = "RELEASED", "released it"


class HoldNotice(models.Model):
    """One thing that `to` is told about a call, until they have seen it."""

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="hold_notices")
    kind = models.CharField(max_length=16, choices=NoticeKind.choices)
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    held_until = models.DateTimeField()
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="holdnotice_unseen", fields=["to", "at"], condition=Q(seen_at__isnull=True)
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="holdnotice_kind_known", condition=Q(kind__in=NoticeKind.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.call_id}"
