"""What a webhook says and how it is signed: Standard Webhooks, without a word of the call.

The signature is ``v1,`` and the base64 of HMAC-SHA256 over ``ID.TIMESTAMP.BODY`` under the secret's
bytes; the id is the same at every attempt, so that who gets one twice knows it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

VIOLATED: Final = "critical_edge.violated"
_PREFIX: Final = "whsec_"
#: When the next attempt is due after the first, the second, … one failed; then it is given up.
WAITS: Final = tuple(map(timedelta, (0,) * 7, (5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600)))


@dataclass(frozen=True, slots=True)
class Violated:
    """A violated critical edge of a call, as it is told: ids, phases, a code and turn numbers."""

    alert: str
    call: str
    parent: str
    child: str
    code: str
    parent_finish: int | None
    child_start: int | None
    catalog: str
    at: datetime


def write_body(violated: Violated) -> bytes:
    """Return the body: the same bytes at every attempt."""
    told = {
        "type": VIOLATED,
        "timestamp": violated.at.isoformat(),
        "data": {
            "alert": violated.alert,
            "call": violated.call,
            "edge": {"parent": violated.parent, "child": violated.child},
            "code": violated.code,
            "parent_finish": violated.parent_finish,
            "child_start": violated.child_start,
            "catalog": violated.catalog,
        },
    }
    return json.dumps(told, separators=(",", ":")).encode("ascii")


def sign(secret: str, message_id: str, at: datetime, body: bytes) -> Mapping[str, str]:
    """Return the headers of a message that is sent at a time.

    >>> from datetime import UTC
    >>> sign("whsec_AAAA", "m1", datetime.fromtimestamp(1, UTC), b"{}")["webhook-timestamp"]
    '1'
    """
    stamp = str(int(at.timestamp()))
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = hmac.digest(key, f"{message_id}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(signed).decode('ascii')}",
    }


def next_wait(attempts: int) -> timedelta | None:
    """Return how long to wait after so many failed attempts; None when it is given up."""
    return WAITS[attempts - 1] if attempts <= len(WAITS) else None
