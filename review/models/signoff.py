"""Sign-offs: the exact bytes that a person signed, and when what they signed ended."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from review.models.call import HEX_DIGEST, Call
from review.models.evaluation import Evaluation


class VoidWhy(models.TextChoices):
    """`review.core.signoff.record.Voided` as the database keeps it."""

    CHANGED = "CHANGED", "changed"
    REOPENED = "REOPENED", "reopened"
    WITHDRAWN = "WITHDRAWN", "withdrawn"


class SignOff(models.Model):
    """One signature over one review of a call; the record never changes, and is ended once.

    - `record` are the bytes of `review.core.signoff.record`, `digest` is theirs, and `assertion`
      the passkey's answer as `assertion_to_json` writes it; null where none was used.
    - `sealed_inputs` opens at slot ``signoff:NUMBER``: values and nonces of the facts and
      attributes that the record commits to. Erasing the call's key makes the commitments mute.
    - `together` counts the calls that were signed in the same act, this one included.
    - `seq` is the number of the entry ``call.sign`` in the call's chain.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="signoffs")
    number = models.PositiveIntegerField()
    review = models.PositiveIntegerField()
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="signoffs")
    record = models.BinaryField(max_length=16_384)
    digest = models.CharField(max_length=64, unique=True)
    assertion = models.JSONField(null=True)
    together = models.PositiveSmallIntegerField(default=1, db_default=1)
    sealed_inputs = models.BinaryField()
    seq = models.BigIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    void_why = models.CharField(max_length=16, choices=VoidWhy.choices, blank=True, default="")
    void_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    void_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="signoff_once", fields=["call", "number"]),
            models.UniqueConstraint(
                name="signoff_one_stands", fields=["call"], condition=Q(void_at=None)
            ),
            models.CheckConstraint(
                name="signoff_digest_form", condition=Q(digest__regex=HEX_DIGEST)
            ),
            models.CheckConstraint(
                name="signoff_void_says_why",
                condition=Q(void_at=None, void_by=None, void_why="")
                | Q(void_at__isnull=False, void_by__isnull=False, void_why__in=VoidWhy.values),
            ),
        ]

    def __str__(self) -> str:
        return f"sign-off {self.number} of {self.call_id}"
