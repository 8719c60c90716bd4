"""Rehearsals of drafts: asked for by an author, done by a worker under a lease (docs/adr/0013).

A claim and a count of what is done are bookkeeping; the order and its result are in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localdate

from catalogs.models import Draft, DraftText, OrderState, RehearsalOrder, RehearsalReport
from catalogs.permissions import check_can_author
from catalogs.queries import order_waits
from catalogs.queries.overlays import load_text
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.core.rehearsal import Rehearsal, rehearsal_to_json

# Longer than any one step takes; each step that is noted holds it for as long again.
LEASE = timedelta(minutes=2)
MOST_ATTEMPTS = 3


class UnableToRehearse(Exception):
    """The draft cannot be rehearsed now; the sentence says why."""


@dataclass(frozen=True, slots=True)
class ClaimedOrder:
    """An order in a worker's hands, with the text to rehearse."""

    order_id: UUID
    attempt: int
    source: bytes


def order_rehearsal(*, order_id: UUID, draft_id: UUID, by: User, at: datetime) -> None:
    """Ask for a rehearsal of the text that stands. Raises NotAllowed, or UnableToRehearse for a
    text that cannot be read and while another rehearsal of the draft goes on.
    """
    role = check_can_author(by)
    with transaction.atomic():
        draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
        if draft is None:
            raise UnableToRehearse("There is no such draft.")
        if draft.orders.filter(state__in=(OrderState.WAITING, OrderState.RUNNING)).exists():
            raise UnableToRehearse("A rehearsal of this draft is going on; wait for its end.")
        text = DraftText.objects.get(draft=draft, number=draft.current)
        if load_text(bytes(text.source), localdate(at))[0].document is None:
            raise UnableToRehearse(
                "The text cannot be read as a catalog at this moment; mend it on the page Text."
            )
        RehearsalOrder.objects.create(
            id=order_id, draft=draft, number=draft.current, asked_by=by, asked_at=at
        )
        facts: dict[str, Value] = {"order_id": str(order_id), "number": draft.current}
        _record(draft.id, "rehearsal.order", person(by, role), at, facts)


def claim_order(*, at: datetime) -> ClaimedOrder | None:
    """Take the oldest order that waits or whose worker was lost; None where none waits.

    One that was tried too often has failed.
    """
    with transaction.atomic():
        order = (
            RehearsalOrder.objects.select_for_update(skip_locked=True)
            .filter(order_waits(at))
            .order_by("asked_at", "id")
            .first()
        )
        if order is None:
            return None
        if order.attempt >= MOST_ATTEMPTS:
            order.state, order.ended_at = OrderState.FAILED, at
            order.save(update_fields=["state", "ended_at"])
            return None
        order.state, order.attempt = OrderState.RUNNING, order.attempt + 1
        order.leased_until = at + LEASE
        order.done = order.total = 0
        order.save(update_fields=["state", "attempt", "leased_until", "done", "total"])
        text = DraftText.objects.get(draft_id=order.draft_id, number=order.number)
        return ClaimedOrder(order.id, order.attempt, bytes(text.source))


def note_progress(*, claimed: ClaimedOrder, done: int, total: int, at: datetime) -> None:
    """Note how much of an order is done, and hold it for another lease."""
    mine = RehearsalOrder.objects.filter(
        pk=claimed.order_id, attempt=claimed.attempt, state=OrderState.RUNNING
    )
    mine.update(done=done, total=total, leased_until=at + LEASE)


def finish_rehearsal(
    *, claimed: ClaimedOrder, report_id: UUID, rehearsal: Rehearsal, by: str, at: datetime
) -> None:
    """Keep the rehearsal of a draft's text; nothing where another attempt has the order by now."""
    with transaction.atomic():
        order = (
            RehearsalOrder.objects.select_for_update()
            .filter(pk=claimed.order_id, attempt=claimed.attempt, state=OrderState.RUNNING)
            .first()
        )
        if order is None:
            return
        order.state, order.ended_at = OrderState.DONE, at
        order.report_digest = rehearsal.digest
        order.save(update_fields=["state", "ended_at", "report_digest"])
        RehearsalReport.objects.create(
            id=report_id,
            document_digest=rehearsal.digest,
            engine=rehearsal.engine,
            result=rehearsal_to_json(rehearsal),
            is_green=rehearsal.green,
            made_at=at,
        )
        facts: dict[str, Value] = {
            "order_id": str(order.id),
            "number": order.number,
            "digest": rehearsal.digest,
            "report_id": str(report_id),
            "green": rehearsal.green,
            "engine": rehearsal.engine,
            **rehearsal.counts,
        }
        _record(order.draft_id, "rehearsal.store", worker(by), at, facts)


def _record(draft_id: UUID, kind: str, by: Actor, at: datetime, facts: dict[str, Value]) -> None:
    record(chain_id=draft_id, about=About.CATALOG, kind=kind, by=by, at=at, facts=facts)
