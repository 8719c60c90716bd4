"""Signing several calls, as the tests of it ask for it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from review.actions.batch_signing import (
    AskedBatch,
    BegunBatch,
    Shown,
    SignedBatch,
    begin_signing_batch,
    sign_batch,
    sign_batch_attested,
)
from review.actions.signing_state import read_to_sign
from review.core.signoff.record import Meaning
from review.core.signoff.screen import screen_digest
from tests.factories import NOON, catalog_source
from tests.signers import PASSWORD, SESSION, Signer, code_at


def without_critical_edges() -> bytes:
    """Return the micro catalog as one whose edges are advice."""
    return re.sub(rb"(?m)^    critical_parents: .*\n", b"", catalog_source("micro"))


def shown(call_id: UUID) -> Shown:
    review = read_to_sign(call_id)
    assert review is not None
    return Shown(call_id, screen_digest(review.content), review.content.decisions)


def asked_batch(calls: list[UUID], **changes: Any) -> AskedBatch:
    given: dict[str, Any] = {
        "meaning": Meaning.REVIEWED,
        "calls": tuple(shown(one) for one in calls),
        "session": SESSION,
        "batch_id": uuid4(),
        "shown_at": NOON - timedelta(seconds=5),
    }
    return AskedBatch(**{**given, **changes})


def begin_batch(signer: Signer, wish: AskedBatch, at: datetime = NOON) -> BegunBatch:
    return begin_signing_batch(
        asked=wish, passkey_id=signer.passkey_id, password=PASSWORD, by=signer.user, at=at
    )


def complete_batch(signer: Signer, begun: BegunBatch, **changes: Any) -> SignedBatch:
    given: dict[str, Any] = {
        "session": SESSION,
        "assertion": signer.answer(begun.digest),
        "at": NOON + timedelta(seconds=9),
        **changes,
    }
    return sign_batch(batch_id=begun.batch_id, by=signer.user, **given)


def batch_by_code(signer: Signer, wish: AskedBatch, **changes: Any) -> SignedBatch:
    given = {"password": PASSWORD, "code": code_at(NOON), "at": NOON, **changes}
    return sign_batch_attested(asked=wish, by=signer.user, **given)
