"""What the browser hands to a passkey, and what is read from its answer."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.core.signoff.passkey import Assertion
from review.queries.passkeys import Passkey


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A passkey is asked to sign a digest; `expires_at` is until when its answer counts."""

    intent: UUID
    challenge: str
    credential: str
    relying_party: str
    key: str
    digest: str
    expires_at: datetime


def show_ceremony(
    intent: UUID, digest: bytes, key: Passkey, expires_at: datetime, host: str
) -> Ceremony:
    """Draw what the page of the passkey carries; `host` is that of the request."""
    return Ceremony(
        intent=intent,
        challenge=_to_base64(digest),
        credential=_to_base64(key.credential_id),
        relying_party=relying_party(host),
        key=key.name,
        digest=digest.hex(),
        expires_at=expires_at,
    )


def relying_party(host: str) -> str:
    """Return the name that passkeys were made for: allauth's, the host without its port."""
    return host.partition(":")[0]


def read_answer(key: Passkey, answer: tuple[bytes, bytes, bytes], *, page: str) -> Assertion:
    """Return an assertion of a passkey for a page of ours, by the page's origin
    (``https://host:port``).

    `answer` are its authenticator data, client data and signature.
    """
    host = page.partition("://")[2]
    authenticator_data, client_data, signature = answer
    return Assertion(
        public_key=key.public_key,
        authenticator_data=authenticator_data,
        client_data=client_data,
        signature=signature,
        relying_party=relying_party(host),
        origin=page,
    )


def _to_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
