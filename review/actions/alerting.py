"""Alerts: a critical edge that is proven to be violated, told once, on the queue and by webhook."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from oipsce_site.people.models import WebhookEndpoint
from oipsce_site.rows import insert_rows
from review.core.evaluation.running import Violation
from review.models import Alert, Delivery, DeliveryState


def raise_alerts(
    site_id: UUID,
    call_id: UUID,
    catalog_digest: str,
    violations: Sequence[Violation],
    at: datetime,
) -> int:
    """Tell violated edges of a call that were not told before; returns how many there were.

    Inside the caller's transaction, whose entry stands for it.
    """
    rows = [
        {
            "id": uuid4(),
            "site_id": site_id,
            "call_id": call_id,
            "parent": one.parent,
            "child": one.child,
            "code": one.code,
            "parent_finish": one.parent_finish,
            "child_start": one.child_start,
            "catalog_digest": catalog_digest,
            "raised_at": at,
        }
        for one in violations
    ]
    ending = "ON CONFLICT DO NOTHING RETURNING id"
    raised = [alert_id for (alert_id,) in insert_rows(Alert._meta.db_table, rows, ending=ending)]
    if raised:
        _send_to_all(site_id, raised, at)
    return len(raised)


def _send_to_all(site_id: UUID, alerts: Sequence[UUID], at: datetime) -> None:
    standing = WebhookEndpoint.objects.filter(site=site_id, removed_at__isnull=True)
    Delivery.objects.bulk_create(
        Delivery(
            id=uuid4(),
            alert_id=alert,
            endpoint_id=endpoint,
            state=DeliveryState.WAITING,
            run_after=at,
        )
        for endpoint in standing.values_list("pk", flat=True)
        for alert in alerts
    )
