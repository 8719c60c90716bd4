"""Signed calls and disputes of them, as tests make them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid4

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.disputing import DisputeWish, file_dispute
from review.models import DisputeKind
from tests.factories import NOON, case, catalog_source, make_person, prefilled, publish
from tests.signed import sign_stored

WORDS = "zanzibar-dispute: the date was never said"


def signed_call(signer: User | None = None) -> UUID:
    """Return a signed call of the site north."""
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    sign_stored(call_id, signer or make_person(Role.SENIOR_REVIEWER))
    return call_id


def dispute(call_id: UUID, by: User, at: datetime = NOON, words: str = WORDS) -> UUID:
    """Dispute the evidence of PID of a signed call; returns the dispute."""
    dispute_id = uuid4()
    wish = DisputeWish(DisputeKind.EVIDENCE, "PID", None, words)
    file_dispute(dispute_id=dispute_id, call_id=call_id, wish=wish, by=by, at=at)
    return dispute_id
