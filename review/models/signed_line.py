"""What compliance pages list and count of a signature; made with it (docs/compliance.md)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site
from review.models.call import Call
from review.models.listed import OutcomeCode
from review.models.signoff import SignOff


class SelectionCode(models.TextChoices):
    """`review.core.compliance.samples.Selection` as the database keeps it."""

    RANDOM = "RANDOM", "random sample"
    RISK = "RISK", "selected by risk"
    OTHER = "OTHER", "neither"


class SignedLine(models.Model):
    """The line of one signature: made with it from the evaluation that was signed.

    - `day` is the date of the call, or of its import where the call says none.
    - `judged` and `failed` are names as `review.core.compliance.marks` writes them.
    - `stands` ends with the signature; nothing else here ever changes.
    """

    signoff = models.OneToOneField(
        SignOff, on_delete=models.PROTECT, primary_key=True, related_name="line"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="signed_lines")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, db_index=False, related_name="+")
    catalog_version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    at = models.DateTimeField()
    day = models.DateField()
    selection = models.CharField(max_length=8, choices=SelectionCode.choices)
    coverage = models.CharField(max_length=16, choices=OutcomeCode.choices)
    order_safe = models.CharField(max_length=16, choices=OutcomeCode.choices)
    call_success = models.CharField(max_length=16, choices=OutcomeCode.choices)
    judged = ArrayField(models.CharField(max_length=500))
    failed = ArrayField(models.CharField(max_length=500))
    stands = models.BooleanField(default=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="signedline_newest", fields=["-at", "-signoff"], condition=Q(stands=True)
            ),
            models.Index(
                name="signedline_of_site", fields=["site", "day"], condition=Q(stands=True)
            ),
            GinIndex(name="signedline_failed", fields=["failed"], condition=Q(stands=True)),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="signedline_codes_known",
                condition=Q(
                    selection__in=SelectionCode.values,
                    coverage__in=OutcomeCode.values,
                    order_safe__in=OutcomeCode.values,
                    call_success__in=OutcomeCode.values,
                ),
            ),
            models.CheckConstraint(
                name="signedline_failed_was_judged",
                condition=Q(judged__contains=models.F("failed")),
            ),
        ]

    def __str__(self) -> str:
        return f"line of signature {self.signoff_id}"
