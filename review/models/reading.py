"""Blind readings of calls: who reads what, and what they say row by row (insert-only)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from oipsce_site.people.models import Site
from review.models.call import HEX_DIGEST, Call


class ReadingKindCode(models.TextChoices):
    """`review.core.readings.ReadingKind` as the database keeps it."""

    DOUBLE = "DOUBLE", "double reading"
    CRITICAL = "CRITICAL", "double reading of safety-critical rows"
    SAMPLE = "SAMPLE", "random sample"
    DRIFT = "DRIFT", "second reading of a signed call"


class ReadingState(models.TextChoices):
    """Where a reading stands; ENDED is without a result."""

    WAITING = "WAITING", "waits for a reader"
    OPEN = "OPEN", "is being read"
    DONE = "DONE", "done"
    ENDED = "ENDED", "ended without a result"


class ReadingEnd(models.TextChoices):
    """Why a reading has no result."""

    GIVEN_BACK = "GIVEN_BACK", "given back"
    EXPIRED = "EXPIRED", "left by its reader, and taken by another"
    CALLED_OFF = "CALLED_OFF", "called off"
    TRANSCRIPT = "TRANSCRIPT", "the transcript was revised"
    REOPENED = "REOPENED", "the call was reopened"
    WITHDRAWN = "WITHDRAWN", "the call was withdrawn"


class Reading(models.Model):
    """One blind reading of one review of a call.

    - `review`, `transcript_revision` and `catalog_digest` are what is read; a call that is another
      by then ends the reading.
    - `phases` are the rows that are read, in the catalog's order.
    - `held_until` is when somebody else may take it, should no answer come.
    - `decisions` is the number of the call's last decision when it was done, and `compared` both
      readings side by side as `review.core.readings.compared_to_json` writes them.
    - A reading that is over never changes (by trigger).
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="readings")
    kind = models.CharField(max_length=16, choices=ReadingKindCode.choices)
    state = models.CharField(max_length=16, choices=ReadingState.choices)
    review = models.PositiveIntegerField()
    transcript_revision = models.PositiveIntegerField()
    catalog_digest = models.CharField(max_length=64)
    phases = ArrayField(models.CharField(max_length=200))
    drawn_at = models.DateTimeField()
    reader = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    opened_at = models.DateTimeField(null=True)
    held_until = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    decisions = models.PositiveIntegerField(null=True)
    compared = models.JSONField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_why = models.CharField(
        max_length=16, choices=ReadingEnd.choices, blank=True, default="", db_default=""
    )

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="reading_wanted",
                fields=["drawn_at", "id"],
                condition=Q(state__in=("WAITING", "OPEN")),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="reading_one_at_a_time",
                fields=["call"],
                condition=Q(state__in=("WAITING", "OPEN")),
            ),
            models.CheckConstraint(
                name="reading_codes_known",
                condition=Q(kind__in=ReadingKindCode.values, state__in=ReadingState.values)
                & Q(catalog_digest__regex=HEX_DIGEST),
            ),
            models.CheckConstraint(
                name="reading_has_reader",
                condition=Q(state="WAITING", reader__isnull=True, opened_at__isnull=True)
                | Q(
                    state__in=("OPEN", "DONE"),
                    reader__isnull=False,
                    opened_at__isnull=False,
                    held_until__isnull=False,
                )
                | Q(state="ENDED"),
            ),
            models.CheckConstraint(
                name="reading_done_has_result",
                condition=Q(
                    state="DONE",
                    done_at__isnull=False,
                    decisions__isnull=False,
                    compared__isnull=False,
                )
                | (
                    ~Q(state="DONE")
                    & Q(done_at__isnull=True, decisions__isnull=True, compared__isnull=True)
                ),
            ),
            models.CheckConstraint(
                name="reading_ended_says_why",
                condition=Q(state="ENDED", ended_at__isnull=False, ended_why__in=ReadingEnd.values)
                | (~Q(state="ENDED") & Q(ended_at__isnull=True, ended_why="")),
            ),
        ]

    def __str__(self) -> str:
        return f"reading {self.id} of {self.call_id}"


class ReadingAnswer(models.Model):
    """What a blind reader says of one row; the latest of a phase stands.

    `value` is what `review.core.readings.answer_to_json` writes: no words of the call. `key`
    applies a resent form once.
    """

    id = models.BigAutoField(primary_key=True)
    reading = models.ForeignKey(
        Reading, on_delete=models.PROTECT, db_index=False, related_name="answers"
    )
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=200)
    value = models.JSONField()
    key = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="readinganswer_once", fields=["reading", "number"]),
            models.UniqueConstraint(name="readinganswer_key_once", fields=["reading", "key"]),
        ]

    def __str__(self) -> str:
        return f"answer {self.number} of {self.reading_id}"


class SiteShares(models.Model):
    """How many of a hundred a site has read blind, where it says otherwise than usual."""

    site = models.OneToOneField(
        Site, primary_key=True, on_delete=models.PROTECT, related_name="reading_shares"
    )
    double = models.PositiveSmallIntegerField()
    critical = models.PositiveSmallIntegerField()
    drift = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="siteshares_percent",
                condition=Q(double__lte=100, critical__lte=100, drift__lte=100),
            ),
        ]

    def __str__(self) -> str:
        return f"shares of {self.site_id}"
