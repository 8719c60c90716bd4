"""Alerts that stand: of running calls, for the queue; and which of them are to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from oipsce_site.people.models import User
from review.models import Alert, Delivery, DeliveryState, RunningCall
from review.queries.reach import readable

_MOST = 20


@dataclass(frozen=True, slots=True)
class RunningAlert:
    """A violated critical edge of a call that is still running."""

    call_id: UUID
    external_id: str
    site: str
    parent: str
    child: str
    parent_finish: int | None
    child_start: int | None
    raised_at: datetime


def running_alerts(user: User) -> tuple[RunningAlert, ...]:
    """Return the alerts of running calls that `user` may read, the latest first.

    One query where there is none, which is nearly always, else two.

    A call that has ended stands in the queue itself, among those whose order is at stake.
    """
    running = RunningCall.objects.filter(
        site__in=readable(user), ended_at__isnull=True, live="VIOLATED"
    )
    found = {one.pk: one for one in running.select_related("site").order_by("-heard_at")[:_MOST]}
    if not found:
        return ()
    alerts = Alert.objects.filter(call_id__in=list(found)).order_by("-raised_at", "id")[:_MOST]
    return tuple(
        RunningAlert(
            call_id=one.call_id,
            external_id=found[one.call_id].external_id,
            site=found[one.call_id].site.name,
            parent=one.parent,
            child=one.child,
            parent_finish=one.parent_finish,
            child_start=one.child_start,
            raised_at=one.raised_at,
        )
        for one in alerts
    )


def delivery_waits(at: datetime) -> Q:
    """Return what is to be sent at a time: due, or lost with its worker."""
    return Q(state=DeliveryState.WAITING, run_after__lte=at) | Q(
        state=DeliveryState.SENDING, lease_until__lt=at
    )


def count_waiting_deliveries(at: datetime) -> int:
    """Return how many alerts are to be sent."""
    return Delivery.objects.filter(delivery_waits(at)).count()
