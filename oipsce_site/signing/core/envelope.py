"""DSSE envelopes: bytes and the signatures over them, never parsed before they are verified.

Source: DSSE v1 (what is signed is ``DSSEv1 LEN TYPE LEN BODY``). The key id is a hint there; ours
must name the key that verifies, or one signature could be shown under two names.

| code | what is refused |
| --- | --- |
| E-ENVELOPE | not the keys of an envelope, or not 1 to 16 signatures |
| E-PAYLOADTYPE | a payload of another type than the one looked for |
| E-SIG | no signature by a key that may sign this |
| E-KEYHINT | a key id that does not name the key that verifies |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.signing.core.keys import is_signed_by, key_id, public_bytes
from oipsce_site.signing.core.plain import read_base64, read_json, write_base64, write_json
from oipsce_site.signing.core.refusals import Refused, require

STATEMENT_TYPE: Final = "application/vnd.in-toto+json"
KEYRING_TYPE: Final = "application/vnd.oip-sce.keyring+json"
MOST_SIGNATURES: Final = 16


def signed_bytes(payload_type: str, payload: bytes) -> bytes:
    """Return what a signature of an envelope is over (DSSE calls it PAE)."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def seal_envelope(payload_type: str, payload: bytes, signers: Sequence[Ed25519PrivateKey]) -> bytes:
    """Return the envelope of a payload, signed by each of the keys, in their order."""
    message = signed_bytes(payload_type, payload)
    return write_json(
        {
            "payload": write_base64(payload),
            "payloadType": payload_type,
            "signatures": [
                {
                    "keyid": key_id(public_bytes(signer)),
                    "sig": write_base64(signer.sign(message)),
                }
                for signer in signers
            ],
        }
    )


def open_envelope(
    data: bytes, payload_type: str, keys: Mapping[str, bytes], what: str
) -> tuple[bytes, frozenset[str]]:
    """Return the payload and the ids of the keys that signed it.

    `keys` are the public bytes by id that may sign it; every signature must be by one of them, so
    that nothing unverified rides along. Raises Refused.
    """
    value = read_json(data, what)
    is_one = isinstance(value, dict) and set(value) == {"payload", "payloadType", "signatures"}
    require(is_one, "E-ENVELOPE", f"{what} is no envelope")
    # One value, one spelling: white space or another order would be bytes that nobody signed.
    require(write_json(value) == data, "E-ENVELOPE", f"{what} is not in its canonical form")
    require(value["payloadType"] == payload_type, "E-PAYLOADTYPE", f"{what} holds another type")
    payload = read_base64(value["payload"], f"the payload of {what}")
    message = signed_bytes(payload_type, payload)
    given = value["signatures"]
    counted = isinstance(given, list) and 1 <= len(given) <= MOST_SIGNATURES
    require(counted, "E-ENVELOPE", f"{what} has not 1 to {MOST_SIGNATURES} signatures")
    signers = [_signer(one, message, keys, what) for one in given]
    require(len(set(signers)) == len(signers), "E-ENVELOPE", f"{what} is signed twice by one key")
    return payload, frozenset(signers)


def _signer(given: object, message: bytes, keys: Mapping[str, bytes], what: str) -> str:
    if not isinstance(given, dict) or set(given) != {"keyid", "sig"}:
        raise Refused("E-ENVELOPE", f"{what} has a signature of another form")
    signature = read_base64(given["sig"], f"a signature of {what}")
    for name, public in keys.items():
        if is_signed_by(public, signature, message):
            require(given["keyid"] == name, "E-KEYHINT", f"{what} names another key than signed it")
            return name
    raise Refused("E-SIG", f"{what}: a signature is not by a key that may sign it")
