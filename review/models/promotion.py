"""Checks of models on signed calls, and what was promoted because of them (docs/adr/0046)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models.call import HEX_DIGEST, Call


class ModelCheckState(models.TextChoices):
    """Where a check stands; STOPPED: the machine gave it up, and `why` says so."""

    WAITING = "WAITING", "waiting"
    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"
    CANCELLED = "CANCELLED", "called off"
    STOPPED = "STOPPED", "stopped"


#: What a call says of its language is cut to so much.
LONGEST_LANGUAGE = 64
OPEN_MODEL_CHECKS = (ModelCheckState.WAITING, ModelCheckState.RUNNING)


class SaidCode(models.TextChoices):
    """`review.core.cascade.adjudication.Said` as the database keeps it."""

    PRESENT = "PRESENT", "present"
    ABSENT = "ABSENT", "no span"
    ABSTAINED = "ABSTAINED", "no answer"


class ModelCheck(models.Model):
    """One check of a site's models over signed calls, as a job under a lease; `attempts` fences.

    Host, models and phases are the site's when it was ordered: with others it stops.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(CatalogVersion, on_delete=models.PROTECT, related_name="+")
    host = models.CharField(max_length=253)
    asked_models = models.CharField(max_length=401)
    phases = ArrayField(models.CharField(max_length=200))
    calls = ArrayField(models.UUIDField())
    done = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=12, choices=ModelCheckState.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    role = models.CharField(max_length=32, choices=Role.choices)
    asked_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    why = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="modelcheck_one_open", fields=["site"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(
                name="modelcheck_over_as_state_says",
                condition=Q(state__in=OPEN_MODEL_CHECKS, ended_at__isnull=True)
                | (
                    ~Q(state__in=OPEN_MODEL_CHECKS)
                    & Q(ended_at__isnull=False, lease_until__isnull=True)
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"check of models {self.id}"


class CheckedRow(models.Model):
    """What a model said of one row of a signed call, and how often it said otherwise (insert-only).

    `variants` holds by the name of a `Variant` same, flipped or unanswered. `answered` is as
    `Suggestion.answered`. No word of the call is here.
    """

    id = models.BigAutoField(primary_key=True)
    check_of = models.ForeignKey(
        ModelCheck, on_delete=models.PROTECT, db_index=False, related_name="rows"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+")
    phase = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    answered = models.CharField(max_length=401, blank=True)
    said = models.CharField(max_length=10, choices=SaidCode.choices)
    variants = models.JSONField()
    requests = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="checkedrow_once", fields=["check_of", "call", "phase"]),
            models.CheckConstraint(
                name="checkedrow_codes_known",
                condition=Q(said__in=SaidCode.values, digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase} of {self.call_id} in {self.check_of_id}"


class EndedWhy(models.TextChoices):
    """Why a promotion ended."""

    DECLINED = "DECLINED", "declined before it stood"
    WITHDRAWN = "WITHDRAWN", "withdrawn"
    FELL = "FELL", "the measured figures fell below what it takes"
    CHANGED = "CHANGED", "model, wording or catalog changed"


class Promotion(models.Model):
    """That a site's models are shown to reviewers on one phase in one language: asked for by one
    person and put in force by another, one of them an administrator. It ends once, and stays.

    It holds for exactly one `digest` (`asking_digest`) and for the models that `answered`. The
    figures are those that were measured then (`proven_to_json`).
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="promotions")
    phase = models.CharField(max_length=200)
    language = models.CharField(max_length=LONGEST_LANGUAGE, blank=True)
    digest = models.CharField(max_length=64)
    answered = models.CharField(max_length=401)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_role = models.CharField(max_length=32, choices=Role.choices)
    asked_at = models.DateTimeField()
    asked_figures = models.JSONField()
    stands_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    stands_role = models.CharField(max_length=32, choices=Role.choices, blank=True, default="")
    stands_at = models.DateTimeField(null=True)
    stands_figures = models.JSONField(null=True)
    measured_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    ended_why = models.CharField(max_length=10, choices=EndedWhy.choices, blank=True, default="")
    ended_figures = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="promotion_one_open",
                fields=["site", "phase", "language", "digest"],
                condition=Q(ended_at__isnull=True),
            ),
            models.CheckConstraint(
                name="promotion_by_two",
                condition=Q(stands_by__isnull=True, stands_at__isnull=True, stands_role="")
                | (
                    Q(stands_by__isnull=False, stands_at__isnull=False)
                    & ~Q(stands_by=F("asked_by"))
                    & (Q(asked_role=Role.ADMINISTRATOR) | Q(stands_role=Role.ADMINISTRATOR))
                ),
            ),
            models.CheckConstraint(
                name="promotion_end_says_why",
                condition=Q(ended_at__isnull=True, ended_why="")
                | Q(ended_at__isnull=False, ended_why__in=EndedWhy.values),
            ),
            models.CheckConstraint(
                name="promotion_digest_form", condition=Q(digest__regex=HEX_DIGEST)
            ),
        ]

    def __str__(self) -> str:
        return f"promotion of {self.phase} ({self.language}) at {self.site_id}"
