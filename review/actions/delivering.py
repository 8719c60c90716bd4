"""Sending alerts: claimed under a lease, sent outside of any transaction, told of in the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F

from oipsce_site.administration.actions.webhooks import SECRET_SLOT
from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import WebhookEndpoint
from oipsce_site.sealing import CallSealer
from review.core.webhooks import Violated, next_wait
from review.models import Alert, Delivery, DeliveryState
from review.queries.alerts import delivery_waits

LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class StartedDelivery:
    """What a worker needs: what is sent where, signed with what, and which attempt it is."""

    delivery_id: UUID
    attempt: int
    url: str
    secret: str
    violated: Violated


def claim_deliveries(*, most: int, at: datetime) -> list[StartedDelivery]:
    """Take alerts that are due under a lease, the longest waiting first; empty when none is.

    Those to an address that was removed meanwhile are given up.
    """
    with transaction.atomic():
        waiting = list(
            Delivery.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(delivery_waits(at))
            .select_related("alert", "endpoint")
            .order_by("run_after", "id")[:most]
        )
        gone = [one.pk for one in waiting if one.endpoint.removed_at is not None]
        Delivery.objects.filter(pk__in=gone).update(
            state=DeliveryState.GIVEN_UP, lease_until=None, outcome="address removed", ended_at=at
        )
        taken = [one for one in waiting if one.pk not in gone]
        Delivery.objects.filter(pk__in=[one.pk for one in taken]).update(
            state=DeliveryState.SENDING, attempts=F("attempts") + 1, lease_until=at + LEASE
        )
    return [
        StartedDelivery(
            one.pk, one.attempts + 1, one.endpoint.url, _secret(one.endpoint), _told(one.alert)
        )
        for one in taken
    ]


def finish_delivery(*, started: StartedDelivery, failure: str, by: str, at: datetime) -> bool:
    """Note that an alert was sent, or what went wrong; returns whether this attempt still counted.

    After the last attempt it is given up: the alert stands on the queue all the same.
    """
    with transaction.atomic():
        row = (
            Delivery.objects.select_for_update(of=("self",))
            .select_related("alert")
            .filter(pk=started.delivery_id, state=DeliveryState.SENDING, attempts=started.attempt)
            .first()
        )
        if row is None:
            return False
        wait = next_wait(row.attempts) if failure else None
        row.outcome, row.lease_until = failure, None
        if wait is not None:
            row.state, row.run_after = DeliveryState.WAITING, at + wait
        else:
            row.state = DeliveryState.GIVEN_UP if failure else DeliveryState.SENT
            row.ended_at = at
        row.save(update_fields=["outcome", "lease_until", "state", "run_after", "ended_at"])
        kind = "alert.retry" if wait else "alert.give_up" if failure else "alert.send"
        record(
            chain_id=row.alert.call_id,
            about=About.CALL,
            kind=kind,
            by=worker(by),
            at=at,
            facts={
                "alert_id": str(row.alert_id),
                "webhook_id": str(row.endpoint_id),
                "attempt": row.attempts,
            },
        )
    return True


def _secret(endpoint: WebhookEndpoint) -> str:
    sealer = CallSealer(endpoint.site_id, endpoint.pk, endpoint.wrapped_key)
    return sealer.open(SECRET_SLOT, endpoint.sealed_secret)


def _told(alert: Alert) -> Violated:
    return Violated(
        alert=str(alert.pk),
        call=str(alert.call_id),
        parent=alert.parent,
        child=alert.child,
        code=alert.code,
        parent_finish=alert.parent_finish,
        child_start=alert.child_start,
        catalog=alert.catalog_digest,
        at=alert.raised_at,
    )
