"""What is shown once: passwords to be typed from paper, keys and secrets of programs."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Final
from uuid import UUID

# Without letters and digits that are taken for one another: 0 and o, 1 and l and i.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4
_IN_A_GROUP: Final = 4


def new_password() -> str:
    """Return a random password of four groups of four characters (79 bits)."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def new_client_key(client_id: UUID) -> str:
    """Return a new key of a client: ``oip_``, its id, and 32 random bytes."""
    return f"oip_{client_id.hex}_{secrets.token_urlsafe(32)}"


def digest_of_key(key: str) -> str:
    """Return how a key is stored: by its SHA-256, from which nobody guesses 32 random bytes."""
    return hashlib.sha256(key.encode("ascii")).hexdigest()


def new_webhook_secret() -> str:
    """Return a secret in the form of Standard Webhooks: ``whsec_`` and 32 random bytes."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode('ascii')}"
