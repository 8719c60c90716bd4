"""Who had the identifiers of a call shown, where its site masks them: why, and until when."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from review.models.call import Call


class RevealWhy(models.TextChoices):
    """What a person needs the identifiers for."""

    JUDGE = "JUDGE", "a row cannot be judged without them"
    MATCH = "MATCH", "the call must be matched with another record"
    COMPLAINT = "COMPLAINT", "a complaint or an incident"
    CHECK = "CHECK", "a check of the masking itself"
    OTHER = "OTHER", "another reason"


class Reveal(models.Model):
    """One reveal, for one person and one call (by trigger nothing but its end changes, once).

    It holds from `at` until `until`, or until the person hides them again (`hidden_at`). Words that
    came with the reason lie sealed among the call's notes; the log keeps their commitment.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="reveals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    why = models.CharField(max_length=16, choices=RevealWhy.choices)
    at = models.DateTimeField()
    until = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="reveal_of_person", fields=["call", "by", "-until"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(name="reveal_why_known", condition=Q(why__in=RevealWhy.values)),
            models.CheckConstraint(name="reveal_ends", condition=Q(until__gt=F("at"))),
        ]

    def __str__(self) -> str:
        return f"reveal of {self.call_id}"
