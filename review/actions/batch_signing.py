"""A person signs up to 25 calls in one act: every call has its own record and its own signature.

Each call is looked at anew under its own lock, before and after the passkey: one that has
changed is left out with its sentence, and the others stand. Design 5; audit_security 2b step 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction

from oipsce_site.people.models import User
from oipsce_site.signing.core.refusals import Refused
from review.actions.proving import Proofs, prove_signer
from review.actions.proving import Signing as Proof
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.signing import (
    LIFE,
    Asked,
    Signed,
    Way,
    attest,
    begin_by_passkey,
    check_looked_at,
    fix_record,
    sign_fixed,
)
from review.core.signoff.batching import MOST_CALLS, batch_digest
from review.core.signoff.passkey import Assertion, check_assertion
from review.core.signoff.record import Meaning, decode_signoff
from review.models import Call, SigningIntent
from review.permissions import NotAllowed
from review.queries.passkeys import Passkey
from review.queries.reach import readable_sites

_GONE = "These signings were not begun here, or not by you. Look at the calls and begin again."
_LATE = "More than two minutes went by, so nothing was signed. Look at the calls and begin again."
_REFUSALS = (StaleSigning, UnableToSign, NotAllowed)


@dataclass(frozen=True, slots=True)
class Shown:
    """One call as the page showed it: its screen's digest and the number of its last decision."""

    call_id: UUID
    screen: str
    decisions: int


@dataclass(frozen=True, slots=True)
class AskedBatch:
    """What a signer asks for: which calls, in which meaning, in which session.

    `batch_id` is drawn for the form, so that it signs once however often it is sent.
    """

    meaning: Meaning
    calls: tuple[Shown, ...]
    session: str
    batch_id: UUID
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A call that was not signed with the others, and why."""

    call_id: UUID
    sentence: str


@dataclass(frozen=True, slots=True)
class BegunBatch:
    """Records that wait for one signature by one key, until `expires_at`."""

    batch_id: UUID
    digest: bytes
    key: Passkey
    expires_at: datetime
    calls: tuple[UUID, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class SignedBatch:
    """The signatures by call, and the calls that were left out."""

    signed: dict[UUID, Signed]
    left_out: tuple[LeftOut, ...]


def begin_signing_batch(
    *, asked: AskedBatch, passkey_id: int | None, password: str, by: User, at: datetime
) -> BegunBatch:
    """Fix the records of the calls that the person is about to sign with one of their passkeys.

    Raises UnableToSign with the field to correct, or StaleSigning where no call could be fixed.
    """
    _check_asked(asked, at)
    key, way = begin_by_passkey(asked.session, passkey_id, password, by, at)
    fixed, left_out = _fix_all(asked, replace(way, batch=asked.batch_id), by, at)
    digest = batch_digest(sorted(one.digest for one in fixed))
    calls = tuple(one.call_id for one in fixed)
    return BegunBatch(asked.batch_id, digest, key, at + LIFE, calls, left_out)


def sign_batch(
    *, batch_id: UUID, assertion: Assertion, session: str, by: User, at: datetime
) -> SignedBatch:
    """Sign the fixed records with the passkey's one answer, each call that still is what was fixed.

    The same batch twice signs once. Raises UnableToSign, or StaleSigning for a batch that
    expired or is another person's or session's; then nothing is signed.
    """
    intents = _own_intents(batch_id, session, by)
    if not intents:
        raise StaleSigning(_GONE)
    if all(one.used_at is None and at > one.expires_at for one in intents):
        raise StaleSigning(_LATE)
    digests = sorted(one.digest for one in intents)
    proof = Proof(
        assertion, batch_digest(digests), decode_signoff(bytes(intents[0].record)).key_digest
    )
    if any(one.used_at is not None for one in intents):
        _check_again(proof)
    else:
        prove_signer(proofs=Proofs(session, passkey=proof), by=by, at=at)
    return _sign_all(intents, replace(assertion, batch=tuple(digests)), by, at)


def sign_batch_attested(
    *, asked: AskedBatch, password: str, code: str, by: User, at: datetime
) -> SignedBatch:
    """Sign the calls with password and one-time code, which this server alone can vouch for.

    Raises as `begin_signing_batch` and `sign_batch` do.
    """
    known = _own_intents(asked.batch_id, asked.session, by)
    if any(one.used_at is not None for one in known):
        return _sign_all(known, None, by, at)
    _check_asked(asked, at)
    way = attest(asked.session, password, code, by, at)
    fixed, left_out = _fix_all(asked, replace(way, batch=asked.batch_id), by, at)
    done = _sign_all(fixed, None, by, at)
    return SignedBatch(done.signed, (*left_out, *done.left_out))


def _check_asked(asked: AskedBatch, at: datetime) -> None:
    if not asked.calls:
        raise UnableToSign("Choose at least one call.", "calls")
    if len({one.call_id for one in asked.calls}) != len(asked.calls):
        raise UnableToSign("A call was chosen twice. Load the page and choose again.", "calls")
    if len(asked.calls) > MOST_CALLS:
        raise UnableToSign(f"At most {MOST_CALLS} calls are signed in one act.", "calls")
    check_looked_at(asked.shown_at, at)


def _fix_all(
    asked: AskedBatch, way: Way, by: User, at: datetime
) -> tuple[list[SigningIntent], tuple[LeftOut, ...]]:
    """Fix one record after the other, always in the order of the calls' ids."""
    fixed: list[SigningIntent] = []
    left_out: list[LeftOut] = []
    for shown in sorted(asked.calls, key=lambda one: one.call_id):
        try:
            with transaction.atomic():
                fixed.append(fix_record(shown.call_id, _asked_for(asked, shown), way, by, at))
        except _REFUSALS as refusal:
            left_out.append(LeftOut(shown.call_id, str(refusal)))
    if not fixed:
        raise StaleSigning("None of the calls can be signed.", tuple(_sentences(left_out, by)))
    return fixed, tuple(left_out)


def _sentences(left_out: Sequence[LeftOut], by: User) -> Iterator[str]:
    """Yield why each was left out, of calls that are there for the person."""
    sites = readable_sites(by)
    known = Call.objects.filter(pk__in=[one.call_id for one in left_out], site__in=sites)
    names = dict(known.values_list("pk", "external_id"))
    for one in left_out:
        yield f"{names.get(one.call_id, 'A call')}: {one.sentence}"


def _asked_for(asked: AskedBatch, shown: Shown) -> Asked:
    return Asked(
        meaning=asked.meaning,
        screen=shown.screen,
        decisions=shown.decisions,
        session=asked.session,
        intent_id=uuid5(asked.batch_id, str(shown.call_id)),
        shown_at=asked.shown_at,
    )


def _own_intents(batch_id: UUID, session: str, by: User) -> list[SigningIntent]:
    own = SigningIntent.objects.filter(batch=batch_id, by=by, session=session)
    return list(own.order_by("call_id"))


def _check_again(proof: Proof) -> None:
    """Check an answer that has been counted: a batch whose server died is signed to its end."""
    try:
        check_assertion(proof.assertion, proof.digest, proof.key_digest)
    except Refused:
        raise UnableToSign("The passkey's answer does not sign these records.") from None


def _sign_all(
    intents: Sequence[SigningIntent], assertion: Assertion | None, by: User, at: datetime
) -> SignedBatch:
    signed: dict[UUID, Signed] = {}
    left_out: list[LeftOut] = []
    for intent in intents:
        try:
            with transaction.atomic():
                signed[intent.call_id] = sign_fixed(
                    intent.call_id, intent.pk, assertion, by, at, together=len(intents)
                )
        except _REFUSALS as refusal:
            left_out.append(LeftOut(intent.call_id, str(refusal)))
    return SignedBatch(signed, tuple(left_out))
