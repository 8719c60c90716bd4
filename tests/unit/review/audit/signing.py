"""Sign-offs and passkeys for tests: fixed keys, fixed times, a software authenticator."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from review.core.signoff.content import SignedContent
from review.core.signoff.passkey import Assertion
from review.core.signoff.record import Component, Meaning, Signer, SignOff

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SITE_NAME, PAGE = "review.example", "https://review.example"
# Its signatures are the same each time, as audits of tests must be.
PASSKEY = ed25519.Ed25519PrivateKey.from_private_bytes(b"7" * 32)


class PrivateKey(Protocol):
    """What an authenticator holds."""

    def public_key(self) -> Any: ...


def der(key: PrivateKey) -> bytes:
    """Return the public key as it is exported."""
    encoded: bytes = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return encoded


def assert_with(key: PrivateKey, digest: bytes, **changes: Any) -> Assertion:
    """Sign a record's digest as an authenticator does; `changes` spoil what it says."""
    challenge = base64.urlsafe_b64encode(changes.get("challenge", digest)).rstrip(b"=").decode()
    client = {
        "type": changes.get("type", "webauthn.get"),
        "challenge": challenge,
        "origin": changes.get("origin", PAGE),
        "crossOrigin": changes.get("cross", False),
    }
    client_data = json.dumps(client, separators=(",", ":")).encode()
    site = changes.get("site", SITE_NAME)
    flags = changes.get("flags", 5)
    counted = int(changes.get("counter", 7)).to_bytes(4, "big")
    data = hashlib.sha256(site.encode()).digest() + bytes([flags]) + counted
    message = data + hashlib.sha256(client_data).digest()
    return Assertion(
        public_key=der(changes.get("shown", key)),
        authenticator_data=data,
        client_data=client_data,
        signature=_sign(key, message),
        relying_party=changes.get("stated_site", SITE_NAME),
        origin=changes.get("stated_origin", PAGE),
    )


def _sign(key: PrivateKey, message: bytes) -> bytes:
    match key:
        case ec.EllipticCurvePrivateKey():
            return key.sign(message, ec.ECDSA(SHA256()))
        case ed25519.Ed25519PrivateKey():
            return key.sign(message)
        case rsa.RSAPrivateKey():
            return key.sign(message, padding.PKCS1v15(), SHA256())
        case _:
            raise TypeError("no such key")


def content(**changes: Any) -> SignedContent:
    """Return some content."""
    given: dict[str, Any] = {
        "call_id": "11111111-1111-4111-8111-111111111111",
        "site_id": "22222222-2222-4222-8222-222222222222",
        "review": 1,
        "transcript_revision": 1,
        "transcript_digest": "a" * 64,
        "catalog_slug": "micro",
        "catalog_version": "1.0.0",
        "catalog_digest": "b" * 64,
        "engine": "oip-engine/1",
        "decisions": 3,
        "evaluation_id": "33333333-3333-4333-8333-333333333333",
        "evaluation_digest": "c" * 64,
        "rows_digest": "d" * 64,
        "inputs_digest": "e" * 64,
        "evidence_digest": "f" * 64,
        "ended": True,
        "coverage": "pass",
        "order_safe": "fail",
        "call_success": "fail",
    }
    return SignedContent(**{**given, **changes})


def signoff(**changes: Any) -> SignOff:
    """Return a sign-off by passkey and password."""
    given: dict[str, Any] = {
        "content": content(),
        "signer": Signer("44444444-4444-4444-8444-444444444444", "Ana Żółć", "senior_reviewer"),
        "meaning": Meaning.APPROVED,
        "at": NOON,
        "authenticated_at": NOON - timedelta(seconds=20),
        "components": (Component.PASSWORD, Component.PASSKEY),
        "first_in_session": True,
        "key_digest": hashlib.sha256(der(PASSKEY)).hexdigest(),
        "nonce": bytes(range(32)),
    }
    return SignOff(**{**given, **changes})
