"""The record of a sign-off: who signs which content, in which meaning, and how they proved it.

Canonical JSON, one spelling for one record. Its digest is SHA-256 over ``oip-sce/sign-off/v1``, NUL
and those bytes. Source: 21 CFR 11.50 (printed name, time, meaning), 11.70 (bound to the record),
11.200 (two components at the first signing of a session).

Log entries, in the call's chain: ``call.sign`` with `sign_facts`, and ``call.sign_void`` with
`void_facts` for whatever ends a signature. Names are not tokens and stay out of the log: the record
is stored beside the call, and the log binds it by its digest.

| code | what is refused |
| --- | --- |
| E-SIGN-FORM | a record of another form |
| E-SIGN-MANIFEST | no printed name, an unknown meaning, or another statement of legal effect |
| E-SIGN-ROLE | a role that may not sign |
| E-SIGN-AUTH | too few components, or none that only the signer has |
| E-SIGN-STALEAUTH | a proof of identity over five minutes old, or later than the signing |
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from oipsce_site.ledger.core.canonical import Value
from oipsce_site.signing.core.plain import (
    read_hex,
    read_json,
    read_object,
    read_text,
    read_time,
    write_json,
    write_time,
)
from oipsce_site.signing.core.refusals import Refused, require
from review.core.signoff.content import SignedContent

FORMAT: Final = "oip-sce/sign-off/v1"
DOMAIN: Final = b"oip-sce/sign-off/v1\0"
SIGN: Final = "call.sign"
VOID: Final = "call.sign_void"
SIGNING_ROLES: Final = frozenset({"reviewer", "senior_reviewer"})
MOST_AGE: Final = timedelta(minutes=5)
STATEMENT: Final = (
    "I have looked at the record of this call as it is shown here. I sign it in the stated "
    "meaning, and I know that this electronic signature binds me as my handwritten one would."
)


class Meaning(Enum):
    """What a signature says of the record (21 CFR 11.50)."""

    REVIEWED = "reviewed"
    APPROVED = "approved"
    RESPONSIBLE = "responsible"
    AUTHORED = "authored"


class Component(Enum):
    """One proof of identity. Only a passkey makes a signature that anybody can verify."""

    PASSKEY = "passkey"
    PASSWORD = "password"
    TOTP = "totp"
    IDENTITY_PROVIDER = "identity_provider"


class Assurance(Enum):
    """Who vouches for a signature: the signer's own key, or this server alone."""

    SIGNER_KEY = "signer-key"
    SERVER_ATTESTED = "server-attested"


class Voided(Enum):
    """What ended a signature."""

    CHANGED = "changed"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Signer:
    """The person as they were called at the time."""

    id: str
    printed_name: str
    role: str


@dataclass(frozen=True, slots=True)
class SignOff:
    """One sign-off, before its signature.

    `nonce` is 32 random bytes: no two records have one digest. `key_digest` is the SHA-256 of the
    passkey's public key (SubjectPublicKeyInfo), empty without a passkey.
    """

    content: SignedContent
    signer: Signer
    meaning: Meaning
    at: datetime
    authenticated_at: datetime
    components: tuple[Component, ...]
    first_in_session: bool
    key_digest: str
    nonce: bytes

    @property
    def assurance(self) -> Assurance:
        """Who vouches for it."""
        has_key = Component.PASSKEY in self.components
        return Assurance.SIGNER_KEY if has_key else Assurance.SERVER_ATTESTED


def encode_signoff(signoff: SignOff) -> bytes:
    """Return the record's bytes: store exactly these. Raises Refused for what may not be signed."""
    check_signoff(signoff)
    return write_json(
        {
            "format": FORMAT,
            "content": asdict(signoff.content),
            "signer": asdict(signoff.signer),
            "meaning": signoff.meaning.value,
            "statement": STATEMENT,
            "at": write_time(signoff.at),
            "authenticated_at": write_time(signoff.authenticated_at),
            "components": [one.value for one in signoff.components],
            "first_in_session": signoff.first_in_session,
            "key_digest": signoff.key_digest,
            "nonce": signoff.nonce.hex(),
        }
    )


def signoff_digest(record: bytes) -> bytes:
    """Return the digest of a record: the challenge that a passkey signs."""
    return hashlib.sha256(DOMAIN + record).digest()


def decode_signoff(record: bytes) -> SignOff:
    """Return the sign-off that a record holds. Raises Refused for any other bytes."""
    what = "a sign-off"
    names = {
        *("format", "content", "signer", "meaning", "statement", "at", "authenticated_at"),
        *("components", "first_in_session", "key_digest", "nonce"),
    }
    plain = read_object(read_json(record, what), names, what)
    require(write_json(plain) == record, "E-SIGN-FORM", f"{what} is not in its canonical form")
    require(plain["format"] == FORMAT, "E-SIGN-FORM", f"{what} has an unknown format")
    require(plain["statement"] == STATEMENT, "E-SIGN-MANIFEST", f"{what} has another statement")
    signer = read_object(plain["signer"], {"id", "printed_name", "role"}, "a signer")
    try:
        signoff = SignOff(
            content=_read_content(plain["content"]),
            signer=Signer(**{name: read_text(signer[name], "a signer") for name in signer}),
            meaning=Meaning(plain["meaning"]),
            at=read_time(plain["at"], what),
            authenticated_at=read_time(plain["authenticated_at"], what),
            components=tuple(Component(one) for one in plain["components"]),
            first_in_session=bool(plain["first_in_session"]),
            key_digest=read_text(plain["key_digest"], what),
            nonce=read_hex(plain["nonce"], 32, "the nonce of a sign-off"),
        )
    except (ValueError, TypeError):
        raise Refused("E-SIGN-MANIFEST", f"{what} has an unknown meaning or component") from None
    check_signoff(signoff)
    return signoff


def check_signoff(signoff: SignOff) -> None:
    """Check what a sign-off must be to count. Raises Refused."""
    require(
        bool(signoff.signer.printed_name.strip()) and bool(signoff.signer.id),
        "E-SIGN-MANIFEST",
        "a sign-off names its signer",
    )
    require(
        signoff.signer.role in SIGNING_ROLES,
        "E-SIGN-ROLE",
        f"a {signoff.signer.role} does not sign",
    )
    _check_components(signoff)
    age = signoff.at - signoff.authenticated_at
    require(
        timedelta() <= age <= MOST_AGE,
        "E-SIGN-STALEAUTH",
        "the signer proved who they are too long before, or after, they signed",
    )


def _check_components(signoff: SignOff) -> None:
    given = set(signoff.components)
    has_key = Component.PASSKEY in given
    two = has_key and bool(given & {Component.PASSWORD, Component.IDENTITY_PROVIDER})
    fallback = {Component.PASSWORD, Component.TOTP} <= given
    enough = two or fallback if signoff.first_in_session else has_key or fallback
    require(enough, "E-SIGN-AUTH", "a sign-off needs two components, later ones a passkey")
    require(
        has_key == bool(signoff.key_digest),
        "E-SIGN-AUTH",
        "a sign-off by passkey names its key, any other one names none",
    )


def sign_facts(record: bytes, signoff: SignOff) -> Mapping[str, Value]:
    """Return the facts of the entry ``call.sign`` that is written with the sign-off."""
    return {
        "record_digest": signoff_digest(record).hex(),
        "review": signoff.content.review,
        "meaning": signoff.meaning.value,
        "assurance": signoff.assurance.value,
        "key_digest": signoff.key_digest,
        "rows_digest": signoff.content.rows_digest,
        "inputs_digest": signoff.content.inputs_digest,
        "evidence_digest": signoff.content.evidence_digest,
        "evaluation_digest": signoff.content.evaluation_digest,
    }


def void_facts(record: bytes, why: Voided) -> Mapping[str, Value]:
    """Return the facts of the entry ``call.sign_void``; its actor is who ended the signature."""
    return {"record_digest": signoff_digest(record).hex(), "why": why.value}


def _read_content(value: object) -> SignedContent:
    names = {field.name for field in fields(SignedContent)}
    plain: dict[str, Any] = read_object(value, names, "the content of a sign-off")
    numbers = {"review", "transcript_revision", "decisions"}
    for name, one in plain.items():
        kinds: tuple[type, ...] = (str,)
        if name in numbers:
            kinds = (int,)
        elif name == "ended":
            kinds = (bool, type(None))
        is_right = isinstance(one, kinds) and not (name in numbers and isinstance(one, bool))
        require(is_right, "E-SIGN-FORM", f"{name} of a sign-off's content has another kind")
    return SignedContent(**plain)
