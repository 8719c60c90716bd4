"""Attestations: what an officer has signed of a site and period (insert-only)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from oipsce_site.people.models import Site
from review.models.call import HEX_DIGEST


class Attestation(models.Model):
    """One attestation; of the same site and days, the highest `number` is the one that counts.

    `record` are the canonical bytes of what was signed, `digest` is theirs. `assertion` is what the
    passkey answered; null where this server alone vouches for the signer.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+")
    first = models.DateField()
    last = models.DateField()
    number = models.PositiveIntegerField()
    record = models.BinaryField(max_length=65_536)
    digest = models.CharField(max_length=64, unique=True)
    assertion = models.JSONField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="attestation_latest", fields=["site", "-at"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="attestation_once", fields=["site", "first", "last", "number"]
            ),
            models.CheckConstraint(
                name="attestation_days_forward", condition=Q(last__gte=F("first"))
            ),
            models.CheckConstraint(
                name="attestation_digest_form", condition=Q(digest__regex=HEX_DIGEST)
            ),
        ]

    def __str__(self) -> str:
        return f"attestation {self.id}"
