"""Ed25519 keys as public records: their ids, what each may sign, and when.

A key's id is SHA-256 over ``oip-sce/key/v1``, NUL, ``ed25519``, NUL and the 32 public bytes, in
hexadecimal. It names the key for ever; the fingerprint of the installation is the id of its root
key, which people compare with what was printed in the contract.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_DOMAIN: Final = b"oip-sce/key/v1\0ed25519\0"
PUBLIC_BYTES: Final = 32


class Use(Enum):
    """What a key may sign: the keyring, audits, checkpoints, or another's checkpoints."""

    ROOT = "root"
    EXPORT = "export"
    LOG = "log"
    WITNESS = "witness"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """One key of the keyring: its 32 bytes, its one use, and the times between which it counts."""

    public: bytes
    use: Use
    not_before: datetime
    not_after: datetime
    revoked_at: datetime | None = None

    @property
    def id(self) -> str:
        """The key's id."""
        return key_id(self.public)

    def counts_at(self, at: datetime) -> bool:
        """Say whether what this key signed at a time is accepted."""
        if self.revoked_at is not None and at >= self.revoked_at:
            return False
        return self.not_before <= at < self.not_after


def key_id(public: bytes) -> str:
    """Return the id of a public key, 64 hexadecimal digits."""
    return hashlib.sha256(KEY_DOMAIN + public).hexdigest()


def fingerprint(public: bytes) -> str:
    """Return the id in groups of four, for people to read aloud and compare."""
    whole = key_id(public)
    return " ".join(whole[start : start + 4] for start in range(0, len(whole), 4))


def public_bytes(private: Ed25519PrivateKey) -> bytes:
    """Return the 32 public bytes of a private key."""
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def public_pem(public: bytes) -> bytes:
    """Return a public key as PEM, as openssl reads it."""
    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def is_signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """Say whether the signature over the message is this key's."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
