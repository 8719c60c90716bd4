"""Keys made from fixed seeds, and a keyring of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.signing.core.keyring import Keyring, sign_keyring
from oipsce_site.signing.core.keys import PublicKey, Use, key_id, public_bytes

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
LOG = "oip-sce.test/log"


def private(seed: str) -> Ed25519PrivateKey:
    """Return the same key for the same word."""
    return Ed25519PrivateKey.from_private_bytes(seed.encode().ljust(32, b"."))


def public(seed: str) -> bytes:
    """Return its public bytes."""
    return public_bytes(private(seed))


def record(seed: str, use: Use, revoked_at: datetime | None = None) -> PublicKey:
    """Return its record; it counts for two days around noon."""
    day = timedelta(days=1)
    return PublicKey(public(seed), use, NOON - day, NOON + day, revoked_at)


@dataclass(frozen=True)
class Ring:
    """A keyring with the root that signs it."""

    keyring: Keyring
    root: Ed25519PrivateKey

    @property
    def data(self) -> bytes:
        return sign_keyring(self.keyring, self.root)

    @property
    def root_id(self) -> str:
        return key_id(self.keyring.root)


def ring() -> Ring:
    """Return a ring with one key of each use, and an export key that was revoked."""
    made = (
        record("export", Use.EXPORT),
        record("old export", Use.EXPORT, revoked_at=NOON - timedelta(hours=3)),
        record("log", Use.LOG),
        record("witness", Use.WITNESS),
    )
    keys = tuple(sorted(made, key=lambda key: (key.use.value, key.id)))
    return Ring(Keyring(1, NOON - timedelta(days=1), public("root"), LOG, keys), private("root"))
