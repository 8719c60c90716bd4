"""Signatures of calls as they were made, and what ended them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models.functions import JSONObject

from review.core.signoff.record import SignOff as SignOffValue
from review.core.signoff.record import decode_signoff
from review.models import SignOff


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of a call, and what ended it (`void_at` None: it stands)."""

    number: int
    signed: SignOffValue
    digest: str
    made_at: datetime
    void_why: str
    void_by: str
    void_at: datetime | None


#: Signatures in their order, each as the object that `read_signature` reads: for use beside a call
#: in its own query.
SIGNATURES: Final = SignOff.objects.order_by("number").values(
    one=JSONObject(
        number="number",
        record="record",
        digest="digest",
        at="at",
        void_why="void_why",
        void_by="void_by__printed_name",
        void_at="void_at",
    )
)


def read_signature(plain: Mapping[str, Any]) -> Signature:
    """Read a signature as the database writes it in JSON. Raises Refused for a spoilt record."""
    void_at = plain["void_at"]
    return Signature(
        number=plain["number"],
        # As PostgreSQL writes bytes in JSON.
        signed=decode_signoff(bytes.fromhex(plain["record"].removeprefix("\\x"))),
        digest=plain["digest"],
        made_at=datetime.fromisoformat(plain["at"]),
        void_why=plain["void_why"],
        void_by=plain["void_by"] or "",
        void_at=None if void_at is None else datetime.fromisoformat(void_at),
    )
