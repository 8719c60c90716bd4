"""Webhooks: alerts that are due are sent, some at a time, each outside of any transaction."""

from __future__ import annotations

from datetime import UTC, datetime

from celery import shared_task
from django.conf import settings

from oipsce_site.outbound import Allowed
from review.actions.delivering import claim_deliveries, finish_delivery
from review.adapters.webhooks import post
from review.core.webhooks import sign, write_body
from review.tasks.bells import ring_for_webhooks
from review.tasks.jobs import Job

WORKER = "webhooks"
AT_ONCE = 5


@shared_task(name="review.send_webhooks", base=Job, acks_late=True)
def send_webhooks(**_: object) -> int:
    """Send the alerts that are due, five at most, and ring again if there were any."""
    started = claim_deliveries(most=AT_ONCE, at=_now())
    allowed = Allowed(settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE)
    for one in started:
        body = write_body(one.violated)
        headers = sign(one.secret, one.violated.alert, _now(), body)
        failure = post(one.url, body, headers, allowed)
        finish_delivery(started=one, failure=failure, by=WORKER, at=_now())
    if started:
        ring_for_webhooks()
    return len(started)


def _now() -> datetime:
    return datetime.now(UTC)
