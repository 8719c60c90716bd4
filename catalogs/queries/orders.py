"""Rehearsals of drafts that were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from catalogs.models import OrderState, RehearsalOrder


@dataclass(frozen=True, slots=True)
class OrderLine:
    """The last rehearsal that was asked for: of which text, how far it is, by whom asked."""

    state: str
    number: int
    done: int
    total: int
    by: str
    asked_at: datetime


def order_waits(at: datetime) -> Q:
    """Return which orders wait for a worker: new ones, and those whose worker was lost."""
    lost = Q(state=OrderState.RUNNING, leased_until__lt=at)
    return Q(state=OrderState.WAITING) | lost


def count_waiting_orders(at: datetime) -> int:
    """Return how many orders wait for a worker."""
    return RehearsalOrder.objects.filter(order_waits(at)).count()


def last_order(draft_id: UUID) -> OrderLine | None:
    """Return the last rehearsal that was asked for of a draft."""
    rows = RehearsalOrder.objects.filter(draft_id=draft_id).select_related("asked_by")
    row = rows.order_by("-asked_at", "-id").first()
    if row is None:
        return None
    return OrderLine(
        row.state, row.number, row.done, row.total, row.asked_by.printed_name, row.asked_at
    )
