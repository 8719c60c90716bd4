"""Trials of published versions: beside what decides, or for a share of calls (docs/adr/0043)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from catalogs.core.document.trials import LEAST_SHARE, MOST_SHARE, TrialMode
from catalogs.models.catalog import Catalog, CatalogVersion

_MODES = [(TrialMode.SHADOW.value, "in shadow"), (TrialMode.CANARY.value, "for a share of calls")]


class TrialEnd(models.TextChoices):
    """What ended a trial: the version decides, it is retired, or it is tried otherwise."""

    DECIDES = "DECIDES", "it decides"
    RETIRED = "RETIRED", "it was retired"
    CHANGED = "CHANGED", "it is tried otherwise"


class VersionTrial(models.Model):
    """One trial of a version, at most one open of a catalog. What it is of never changes; its end
    is set once (by trigger). While it is open, the version's days decide about no call.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    catalog = models.ForeignKey(Catalog, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(CatalogVersion, on_delete=models.PROTECT, related_name="trials")
    mode = models.CharField(max_length=8, choices=_MODES)
    share = models.PositiveSmallIntegerField()
    first_day = models.DateField()
    begun_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    begun_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=8, choices=TrialEnd.choices, blank=True, default="")
    decides_from = models.DateField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["begun_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="versiontrial_one_open", fields=["catalog"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(
                name="versiontrial_share_as_mode_says",
                condition=Q(mode="SHADOW", share=0)
                | Q(mode="CANARY", share__gte=LEAST_SHARE, share__lte=MOST_SHARE),
            ),
            models.CheckConstraint(
                name="versiontrial_end_as_said",
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, end="")
                | Q(
                    ended_at__isnull=False,
                    ended_by__isnull=False,
                    end__in=TrialEnd.values,
                    ended_at__gte=F("begun_at"),
                ),
            ),
            models.CheckConstraint(
                name="versiontrial_decides_from_a_day",
                condition=Q(end="DECIDES", decides_from__isnull=False)
                | (~Q(end="DECIDES") & Q(decides_from__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"trial {self.id}"
