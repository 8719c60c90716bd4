"""The keyring: every public key that ever counted, what for and when, signed by the root key.

A change makes a new epoch. Old keys stay for ever with their times, so that what they signed while
they counted goes on verifying; a revoked key stays with the moment of its revocation.

The root's public bytes stand in the keyring, but are no reason to trust it: whoever verifies
compares the root's id with a fingerprint that came another way.

| code | what is refused |
| --- | --- |
| E-ROOT | the keyring's root is not the one whose fingerprint was given |
| E-KEYRING | the keyring has not the known form |
| E-KEYWINDOW | no key of that use counted at that time |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.signing.core.envelope import KEYRING_TYPE, open_envelope, seal_envelope
from oipsce_site.signing.core.keys import PUBLIC_BYTES, PublicKey, Use, key_id, public_bytes
from oipsce_site.signing.core.plain import (
    read_base64,
    read_count,
    read_hex,
    read_json,
    read_list,
    read_object,
    read_text,
    read_time,
    write_json,
    write_time,
)
from oipsce_site.signing.core.refusals import Refused, require

FORMAT: Final = "oip-sce/keyring/v1"
WHAT: Final = "the keyring"
_KEYS: Final = {"format", "epoch", "made_at", "root", "log", "keys"}


@dataclass(frozen=True, slots=True)
class Keyring:
    """The public keys of one epoch. `log` names the installation's log in checkpoints."""

    epoch: int
    made_at: datetime
    root: bytes
    log: str
    keys: tuple[PublicKey, ...]

    def of_use(self, use: Use) -> dict[str, PublicKey]:
        """Return the keys of one use by id, whether or not they count now."""
        return {key.id: key for key in self.keys if key.use is use}

    def counting(self, use: Use, at: datetime) -> PublicKey:
        """Return the newest key of a use that counts at a time. Raises Refused (E-KEYWINDOW)."""
        found = [key for key in self.keys if key.use is use and key.counts_at(at)]
        if not found:
            raise Refused("E-KEYWINDOW", f"the keyring has no {use.value} key that counts now")
        return max(found, key=lambda key: (key.not_before, key.id))

    def with_key(self, key: PublicKey, at: datetime) -> Keyring:
        """Return the next epoch with one more key; a key never enters twice."""
        require(key.id not in {one.id for one in self.keys}, "E-KEYRING", "the key is known")
        return replace(self, epoch=self.epoch + 1, made_at=at, keys=(*self.keys, key))

    def without(self, revoked: str, at: datetime) -> Keyring:
        """Return the next epoch in which a key is revoked from now on. Raises Refused."""
        known = {key.id: key for key in self.keys}
        require(revoked in known, "E-KEYRING", "the keyring has no such key")
        require(known[revoked].revoked_at is None, "E-KEYRING", "the key is revoked already")
        keys = tuple(replace(k, revoked_at=at) if k.id == revoked else k for k in self.keys)
        return replace(self, epoch=self.epoch + 1, made_at=at, keys=keys)


def sign_keyring(ring: Keyring, root: Ed25519PrivateKey) -> bytes:
    """Return the signed keyring. Raises Refused when the key is not the ring's root."""
    require(public_bytes(root) == ring.root, "E-ROOT", "this is not the root key of the keyring")
    return seal_envelope(KEYRING_TYPE, write_json(_plain(ring)), [root])


def open_keyring(data: bytes, root_id: str) -> Keyring:
    """Return the keyring that the root with this id has signed. Raises Refused."""
    # Read once for the root's bytes, believed only when their id is the given one, and then
    # verified: nothing of the payload is used before.
    claimed = _claimed_root(data)
    require(key_id(claimed) == root_id, "E-ROOT", "the keyring is of another root key")
    payload, _ = open_envelope(data, KEYRING_TYPE, {root_id: claimed}, WHAT)
    return _read(read_json(payload, WHAT))


def _claimed_root(data: bytes) -> bytes:
    envelope = read_json(data, WHAT)
    require(isinstance(envelope, dict) and "payload" in envelope, "E-ENVELOPE", "no envelope")
    value = read_json(read_base64(envelope["payload"], WHAT), WHAT)
    require(isinstance(value, dict) and "root" in value, "E-KEYRING", f"{WHAT} has no root")
    return read_hex(value["root"], PUBLIC_BYTES, "the root key")


def _plain(ring: Keyring) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "epoch": ring.epoch,
        "made_at": write_time(ring.made_at),
        "root": ring.root.hex(),
        "log": ring.log,
        "keys": [_plain_key(key) for key in _in_order(ring.keys)],
    }


def _in_order(keys: Sequence[PublicKey]) -> list[PublicKey]:
    return sorted(keys, key=lambda key: (key.use.value, key.not_before, key.id))


def _plain_key(key: PublicKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "public": key.public.hex(),
        "use": key.use.value,
        "not_before": write_time(key.not_before),
        "not_after": write_time(key.not_after),
        "revoked_at": None if key.revoked_at is None else write_time(key.revoked_at),
    }


def _read(value: object) -> Keyring:
    plain = read_object(value, _KEYS, WHAT)
    require(plain["format"] == FORMAT, "E-KEYRING", f"{WHAT} has an unknown format")
    return Keyring(
        epoch=read_count(plain["epoch"], "the epoch of the keyring"),
        made_at=read_time(plain["made_at"], "the time of the keyring"),
        root=read_hex(plain["root"], PUBLIC_BYTES, "the root key"),
        log=read_text(plain["log"], "the name of the log"),
        keys=tuple(_read_key(one) for one in read_list(plain["keys"], "the keys")),
    )


def _read_key(value: object) -> PublicKey:
    what = "a key of the keyring"
    names = {"id", "public", "use", "not_before", "not_after", "revoked_at"}
    plain = read_object(value, names, what)
    uses = {use.value: use for use in Use}
    require(plain["use"] in uses, "E-KEYRING", f"{what} has an unknown use")
    revoked = plain["revoked_at"]
    key = PublicKey(
        public=read_hex(plain["public"], PUBLIC_BYTES, what),
        use=uses[plain["use"]],
        not_before=read_time(plain["not_before"], what),
        not_after=read_time(plain["not_after"], what),
        revoked_at=None if revoked is None else read_time(revoked, what),
    )
    require(key.id == plain["id"], "E-KEYRING", f"{what} has another id than its bytes")
    return key
