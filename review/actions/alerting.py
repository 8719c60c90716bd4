"""Alerts: a critical edge that is proven to be violated, told once, on the queue and by webhook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid4

from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import Act, record_all
from oipsce_site.people.models import WebhookEndpoint
from oipsce_site.rows import insert_rows
from review.core.evaluation import Report
from review.core.evaluation.running import violations_of
from review.models import Alert, ApiReceipt, Delivery, DeliveryState


class Told(NamedTuple):
    """A call and the report on it."""

    site_id: UUID
    call_id: UUID
    report: Report


def raise_alerts(told: Sequence[Told], actor: Actor, at: datetime) -> int:
    """Tell violated edges of calls that were not told before; returns how many there were.

    Inside the caller's transaction. A machine has read what is told: it alerts and decides nothing.
    """
    rows = [row for one in told for row in _rows(one, at)]
    ending = "ON CONFLICT DO NOTHING RETURNING id, site_id, call_id, parent, child"
    raised = insert_rows(Alert._meta.db_table, rows, ending=ending)
    if raised:
        _send([(alert, site) for alert, site, *_ in raised], at)
        acts = [
            Act(call, About.CALL, "alert.raise", actor, {"alert_id": str(alert), "edge": [i, j]})
            for alert, _, call, i, j in raised
        ]
        record_all(acts, at=at)
    return len(raised)


def tell_violations(told: Iterable[Told], actor: Actor, at: datetime) -> int:
    """Raise the alerts of those calls that a client handed in; of others nothing is told."""
    violated = [one for one in told if one.report.order_safe == "fail"]
    if not violated:
        return 0
    ids = [one.call_id for one in violated]
    known = set(ApiReceipt.objects.filter(call_id__in=ids).values_list("call_id", flat=True))
    return raise_alerts([one for one in violated if one.call_id in known], actor, at)


def _rows(told: Told, at: datetime) -> list[dict[str, object]]:
    return [
        {
            "id": uuid4(),
            "site_id": told.site_id,
            "call_id": told.call_id,
            "parent": one.parent,
            "child": one.child,
            "code": one.code,
            "parent_finish": one.parent_finish,
            "child_start": one.child_start,
            "catalog_digest": told.report.catalog.digest,
            "raised_at": at,
        }
        for one in violations_of(told.report)
    ]


def _send(alerts: Sequence[tuple[UUID, UUID]], at: datetime) -> None:
    """Ask for the sending of each alert to every address of its site."""
    sites = {site for _, site in alerts}
    standing = WebhookEndpoint.objects.filter(site__in=sites, removed_at__isnull=True)
    Delivery.objects.bulk_create(
        Delivery(
            id=uuid4(),
            alert_id=alert,
            endpoint_id=endpoint,
            state=DeliveryState.WAITING,
            run_after=at,
        )
        for endpoint, place in standing.values_list("pk", "site_id")
        for alert, site in alerts
        if site == place
    )
