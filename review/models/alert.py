"""Alerts: a critical edge that is proven to be violated is told once; and where it is sent."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from oipsce_site.people.models import Site, WebhookEndpoint


class Alert(models.Model):
    """One violated critical edge of one call, running or stored (`call_id` is the id of both).

    It holds phases, a code and turn numbers, and no word of the call. Insert-only.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+")
    call_id = models.UUIDField()
    parent = models.CharField(max_length=200)
    child = models.CharField(max_length=200)
    code = models.CharField(max_length=64)
    parent_finish = models.IntegerField(null=True)
    child_start = models.IntegerField(null=True)
    catalog_digest = models.CharField(max_length=64)
    raised_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="alert_once_per_edge", fields=["call_id", "parent", "child"]
            ),
        ]

    def __str__(self) -> str:
        return f"alert {self.id}"


class DeliveryState(models.TextChoices):
    """How far the sending of an alert is."""

    WAITING = "WAITING", "waiting"
    SENDING = "SENDING", "being sent"
    SENT = "SENT", "sent"
    GIVEN_UP = "GIVEN_UP", "given up"


class Delivery(models.Model):
    """An alert on its way to one address: a job under a lease, tried again later and later.

    `outcome` is the status of the last answer, or the class of what went wrong; never a body.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    alert = models.ForeignKey(
        Alert, on_delete=models.PROTECT, related_name="deliveries", db_index=False
    )
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(
        max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=100, blank=True, default="")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="delivery_waiting",
                fields=["run_after"],
                condition=Q(state__in=("WAITING", "SENDING")),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="delivery_once", fields=["alert", "endpoint"]),
            models.CheckConstraint(
                name="delivery_leased_iff_sending",
                condition=Q(state="SENDING", lease_until__isnull=False)
                | (~Q(state="SENDING") & Q(lease_until__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"delivery {self.id}"
