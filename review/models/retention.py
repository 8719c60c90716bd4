"""Erasures of calls, holds that forbid them, and how long a site keeps the words of its calls."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from oipsce_site.people.models import Site
from review.models.call import Call


class Ground(models.TextChoices):
    """Why the words of a call are erased; a choice, so that nobody types a name."""

    PERSON_ASKED = "PERSON_ASKED", "the person asked for it"
    RETENTION = "RETENTION", "kept for as long as the site keeps calls"
    MISTAKE = "MISTAKE", "imported by mistake"
    CONTRACT = "CONTRACT", "a contract ended"


class ErasureState(models.TextChoices):
    """Where the wish to erase a call stands."""

    ASKED = "ASKED", "waits for a second person"
    DONE = "DONE", "erased"
    REFUSED = "REFUSED", "refused"


class Erasure(models.Model):
    """A wish to erase one call, by one person, and what another one made of it.

    Without `decided_by` a retention run has erased, by the rule that two people made.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="erasures")
    ground = models.CharField(max_length=16, choices=Ground.choices)
    state = models.CharField(max_length=8, choices=ErasureState.choices)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="erasure_one_asked", fields=["call"], condition=Q(state="ASKED")
            ),
            models.UniqueConstraint(
                name="erasure_once", fields=["call"], condition=Q(state="DONE")
            ),
            models.CheckConstraint(
                name="erasure_codes_known",
                condition=Q(ground__in=Ground.values, state__in=ErasureState.values),
            ),
            models.CheckConstraint(
                name="erasure_decided_by_another",
                condition=Q(state="ASKED", decided_at=None, decided_by=None)
                | (
                    ~Q(state="ASKED")
                    & Q(decided_at__isnull=False)
                    & (Q(decided_by__isnull=True) | ~Q(decided_by=models.F("asked_by")))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"erasure of {self.call_id}"


class LegalHold(models.Model):
    """A hold on one call: as long as it is not lifted, nothing erases the call.

    `reason` and `lift_reason` name the matter and no words of the call; the log has commitments to
    them, made with `nonce`.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="legal_holds")
    reason = models.CharField(max_length=500)
    nonce = models.BinaryField(max_length=32)
    placed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    placed_at = models.DateTimeField()
    lift_reason = models.CharField(max_length=500, blank=True, default="")
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="legalhold_one_stands", fields=["call"], condition=Q(lifted_at=None)
            ),
            models.CheckConstraint(
                name="legalhold_lifted_whole",
                condition=Q(lifted_at=None, lifted_by=None)
                | Q(lifted_at__isnull=False, lifted_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"legal hold of {self.call_id}"


class RetentionRule(models.Model):
    """How long a site keeps the words of its calls, as one person proposed and another approved.

    `days` count from the last change of a call; `most` is how many calls one run may erase. The
    latest approved rule of a site holds.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="retention_rules")
    days = models.PositiveIntegerField()
    most = models.PositiveIntegerField()
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    approved_at = models.DateTimeField(null=True)
    refused_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="retentionrule_one_proposed",
                fields=["site"],
                condition=Q(approved_at=None, refused_at=None),
            ),
            models.CheckConstraint(
                name="retentionrule_bounds", condition=Q(days__gte=30, most__gte=1)
            ),
            models.CheckConstraint(
                name="retentionrule_by_two",
                condition=Q(approved_by=None, approved_at=None)
                | (
                    Q(approved_at__isnull=False, approved_by__isnull=False)
                    & ~Q(approved_by=models.F("proposed_by"))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"retention of {self.site_id}"
