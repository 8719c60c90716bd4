"""Verify a passkey's signature over a sign-off: what WebAuthn calls an assertion, offline.

The challenge that the authenticator signed must be the record's digest, so nobody but the holder of
the key can have signed this record, and not for another page.

| code | what is refused |
| --- | --- |
| E-PASSKEY | an assertion of another form, page, challenge or key, or without the person verified |
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from oipsce_site.signing.core.plain import (
    read_base64,
    read_json,
    read_list,
    read_object,
    read_text,
)
from oipsce_site.signing.core.refusals import require
from review.core.signoff.batching import check_batched

PRESENT: Final = 0x01
VERIFIED: Final = 0x04
_FIELDS: Final = {
    *("public_key", "authenticator_data", "client_data", "signature"),
    *("relying_party", "origin"),
}


@dataclass(frozen=True, slots=True)
class Assertion:
    """What an authenticator returned, with the key (DER) and the page that it was asked for.

    `batch` are the digests of all records that it signed in one act, in hex and sorted; empty where
    it signed this record alone.
    """

    public_key: bytes
    authenticator_data: bytes
    client_data: bytes
    signature: bytes
    relying_party: str
    origin: str
    batch: tuple[str, ...] = ()

    @property
    def key_digest(self) -> str:
        """The digest that names the key in the record and in the log."""
        return hashlib.sha256(self.public_key).hexdigest()


def assertion_to_json(assertion: Assertion) -> dict[str, Any]:
    """Write an assertion as plain values."""
    batch = {"batch": list(assertion.batch)} if assertion.batch else {}
    return batch | {
        "public_key": base64.b64encode(assertion.public_key).decode(),
        "authenticator_data": base64.b64encode(assertion.authenticator_data).decode(),
        "client_data": base64.b64encode(assertion.client_data).decode(),
        "signature": base64.b64encode(assertion.signature).decode(),
        "relying_party": assertion.relying_party,
        "origin": assertion.origin,
    }


def assertion_from_json(value: object) -> Assertion:
    """Read an assertion back. Raises Refused."""
    what = "a passkey's signature"
    is_batched = isinstance(value, dict) and "batch" in value
    names = _FIELDS | ({"batch"} if is_batched else set())
    plain: Mapping[str, Any] = read_object(value, names, what)
    batch = [read_text(one, what) for one in read_list(plain["batch"], what)] if is_batched else []
    require(bool(batch) is is_batched, "E-BATCH", f"{what} is of a batch of nothing")
    return Assertion(
        public_key=read_base64(plain["public_key"], what),
        authenticator_data=read_base64(plain["authenticator_data"], what),
        client_data=read_base64(plain["client_data"], what),
        signature=read_base64(plain["signature"], what),
        relying_party=read_text(plain["relying_party"], what),
        origin=read_text(plain["origin"], what),
        batch=tuple(batch),
    )


def check_assertion(assertion: Assertion, digest: bytes, key_digest: str) -> None:
    """Check that the key with this digest signed the record with this digest, alone or with the
    others of its batch. Raises Refused.
    """
    if assertion.batch:
        digest = check_batched(digest.hex(), assertion.batch)
    said = read_json(assertion.client_data, "what the browser signed")
    client = said if isinstance(said, dict) else {}
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    data = assertion.authenticator_data
    host = assertion.origin.partition("://")[2].partition(":")[0]
    named = host == assertion.relying_party or host.endswith(f".{assertion.relying_party}")
    for holds, sentence in (
        (client is said, "what the browser signed has another form"),
        (assertion.key_digest == key_digest, "another key than the record names"),
        (client.get("type") == "webauthn.get", "no signing but something else"),
        (client.get("challenge") == challenge, "another record was signed"),
        (client.get("origin") == assertion.origin and named, "another page asked for it"),
        (client.get("crossOrigin") in (None, False), "a page inside another one asked for it"),
        (len(data) >= 37, "the authenticator's data is too short"),
        (data[:32] == _hash(assertion.relying_party.encode()), "it was made for another site"),
        (bool(data[32:33]) and bool(data[32] & PRESENT), "nobody touched the authenticator"),
        (bool(data[32:33]) and bool(data[32] & VERIFIED), "the person was not verified"),
    ):
        require(holds, "E-PASSKEY", f"a passkey's signature does not count: {sentence}")
    message = data + _hash(assertion.client_data)
    signed = _is_signed(assertion.public_key, assertion.signature, message)
    require(signed, "E-PASSKEY", "a passkey's signature does not verify")


def _is_signed(public_key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        key = load_der_public_key(public_key)
        match key:
            case ec.EllipticCurvePublicKey():
                key.verify(signature, message, ec.ECDSA(SHA256()))
            case ed25519.Ed25519PublicKey():
                key.verify(signature, message)
            case rsa.RSAPublicKey():
                key.verify(signature, message, padding.PKCS1v15(), SHA256())
            case _:
                return False
    except (InvalidSignature, ValueError, UnsupportedAlgorithm):
        return False
    return True


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
