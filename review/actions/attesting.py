"""An officer attests the counts of a site and period, and proves who they are as signers do: by
passkey, over the digest of the record, or by password and code.

An attestation is never changed; a later one of the same days supersedes it and names it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import encode
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.call_line import sample_key
from review.actions.proving import Proofs, Signing, prove_signer
from review.actions.refused_signing import UnableToSign
from review.core.compliance.attestation import (
    STATEMENT,
    CannotAttest,
    Universe,
    check_universe,
    digest_of,
)
from review.core.signoff.passkey import Assertion, assertion_to_json
from review.models import Attestation
from review.oversight_permissions import check_can_oversee
from review.queries.attestations import count_universe
from review.queries.passkeys import Passkey, passkeys_of

#: How long a passkey may take.
LIFE = timedelta(seconds=120)


class UnableToAttest(Exception):
    """Nothing is attested; the sentence says why."""


class StaleCounts(UnableToAttest):
    """The counts are no longer those on the page."""


@dataclass(frozen=True, slots=True)
class AttestWish:
    """What is attested: a site, its days, and the digest of the counts that the page showed."""

    site: Site
    first: date
    last: date
    seen: str


def read_universe(site: Site, first: date, last: date, moment: datetime) -> tuple[Universe, str]:
    """Return the counts of a site and period as they are, and their digest, for the page."""
    found = count_universe(site, first, last, at=moment, key=sample_key())
    return found, digest_of(encode(found.plain()))


def attest_period(
    *,
    attestation_id: UUID,
    wish: AttestWish,
    proofs: Proofs,
    by: User,
    at: datetime,
) -> str:
    """Attest with password and one-time code; returns the digest of the record.

    The same id twice attests once.

    Raises NotAllowed, UnableToSign for a proof that is wrong or missing, StaleCounts for counts
    that have moved, or UnableToAttest for a period that is not over.
    """
    role = check_can_oversee(by, wish.site)
    again = Attestation.objects.filter(pk=attestation_id, by=by).first()
    if again is not None:
        return again.digest
    _check(wish, at)
    if proofs.password is None or proofs.code is None:
        raise UnableToSign("Type your password, and the code that your app shows.", "code")
    prove_signer(proofs=proofs, by=by, at=at)
    with transaction.atomic():
        universe, last = _lock(wish, at)
        data = encode(_plain(universe, last, by, role, at))
        made = _store(attestation_id, wish, SignedRecord(data), last, by, at)
        _record(made, last, person(by, role), at)
    return made.digest


@dataclass(frozen=True, slots=True)
class FixedAttestation:
    """A record that waits for the answer of one passkey, until `expires_at`."""

    data: bytes
    key: Passkey
    expires_at: datetime

    @property
    def digest(self) -> bytes:
        """What the passkey signs."""
        return bytes.fromhex(digest_of(self.data))


def begin_attesting(
    *, wish: AttestWish, passkey_id: int, password: str, session: str, by: User, at: datetime
) -> FixedAttestation:
    """Fix the record that the person is about to sign with one of their passkeys.

    It is kept nowhere: the form that comes back brings it, sealed by the server. Raises as
    `attest_period`.
    """
    role = check_can_oversee(by, wish.site)
    universe = _check(wish, at)
    key = next((one for one in passkeys_of(by) if one.id == passkey_id), None)
    if key is None:
        raise UnableToSign("You have no such passkey. Choose another one.", "passkey")
    prove_signer(proofs=Proofs(session, password=password), by=by, at=at)
    plain = _plain(universe, _last(wish), by, role, at) | {
        "components": ["password", "passkey"],
        "assurance": "signer-key",
        "key": key.key_digest,
    }
    fixed = FixedAttestation(encode(plain), key, at + LIFE)
    with transaction.atomic():
        record(
            chain_id=wish.site.pk,
            about=About.SITE,
            kind="attestation.begin",
            by=person(by, role),
            at=at,
            facts={"record_digest": fixed.digest.hex()},
        )
    return fixed


@dataclass(frozen=True, slots=True)
class PasskeyProof:
    """What a passkey answered in a session."""

    assertion: Assertion
    session: str


@dataclass(frozen=True, slots=True)
class SignedRecord:
    """The bytes of a record, and what a passkey answered over their digest (None: no passkey)."""

    data: bytes
    assertion: Assertion | None = None

    @property
    def digest(self) -> str:
        """The digest that names the record."""
        return digest_of(self.data)


def attest_fixed(
    *,
    attestation_id: UUID,
    wish: AttestWish,
    data: bytes,
    proof: PasskeyProof,
    by: User,
    at: datetime,
) -> str:
    """Attest the record that was fixed with the passkey's answer; returns its digest.

    `data` is what `begin_attesting` made for this person. The same id twice attests once. Raises as
    `attest_period`, and StaleCounts for a record that is too old or no longer the latest.
    """
    role = check_can_oversee(by, wish.site)
    again = Attestation.objects.filter(pk=attestation_id, by=by).first()
    if again is not None:
        return again.digest
    plain = json.loads(data)
    if datetime.fromisoformat(plain["at"]) + LIFE < at:
        raise StaleCounts("The passkey was asked over two minutes ago. Begin again.")
    signing = Signing(proof.assertion, bytes.fromhex(digest_of(data)), plain["key"])
    prove_signer(proofs=Proofs(proof.session, passkey=signing), by=by, at=at)
    with transaction.atomic():
        _, last = _lock(wish, at)
        superseded = None if last is None else last.digest
        if (plain["supersedes"], plain["by"]["role"]) != (superseded, role.value):
            raise StaleCounts(
                "The period was attested meanwhile, or your role changed. Look at it and begin "
                "again."
            )
        made = _store(attestation_id, wish, SignedRecord(data, proof.assertion), last, by, at)
        _record(made, last, person(by, role), at)
    return made.digest


def _lock(wish: AttestWish, at: datetime) -> tuple[Universe, Attestation | None]:
    # One at a time for a site: the number and what is superseded are of this moment.
    Site.objects.select_for_update().get(pk=wish.site.pk)
    return _check(wish, at), _last(wish)


def _last(wish: AttestWish) -> Attestation | None:
    before = Attestation.objects.filter(site=wish.site, first=wish.first, last=wish.last)
    return before.order_by("-number").first()


def _store(
    attestation_id: UUID,
    wish: AttestWish,
    signed: SignedRecord,
    last: Attestation | None,
    by: User,
    at: datetime,
) -> Attestation:
    answer = signed.assertion
    return Attestation.objects.create(
        id=attestation_id,
        site=wish.site,
        first=wish.first,
        last=wish.last,
        number=1 if last is None else last.number + 1,
        record=signed.data,
        digest=signed.digest,
        assertion=None if answer is None else assertion_to_json(answer),
        by=by,
        at=at,
    )


def _plain(
    universe: Universe, last: Attestation | None, by: User, role: Role, at: datetime
) -> dict[str, Any]:
    return {
        "v": 1,
        "universe": universe.plain(),
        "statement": STATEMENT,
        "by": {"id": str(by.pk), "printed_name": by.printed_name, "role": role.value},
        "at": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}",
        "components": ["password", "totp"],
        "assurance": "server-attested",
        "supersedes": None if last is None else last.digest,
    }


def _record(made: Attestation, last: Attestation | None, actor: Actor, at: datetime) -> None:
    record(
        chain_id=made.site_id,
        about=About.SITE,
        kind="attestation.sign",
        by=actor,
        at=at,
        facts={
            "attestation_id": str(made.pk),
            "record_digest": made.digest,
            "first": made.first.isoformat(),
            "last": made.last.isoformat(),
            "supersedes": None if last is None else last.digest,
        },
    )


def _check(wish: AttestWish, at: datetime) -> Universe:
    """Return the counts as they are, if they may be attested and are those that were shown."""
    universe, digest = read_universe(wish.site, wish.first, wish.last, at)
    try:
        check_universe(universe, at.date())
    except CannotAttest as refusal:
        raise UnableToAttest(str(refusal)) from refusal
    if digest != wish.seen:
        raise StaleCounts(
            "The counts changed since this page was made, so nothing is attested. They stand here "
            "as they are now: look at them and sign again."
        )
    return universe
