"""The roster of a site: who signs there, in which role from when to when, and by which passkeys.

The root key signs it, so that a stranger need not believe the database whose key is whose. It is
made at a ceremony and is of that moment: what was signed later is not covered by it.

| code | what is refused |
| --- | --- |
| E-ROSTER | a roster of another form or site, or dated after the audit; a signer, role or passkey |
| | that it does not list, at a time that it covers |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.signing.core.envelope import open_envelope, seal_envelope
from oipsce_site.signing.core.keys import key_id
from oipsce_site.signing.core.plain import (
    read_hex,
    read_json,
    read_list,
    read_object,
    read_text,
    read_time,
    write_json,
    write_time,
)
from oipsce_site.signing.core.refusals import require
from review.core.signoff.record import Assurance, SignOff

ROSTER_TYPE: Final = "application/vnd.oip-sce.roster+json"
FORMAT: Final = "oip-sce/roster/v1"
_WHAT: Final = "the roster"
_DIGEST_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """A role and when it was held; `until` is None while it is."""

    role: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class ListedSigner:
    """One person: id, printed name at the roster's moment, roles, digests of their passkeys."""

    id: str
    printed_name: str
    roles: tuple[RoleHeld, ...]
    passkeys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roster:
    """The signers of a site as the root key has confirmed them at `made_at`."""

    site: str
    made_at: datetime
    signers: Mapping[str, ListedSigner]

    def covers(self, signoff: SignOff) -> bool:
        """Say whether a signature is old enough to be looked up here."""
        return signoff.at <= self.made_at

    def check(self, signoff: SignOff) -> None:
        """Check a covered signature's person, role and passkey. Raises Refused."""
        signer = signoff.signer
        listed = self.signers.get(signer.id)
        if listed is None:
            require(False, "E-ROSTER", f"the roster lists no signer {signer.id}")
            return
        held = any(
            one.role == signer.role
            and one.since <= signoff.at
            and (one.until is None or signoff.at < one.until)
            for one in listed.roles
        )
        require(held, "E-ROSTER", f"{signer.id} was no {signer.role} when they signed")
        own = signoff.assurance is not Assurance.SIGNER_KEY or signoff.key_digest in listed.passkeys
        require(own, "E-ROSTER", f"{signer.id} signed by a passkey that the roster does not list")


def sign_roster(roster: Roster, root: Ed25519PrivateKey) -> bytes:
    """Return the signed roster; one spelling for one roster."""
    signers = [
        {
            "id": one.id,
            "printed_name": one.printed_name,
            "roles": [
                {
                    "role": held.role,
                    "since": write_time(held.since),
                    "until": None if held.until is None else write_time(held.until),
                }
                for held in sorted(one.roles, key=lambda held: (held.since, held.role))
            ],
            "passkeys": sorted(one.passkeys),
        }
        for _, one in sorted(roster.signers.items())
    ]
    plain = {
        "format": FORMAT,
        "site": roster.site,
        "made_at": write_time(roster.made_at),
        "signers": signers,
    }
    return seal_envelope(ROSTER_TYPE, write_json(plain), [root])


def open_roster(data: bytes, root: bytes) -> Roster:
    """Return the roster that this root key has signed. Raises Refused."""
    payload, _ = open_envelope(data, ROSTER_TYPE, {key_id(root): root}, _WHAT)
    fields = {"format", "site", "made_at", "signers"}
    plain = read_object(read_json(payload, _WHAT), fields, _WHAT)
    require(plain["format"] == FORMAT, "E-ROSTER", f"{_WHAT} has an unknown format")
    listed = [_signer(one) for one in read_list(plain["signers"], "the signers of the roster")]
    signers = {one.id: one for one in listed}
    require(len(signers) == len(listed), "E-ROSTER", f"{_WHAT} lists a signer twice")
    made_at = read_time(plain["made_at"], f"the time of {_WHAT}")
    return Roster(read_text(plain["site"], f"the site of {_WHAT}"), made_at, signers)


def _signer(value: object) -> ListedSigner:
    what = "a signer of the roster"
    plain: Mapping[str, Any] = read_object(value, {"id", "printed_name", "roles", "passkeys"}, what)
    return ListedSigner(
        read_text(plain["id"], what),
        read_text(plain["printed_name"], what),
        tuple(_held(one) for one in read_list(plain["roles"], what)),
        tuple(
            read_hex(one, _DIGEST_BYTES, what).hex() for one in read_list(plain["passkeys"], what)
        ),
    )


def _held(value: object) -> RoleHeld:
    what = "a role of the roster"
    plain: Mapping[str, Any] = read_object(value, {"role", "since", "until"}, what)
    until = plain["until"]
    return RoleHeld(
        read_text(plain["role"], what),
        read_time(plain["since"], what),
        None if until is None else read_time(until, what),
    )
