"""Calls that a client hands in whole, and which client it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import DataError, transaction

from oipsce_site.ledger.actors import program
from oipsce_site.people.models import ApiClient
from oipsce_site.rows import insert_rows
from review.actions.intake import Imported, ImportOutcome, Offer, Refused, import_calls
from review.models import ApiReceipt
from review.permissions import check_takes_calls

_UNHOLDABLE = Refused("A value is beyond what can be stored. Correct the call.")


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A call of the client's file, and what became of it."""

    external_id: str
    became: Imported | Refused


def hand_in_calls(*, offers: Sequence[Offer], by: ApiClient, at: datetime) -> tuple[HandedIn, ...]:
    """Take the calls of a client's file in at its site, all in one transaction.

    A refused one stops no other. Raises NotAllowed for a retired site.
    """
    check_takes_calls(by.site)
    with transaction.atomic():
        became = _import(offers, by, at)
        for one in became:
            if isinstance(one, Imported) and one.outcome is ImportOutcome.CREATED:
                keep_receipt(one.call_id, by, at)
    ids = [offer.call.source.external_id for offer in offers]
    return tuple(HandedIn(*pair) for pair in zip(ids, became, strict=True))


def keep_receipt(call_id: UUID, client: ApiClient, at: datetime) -> None:
    """Note which client handed a call in, inside the caller's transaction."""
    row = {"call_id": call_id, "client_id": client.pk, "at": at}
    insert_rows(ApiReceipt._meta.db_table, [row], ending="ON CONFLICT DO NOTHING")


def _import(offers: Sequence[Offer], by: ApiClient, at: datetime) -> list[Imported | Refused]:
    """Import all at once; where the database cannot hold a value of one, each alone."""
    try:
        with transaction.atomic():
            return import_calls(
                site=by.site, offers=offers, actor=program(by), received_by=None, at=at
            )
    except DataError:
        if len(offers) == 1:
            return [_UNHOLDABLE]
    return [became for offer in offers for became in _import([offer], by, at)]
