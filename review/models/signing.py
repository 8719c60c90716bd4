"""Signings under way, and every proof of identity that was tried for one."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from review.models.call import HEX_DIGEST, Call
from review.models.evaluation import Evaluation


class SigningIntent(models.Model):
    """A record that a person is about to sign: once, in this session, until it expires.

    - `record`, `digest`, `sealed_inputs` and `number` go over into the sign-off as they are.
    - `session` is the SHA-256 of the session's key; the key itself is stored nowhere else.
    - `batch` is that of the calls that are signed in one act; empty for a call that is by itself.
    - `used_at` is set in the transaction that signs, and never again.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="signing_intents")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    session = models.CharField(max_length=64)
    batch = models.UUIDField(null=True)
    number = models.PositiveIntegerField()
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="+")
    record = models.BinaryField(max_length=16_384)
    digest = models.CharField(max_length=64, unique=True)
    sealed_inputs = models.BinaryField()
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="signingintent_used",
                fields=["by", "session", "-used_at"],
                condition=Q(used_at__isnull=False),
            ),
            models.Index(
                name="signingintent_batch", fields=["batch"], condition=Q(batch__isnull=False)
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="signingintent_digests_form",
                condition=Q(digest__regex=HEX_DIGEST, session__regex=HEX_DIGEST),
            ),
            models.CheckConstraint(
                name="signingintent_used_in_time",
                condition=Q(used_at=None)
                | Q(used_at__gte=models.F("at"), used_at__lte=models.F("expires_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"signing {self.id} of {self.call_id}"


class ProofKind(models.TextChoices):
    """`review.core.signoff.record.Component` as far as a page of ours can ask for it."""

    PASSWORD = "PASSWORD", "password"
    TOTP = "TOTP", "code of the authenticator app"
    PASSKEY = "PASSKEY", "passkey"


class SigningProof(models.Model):
    """One proof of identity that was tried at a signing, right or wrong (insert-only).

    `step` is the half minute of a right one-time code, so that none counts twice; `counter` and
    `key_digest` are what a right passkey said of itself, so that a copy of it is noticed.
    """

    id = models.BigAutoField(primary_key=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    session = models.CharField(max_length=64)
    kind = models.CharField(max_length=16, choices=ProofKind.choices)
    right = models.BooleanField()
    step = models.BigIntegerField(null=True)
    key_digest = models.CharField(max_length=64, blank=True, default="")
    counter = models.BigIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="signingproof_latest", fields=["by", "-id"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="signingproof_code_once",
                fields=["by", "step"],
                condition=Q(step__isnull=False),
            ),
            models.CheckConstraint(
                name="signingproof_kind_known", condition=Q(kind__in=ProofKind.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.by_id}"
