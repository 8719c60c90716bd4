"""Whether a site has a language model asked about open rows, and under which limits."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from oipsce_site.outbound import Allowed


class Adjudicator(models.Model):
    """What one administrator set and a second one turned on; off while `on_at` is empty.

    `agreement` names the written agreement with whoever runs the endpoint. Only the phases that are
    named are asked about. A cap of 0 is off. `revision` grows with every change.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.OneToOneField("people.Site", on_delete=models.PROTECT, related_name="adjudicator")
    url = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    second_model = models.CharField(max_length=200, blank=True, default="")
    phases = ArrayField(models.CharField(max_length=200))
    agreement = models.CharField(max_length=500)
    tokens_per_call = models.PositiveIntegerField()
    tokens_per_day = models.PositiveIntegerField()
    tokens_per_catalog = models.PositiveIntegerField()
    cents_per_day = models.PositiveIntegerField()
    cents_per_million = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=1)
    set_by = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField()
    on_by = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="+", null=True)
    on_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="adjudicator_on_by_a_second",
                condition=Q(on_by__isnull=True, on_at__isnull=True)
                | (Q(on_by__isnull=False, on_at__isnull=False) & ~Q(on_by=F("set_by"))),
            ),
            models.CheckConstraint(name="adjudicator_agreed", condition=Q(agreement__regex=r"\S")),
            models.CheckConstraint(
                name="adjudicator_second_is_another",
                condition=Q(second_model="") | ~Q(second_model=F("model")),
            ),
        ]

    def __str__(self) -> str:
        return f"adjudicator of {self.site_id}"

    @property
    def host(self) -> str:
        """The name of the machine that is asked."""
        return urlsplit(self.url).hostname or ""


def allowed_endpoints() -> Allowed:
    """Return the hosts that the operator of the machine lets models be asked at."""
    return Allowed(
        settings.ADJUDICATOR_HOSTS, settings.ADJUDICATOR_PRIVATE, "OIPSCE_ADJUDICATOR_HOSTS"
    )
