"""What publishing asks for beside the document: calibration (or its waiver) and a rehearsal.

Both name a document by its digest, so that a report about other content never stands in. Rows are
only added: a trigger refuses any change.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalogs.models.catalog import HEX_DIGEST
from oipsce_site.people.models import Site


class CalibrationKind(models.TextChoices):
    """REPORT: raters agreed, in numbers. WAIVER: a person said in words why none is needed yet."""

    REPORT = "REPORT", "report"
    WAIVER = "WAIVER", "waiver"


class CalibrationReport(models.Model):
    """Calibration of one document, or its recorded waiver.

    `nonce` hides the reason in the decision log: the log holds a commitment to it, not its words.
    `figures` are the agreement of the raters as review wrote it, and `round_id` names the round
    they are of; both are empty for a waiver.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    document_digest = models.CharField(max_length=64, db_index=True)
    kind = models.CharField(max_length=16, choices=CalibrationKind.choices)
    reason = models.TextField()
    nonce = models.BinaryField(max_length=32)
    figures = models.JSONField(null=True)
    round_id = models.UUIDField(null=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="calibrationreport_kind_known", condition=Q(kind__in=CalibrationKind.values)
            ),
            models.CheckConstraint(
                name="calibrationreport_digest_form",
                condition=Q(document_digest__regex=HEX_DIGEST),
            ),
            models.CheckConstraint(
                name="calibrationreport_waiver_has_reason",
                condition=~Q(kind=CalibrationKind.WAIVER) | Q(reason__regex=r"\S"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.document_digest[:12]}"


class RehearsalReport(models.Model):
    """What the engine said of one document over its own examples and tests."""

    id = models.UUIDField(primary_key=True, editable=False)
    document_digest = models.CharField(max_length=64, db_index=True)
    engine = models.CharField(max_length=64)
    result = models.JSONField()
    is_green = models.BooleanField()
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="rehearsalreport_digest_form", condition=Q(document_digest__regex=HEX_DIGEST)
            ),
        ]

    def __str__(self) -> str:
        return f"rehearsal of {self.document_digest[:12]}"


class WhatIfReport(models.Model):
    """What one document would change of past calls of a site, as review found it (insert-only).

    It stands in the publication record of every version of exactly this text. `kind` says which
    what-if ran, `catalog`, `first_date` and `last_date` over which calls, `figures` what came out
    in counts, and `figures_digest` is over them; `what_if_id` names the order of review.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    document_digest = models.CharField(max_length=64, db_index=True)
    what_if_id = models.UUIDField(unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8)
    catalog = models.CharField(max_length=64)
    first_date = models.DateField(null=True)
    last_date = models.DateField(null=True)
    engine = models.CharField(max_length=64)
    figures = models.JSONField()
    figures_digest = models.CharField(max_length=64)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="whatifreport_digest_form",
                condition=Q(document_digest__regex=HEX_DIGEST, figures_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"what-if {self.what_if_id} of {self.document_digest[:12]}"
