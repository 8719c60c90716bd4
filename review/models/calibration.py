"""Calibration rounds: which calls were rated by whom, what each said, and what was decided then."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models.call import HEX_DIGEST, Call


class RoundKind(models.TextChoices):
    """CATALOG: people rate calls by a version. CHECKLIST: a double-coded list was loaded."""

    CATALOG = "CATALOG", "catalog version"
    CHECKLIST = "CHECKLIST", "double-coded checklist"


class RoundStateCode(models.TextChoices):
    """`review.core.calibration.RoundState` as the database keeps it."""

    RATING = "RATING", "being rated"
    DIFFERING = "DIFFERING", "differences are talked over"
    CLOSED = "CLOSED", "closed"
    CALLED_OFF = "CALLED_OFF", "called off"


class CalibrationRound(models.Model):
    """One round. What is rated is fixed when it is opened: `source` is the catalog's exact text
    and `set_digest` names it with the calls, so that nothing can be changed after a look at the
    differences.

    - `number` counts the rounds of one catalog at one site; `previous` is the round before.
    - `seed` and `draws` are what the intervals were drawn with, `figures` what
      `review.core.agreement.measured_to_json` wrote; set once, when it is closed.
    - A round that is over never changes (by trigger).
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="calibration_rounds")
    kind = models.CharField(max_length=16, choices=RoundKind.choices)
    state = models.CharField(max_length=16, choices=RoundStateCode.choices)
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=300)
    version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, related_name="+", null=True
    )
    previous = models.ForeignKey("self", on_delete=models.PROTECT, related_name="+", null=True)
    source = models.BinaryField()
    document_digest = models.CharField(max_length=64)
    set_digest = models.CharField(max_length=64)
    phases = models.JSONField()
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    role = models.CharField(max_length=32, choices=Role.choices, blank=True, default="")
    opened_at = models.DateTimeField()
    rated_at = models.DateTimeField(null=True)
    over_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    over_at = models.DateTimeField(null=True)
    seed = models.CharField(max_length=64, blank=True, default="")
    draws = models.PositiveIntegerField(default=0)
    figures = models.JSONField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-opened_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="calibrationround_codes_known",
                condition=Q(kind__in=RoundKind.values, state__in=RoundStateCode.values)
                & Q(document_digest__regex=HEX_DIGEST, set_digest__regex=HEX_DIGEST),
            ),
            models.CheckConstraint(
                name="calibrationround_over_as_state_says",
                condition=Q(state__in=("RATING", "DIFFERING"), over_at__isnull=True)
                | Q(state__in=("CLOSED", "CALLED_OFF"), over_at__isnull=False),
            ),
            models.CheckConstraint(
                name="calibrationround_closed_has_figures",
                condition=Q(state="CLOSED", figures__isnull=False)
                | (~Q(state="CLOSED") & Q(figures__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"calibration round {self.number} of {self.title}"


class CalibrationCall(models.Model):
    """One call of a round, as it was then; `call` is empty in a list that was loaded."""

    id = models.BigAutoField(primary_key=True)
    round = models.ForeignKey(
        CalibrationRound, on_delete=models.PROTECT, db_index=False, related_name="calls"
    )
    position = models.PositiveSmallIntegerField()
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+", null=True)
    name = models.CharField(max_length=500)
    transcript_revision = models.PositiveIntegerField(default=0)
    transcript_digest = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar[list[str]] = ["round", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="calibrationcall_once", fields=["round", "position"]),
            models.UniqueConstraint(name="calibrationcall_call_once", fields=["round", "call"]),
        ]

    def __str__(self) -> str:
        return f"call {self.position} of {self.round_id}"


class CalibrationRater(models.Model):
    """One rater of a round; `person` is empty in a list that was loaded.

    `seen_before` says that the log has it that they opened one of the calls, with all that was
    found on it, before they were done: they were not blind, and the figures say so.
    """

    id = models.BigAutoField(primary_key=True)
    round = models.ForeignKey(
        CalibrationRound, on_delete=models.PROTECT, db_index=False, related_name="raters"
    )
    position = models.PositiveSmallIntegerField()
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    name = models.CharField(max_length=300)
    done_at = models.DateTimeField(null=True)
    seen_before = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["round", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="calibrationrater_once", fields=["round", "position"]),
            models.UniqueConstraint(
                name="calibrationrater_person_once", fields=["round", "person"]
            ),
        ]

    def __str__(self) -> str:
        return f"rater {self.position} of {self.round_id}"


class CalibrationRating(models.Model):
    """What a rater said of one row of one call (insert-only; the latest stands).

    `value` is what `review.core.calibration.rating_to_json` writes: no words of the call. `key`
    applies a resent form once.
    """

    id = models.BigAutoField(primary_key=True)
    rater = models.ForeignKey(
        CalibrationRater, on_delete=models.PROTECT, db_index=False, related_name="ratings"
    )
    call = models.ForeignKey(CalibrationCall, on_delete=models.PROTECT, related_name="ratings")
    phase = models.CharField(max_length=500)
    value = models.JSONField()
    key = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="calibrationrating_key_once", fields=["rater", "key"]),
        ]

    def __str__(self) -> str:
        return f"{self.phase} by rater {self.rater_id}"


class CalibrationDecision(models.Model):
    """What was decided on one difference (insert-only; the latest stands): who was right, and what
    to change in the rubric.

    `right` is a rater's position, or empty where none of them was. `nonce` hides the words in the
    decision log, which holds commitments to them.
    """

    id = models.BigAutoField(primary_key=True)
    round = models.ForeignKey(
        CalibrationRound, on_delete=models.PROTECT, db_index=False, related_name="decisions"
    )
    call = models.ForeignKey(CalibrationCall, on_delete=models.PROTECT, related_name="decisions")
    phase = models.CharField(max_length=500)
    right = models.PositiveSmallIntegerField(null=True)
    why = models.TextField()
    change = models.TextField(blank=True, default="")
    nonce = models.BinaryField(max_length=32)
    key = models.UUIDField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="calibrationdecision_key_once", fields=["round", "key"]),
            models.CheckConstraint(
                name="calibrationdecision_says_why", condition=Q(why__regex=r"\S")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase} decided in {self.round_id}"
