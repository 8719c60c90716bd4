"""The second components that people have set up: passkeys to sign with, and the authenticator app.

Both are kept by allauth; here is what a signature needs of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.utils.crypto import constant_time_compare

from oipsce_site.people.models import User

# COSE (RFC 9053, RFC 8230): algorithms by number, and the labels of a key's parameters.
_ES256, _EDDSA, _RS256 = -7, -8, -257
_ALGORITHM: Final = 3
#: A code is typed from a screen: the one before the current counts as well, each once.
_STEPS_BACK: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Passkey:
    """One key of a person; `public_key` is its SubjectPublicKeyInfo (DER)."""

    id: int
    name: str
    credential_id: bytes
    public_key: bytes

    @property
    def key_digest(self) -> str:
        """The digest that names the key in a record."""
        return hashlib.sha256(self.public_key).hexdigest()


def passkeys_of(user: User) -> tuple[Passkey, ...]:
    """Return the keys that a person can sign with; one of an unknown algorithm is left out."""
    stored = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    found = []
    for one in stored.order_by("id"):
        data = one.wrap().authenticator_data.credential_data
        public_key = None if data is None else _der(data.public_key)
        if data is not None and public_key is not None:
            found.append(Passkey(one.pk, str(one), bytes(data.credential_id), public_key))
    return tuple(found)


def has_app(user: User) -> bool:
    """Say whether a person has set up an authenticator app."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def step_of_code(user: User, code: str, at: datetime) -> int | None:
    """Return the half minute that a one-time code belongs to; None for a wrong code.

    Whether the code was used before is for the caller to find out.
    """
    app = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).first()
    if app is None:
        return None
    secret = decrypt(app.data["secret"])
    typed = "".join(code.split())
    now = int(at.timestamp()) // app_settings.TOTP_PERIOD
    for step in (now - back for back in _STEPS_BACK):
        if constant_time_compare(typed, format_hotp_value(hotp_value(secret, step))):
            return int(step)
    return None


def _der(cose: Mapping[int, Any]) -> bytes | None:
    key = _public_key(cose)
    if key is None:
        return None
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _public_key(
    cose: Mapping[int, Any],
) -> ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey | None:
    algorithm = cose.get(_ALGORITHM)
    if algorithm == _ES256:
        x, y = (int.from_bytes(cose[label], "big") for label in (-2, -3))
        return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    if algorithm == _EDDSA:
        return ed25519.Ed25519PublicKey.from_public_bytes(cose[-2])
    if algorithm == _RS256:
        n, e = (int.from_bytes(cose[label], "big") for label in (-1, -2))
        return rsa.RSAPublicNumbers(e, n).public_key()
    return None
