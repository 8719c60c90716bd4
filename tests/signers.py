"""People who can sign: a passkey in software, an authenticator app, and calls that are ready."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import encrypt
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from oipsce_site.people.models import Site, User
from review.actions.attesting import (
    AttestWish,
    FixedAttestation,
    PasskeyProof,
    attest_fixed,
    attest_period,
    begin_attesting,
    read_universe,
)
from review.actions.decisions import decide
from review.actions.opening import open_for_review
from review.actions.proving import Proofs
from review.actions.signing import Asked, Begun, Signed, begin_signing, sign_attested, sign_call
from review.actions.signing_state import read_to_sign
from review.core.decisions import Ask, Kind
from review.core.signoff.passkey import Assertion
from review.core.signoff.record import Meaning
from review.core.signoff.screen import screen_digest
from review.models import Call, PhaseRow
from tests.factories import NOON
from tests.unit.review.audit.signing import assert_with

PASSWORD = "a password"
SESSION = hashlib.sha256(b"a session").hexdigest()
OTHER_SESSION = hashlib.sha256(b"another session").hexdigest()
SECRET = "JBSWY3DPEHPK3PXP"
_PLACE = "review.example"


@dataclass
class Signer:
    """A person with a passkey of ours; `counter` is what it says next."""

    user: User
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    passkey_id: int = 0
    credential_id: bytes = b""

    def answer(self, digest: bytes, **changes: Any) -> Assertion:
        """Sign a digest as the browser's passkey does; `changes` spoil what it says."""
        return assert_with(changes.pop("key", self.key), digest, **changes)


def with_passkey(user: User, *, at: str = _PLACE) -> Signer:
    """Give a person a passkey for a site of this name, stored as allauth stores one."""
    credential_id = uuid4().bytes
    signer = Signer(user, credential_id=credential_id)
    own: Any = ES256
    cose = own.from_cryptography_key(signer.key.public_key())
    data = AuthenticatorData.create(
        hashlib.sha256(at.encode()).digest(),
        AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT,
        0,
        AttestedCredentialData.create(Aaguid.NONE, credential_id, cose),
    )
    client = json.dumps({"type": "webauthn.create", "challenge": "eA", "origin": "x"}).encode()
    credential = {
        "id": to_base64(credential_id),
        "rawId": to_base64(credential_id),
        "type": "public-key",
        "response": {
            "clientDataJSON": to_base64(client),
            "attestationObject": to_base64(bytes(AttestationObject.create("none", data, {}))),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }
    stored = Authenticator.objects.create(
        user=user,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Blue key", "credential": credential},
    )
    signer.passkey_id = stored.pk
    return signer


def with_app(user: User) -> User:
    """Give a person an authenticator app."""
    data = {"secret": encrypt(SECRET)}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    return user


def code_at(at: datetime) -> str:
    """Return what the app shows at a time."""
    return str(format_hotp_value(hotp_value(SECRET, int(at.timestamp()) // 30)))


def to_base64(data: bytes) -> str:
    """Write bytes as browsers do."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read_and_decide(call_id: UUID, by: User, *, at: datetime = NOON) -> None:
    """Open a call and confirm every row of it as it is shown."""
    open_for_review(call_id=call_id, by=by, at=at)
    for row in PhaseRow.objects.filter(call=call_id).order_by("position"):
        confirm(call_id, row.phase, by, at=at)


def confirm(call_id: UUID, phase: str, by: User, *, at: datetime = NOON) -> None:
    """Confirm one row as it stands."""
    act(call_id, Ask(Kind.CONFIRM, phase), by, at=at)


def act(call_id: UUID, asked: Ask, by: User, *, at: datetime = NOON) -> None:
    """Decide on one row as it stands, once nobody else is at the call, and leave it."""
    leave(call_id)
    revision = PhaseRow.objects.get(call=call_id, phase=asked.phase).revision
    decide(call_id=call_id, decision=asked, expected_revision=revision, key=uuid4(), by=by, at=at)
    leave(call_id)


def leave(call_id: UUID) -> None:
    """Let nobody be at the call."""
    Call.objects.filter(pk=call_id).update(held_by=None, held_until=None, hold_key=None)


def asked_now(call_id: UUID, *, session: str = SESSION, **changes: Any) -> Asked:
    """Return what a form over the call as it is now asks for."""
    review = read_to_sign(call_id)
    assert review is not None
    given: dict[str, Any] = {
        "meaning": Meaning.REVIEWED,
        "screen": screen_digest(review.content),
        "decisions": review.content.decisions,
        "session": session,
        "intent_id": uuid4(),
        "shown_at": NOON - timedelta(seconds=5),
    }
    return Asked(**{**given, **changes})


def begin(
    signer: Signer,
    call_id: UUID,
    asked: Asked | None = None,
    *,
    at: datetime = NOON,
    **changes: Any,
) -> Begun:
    """Fix what a signer is about to sign by passkey."""
    given = {"passkey_id": signer.passkey_id, "password": PASSWORD, **changes}
    return begin_signing(
        call_id=call_id, asked=asked or asked_now(call_id), by=signer.user, at=at, **given
    )


def complete(
    signer: Signer,
    call_id: UUID,
    begun: Begun,
    *,
    at: datetime = NOON + timedelta(seconds=9),
    **changes: Any,
) -> Signed:
    """Sign what was fixed."""
    given = {"session": SESSION, "assertion": signer.answer(begun.digest), **changes}
    return sign_call(call_id=call_id, intent_id=begun.intent_id, by=signer.user, at=at, **given)


def sign_by_code(
    user: User, call_id: UUID, asked: Asked | None = None, *, at: datetime = NOON, **changes: Any
) -> Signed:
    """Sign by password and code."""
    given = {"password": PASSWORD, "code": code_at(at), **changes}
    return sign_attested(
        call_id=call_id, asked=asked or asked_now(call_id), by=user, at=at, **given
    )


def attest(
    user: User, site: Site, *, at: datetime = NOON, days: tuple[date, date] | None = None
) -> UUID:
    """Attest the counts of a site as they are; without days, of a month long ago."""
    first, last = days or (date(2026, 1, 1), date(2026, 1, 31))
    _, seen = read_universe(site, first, last, at)
    attestation_id = uuid4()
    attest_period(
        attestation_id=attestation_id,
        wish=AttestWish(site, first, last, seen),
        proofs=Proofs(SESSION, password=PASSWORD, code=code_at(at)),
        by=user,
        at=at,
    )
    return attestation_id


def begin_attest(signer: Signer, site: Site, *, at: datetime = NOON) -> FixedAttestation:
    """Fix an attestation of a month long ago, to be signed by passkey."""
    return begin_attesting(
        wish=wish_of(site, at),
        passkey_id=signer.passkey_id,
        password=PASSWORD,
        session=SESSION,
        by=signer.user,
        at=at,
    )


def attest_by_passkey(
    signer: Signer, site: Site, fixed: FixedAttestation, *, at: datetime = NOON
) -> str:
    """Attest what was fixed."""
    return attest_fixed(
        attestation_id=uuid4(),
        wish=wish_of(site, at),
        data=fixed.data,
        proof=PasskeyProof(signer.answer(fixed.digest), SESSION),
        by=signer.user,
        at=at,
    )


def wish_of(site: Site, at: datetime) -> AttestWish:
    """Return the wish to attest the counts of a month long ago as they are."""
    first, last = date(2026, 1, 1), date(2026, 1, 31)
    return AttestWish(site, first, last, read_universe(site, first, last, at)[1])
