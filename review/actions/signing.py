"""A person signs one review of one call: first what they are about to sign is fixed, then signed.

By passkey these are two acts, because the key signs the record that the first one fixed. By
password and one-time code they are one. Design 5; audit_security 2b.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from catalogs.queries import document_of
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import new_nonce, record
from oipsce_site.people.matrix import Act, role_may
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.drawing import draw_signed
from review.actions.holds import drop_hold
from review.actions.proving import Proofs, Signing, prove_signer
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.revising import Reviser
from review.actions.signed_content import seal_inputs, unseal_input_values
from review.actions.signed_lines import keep_signed_line
from review.actions.signing_state import LockedReview, lock_to_sign, read_review, what_changed
from review.actions.voiding import end_signature
from review.core.signoff.pace import TOO_FAST, is_too_fast
from review.core.signoff.passkey import Assertion, assertion_to_json
from review.core.signoff.record import (
    SIGN,
    Component,
    Meaning,
    Signer,
    Voided,
    decode_signoff,
    encode_signoff,
    sign_facts,
    signoff_digest,
)
from review.core.signoff.record import SignOff as SignOffValue
from review.core.signoff.screen import screen_digest
from review.models import Call, SigningIntent, SignOff, State
from review.permissions import check_can_sign
from review.queries.passkeys import Passkey, passkeys_of
from review.queries.signing import signs_on

#: How long a person may take between fixing a record and signing it.
LIFE = timedelta(seconds=120)
_GONE = "This signing was not begun here, or not by you. Look at the call and begin again."
_LATE = "More than two minutes went by, so nothing was signed. Look at the call and begin again."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a signer asks for: in which meaning, over which screen, in which session.

    `intent_id` is drawn for the form, so that it signs once however often it is sent. `screen` and
    `decisions` are what the page carried: its digest, and the number of the last decision on it.
    `shown_at` is when the server made that page.
    """

    meaning: Meaning
    screen: str
    decisions: int
    session: str
    intent_id: UUID
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class Begun:
    """A record that waits for its signature by one key, until `expires_at`."""

    intent_id: UUID
    digest: bytes
    key: Passkey
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature: its number within the call, its digest; `again` when its form came before."""

    number: int
    digest: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """How a signer proves who they are, and the batch that they sign (None: one call)."""

    components: tuple[Component, ...]
    first: bool
    key_digest: str
    batch: UUID | None = None


def begin_signing(
    *,
    call_id: UUID,
    asked: Asked,
    passkey_id: int | None,
    password: str,
    by: User,
    at: datetime,
) -> Begun:
    """Fix the record that the person is about to sign with one of their passkeys.

    The first signature of a session needs the password too, later ones do not (11.200). Raises
    NotAllowed, UnableToSign with the field to correct, or StaleSigning for a screen that is no
    longer the call.
    """
    _check_may_sign(call_id, by)
    check_looked_at(asked.shown_at, at)
    key, way = begin_by_passkey(asked.session, passkey_id, password, by, at)
    with transaction.atomic():
        fixed = fix_record(call_id, asked, way, by, at)
    return Begun(asked.intent_id, bytes.fromhex(fixed.digest), key, fixed.expires_at)


def begin_by_passkey(
    session: str, passkey_id: int | None, password: str, signer: User, at: datetime
) -> tuple[Passkey, Way]:
    """Return the key that will be asked, once the password was right where one is needed.

    Raises UnableToSign with the field to correct.
    """
    key = next((one for one in passkeys_of(signer) if passkey_id in (None, one.id)), None)
    if key is None:
        raise UnableToSign("You have no such passkey. Choose another one.", "passkey")
    first = not signs_on(signer, session, at)
    if first:
        prove_signer(proofs=Proofs(session, password=password), by=signer, at=at)
    components = (Component.PASSWORD, Component.PASSKEY) if first else (Component.PASSKEY,)
    return key, Way(components, first, key.key_digest)


def attest(session: str, password: str, code: str, signer: User, at: datetime) -> Way:
    """Return the way of password and code, once both were right. Raises UnableToSign."""
    prove_signer(proofs=Proofs(session, password=password, code=code), by=signer, at=at)
    first = not signs_on(signer, session, at)
    return Way((Component.PASSWORD, Component.TOTP), first, "")


def sign_call(
    *, call_id: UUID, intent_id: UUID, assertion: Assertion, session: str, by: User, at: datetime
) -> Signed:
    """Sign the fixed record with the passkey's answer, if the call still is what was fixed.

    The same intent twice signs once, and its second form is answered with the first signature.
    Raises NotAllowed, UnableToSign, or StaleSigning for an intent that is spent, expired or another
    person's or session's, and for a call that changed; then nothing is signed.
    """
    _check_may_sign(call_id, by)
    intent = _own_intent(call_id, intent_id, session, by)
    again = _signed_before(intent)
    if again is not None:
        return again
    _check_in_time(intent, at)
    made = decode_signoff(bytes(intent.record))
    signing = Signing(assertion, bytes.fromhex(intent.digest), made.key_digest)
    prove_signer(proofs=Proofs(session, passkey=signing), by=by, at=at)
    with transaction.atomic():
        return sign_fixed(call_id, intent_id, assertion, by, at)


def sign_attested(
    *,
    call_id: UUID,
    asked: Asked,
    password: str,
    code: str,
    by: User,
    at: datetime,
) -> Signed:
    """Sign with password and one-time code, which this server alone can vouch for.

    Raises as `begin_signing` and `sign_call` do.
    """
    _check_may_sign(call_id, by)
    known = SigningIntent.objects.filter(pk=asked.intent_id, by=by, session=asked.session).first()
    again = None if known is None else _signed_before(known)
    if again is not None:
        return again
    check_looked_at(asked.shown_at, at)
    way = attest(asked.session, password, code, by, at)
    with transaction.atomic():
        fix_record(call_id, asked, way, by, at)
        return sign_fixed(call_id, asked.intent_id, None, by, at)


def check_looked_at(shown_at: datetime, at: datetime) -> None:
    """Check that a person can have seen the page that they signed. Raises UnableToSign."""
    if is_too_fast(shown_at, at):
        raise UnableToSign(TOO_FAST)


def _check_may_sign(call_id: UUID, by: User) -> None:
    site_id = Call.objects.values_list("site_id", flat=True).filter(pk=call_id).first()
    if site_id is None:
        raise UnableToSign("There is no such call.")
    check_can_sign(by, Site(pk=site_id))


def fix_record(call_id: UUID, asked: Asked, way: Way, signer: User, at: datetime) -> SigningIntent:
    """Store what is about to be signed, under the lock of the call; inside a transaction."""
    role, review = _lock_to_sign(call_id, signer, at, together=way.batch is not None)
    _check_new(asked.intent_id)
    if screen_digest(review.content) != asked.screen:
        raise StaleSigning(
            "The call changed since this page was made, so nothing is signed.",
            what_changed(review.folded, asked.decisions),
        )
    made = SignOffValue(
        content=review.content,
        signer=Signer(str(signer.pk), signer.printed_name, role.value),
        meaning=asked.meaning,
        at=at,
        authenticated_at=at,
        components=way.components,
        first_in_session=way.first,
        key_digest=way.key_digest,
        nonce=new_nonce(),
    )
    data = encode_signoff(made)
    number = SignOff.objects.filter(call=review.stored).count() + 1
    intent = SigningIntent.objects.create(
        id=asked.intent_id,
        call=review.stored,
        by=signer,
        session=asked.session,
        batch=way.batch,
        number=number,
        evaluation=review.evaluation,
        record=data,
        digest=signoff_digest(data).hex(),
        sealed_inputs=seal_inputs(review.stored, number, review.inputs),
        at=at,
        expires_at=at + LIFE,
    )
    record(
        chain_id=review.stored.pk,
        about=About.CALL,
        kind="call.sign_begin",
        by=person(signer, role),
        at=at,
        facts={"record_digest": intent.digest, "meaning": asked.meaning.value, **_batch_of(way)},
    )
    return intent


def _batch_of(way: Way) -> dict[str, Value]:
    return {} if way.batch is None else {"batch": str(way.batch)}


def _lock_to_sign(
    call_id: UUID, by: User, at: datetime, *, together: bool
) -> tuple[Role, LockedReview]:
    """Return the role and the locked review of who may sign it now. Raises UnableToSign."""
    review = read_review(lock_to_sign(call_id))
    _check_unsigned(review.stored)
    role = check_can_sign(by, review.stored.site)
    _check_clear(review, by, role, at, together=together)
    return role, review


def _check_clear(
    review: LockedReview, by: User, role: Role, at: datetime, *, together: bool
) -> None:
    senior = role_may(Act.SETTLE_DOUBTS, role)
    obstacles = review.obstacles(by, senior=senior, at=at, together=together)
    if obstacles:
        raise UnableToSign(obstacles[0].sentence)


def _check_new(intent_id: UUID) -> None:
    if SigningIntent.objects.filter(pk=intent_id).exists():
        raise StaleSigning(_GONE)


def _check_unsigned(stored: Call) -> None:
    if stored.state != State.SIGNED:
        return
    signer = SignOff.objects.filter(call=stored, void_at=None).select_related("by").first()
    who = "somebody" if signer is None else signer.by.printed_name
    raise StaleSigning(f"Meanwhile {who} signed the call, so your signature was not added.")


def _own_intent(call_id: UUID, intent_id: UUID, session: str, by: User) -> SigningIntent:
    own = SigningIntent.objects.filter(pk=intent_id, call=call_id, by=by, session=session).first()
    if own is None:
        raise StaleSigning(_GONE)
    return own


def _signed_before(intent: SigningIntent) -> Signed | None:
    if intent.used_at is None:
        return None
    signed = SignOff.objects.get(digest=intent.digest)
    return Signed(signed.number, signed.digest, again=True)


def _check_in_time(intent: SigningIntent, at: datetime) -> None:
    if at > intent.expires_at:
        raise StaleSigning(_LATE)


def sign_fixed(
    call_id: UUID,
    intent_id: UUID,
    assertion: Assertion | None,
    signer: User,
    at: datetime,
    *,
    together: int = 1,
) -> Signed:
    """Sign under the lock of the call: the same content, an unused intent, one signature.

    Inside a transaction. Raises StaleSigning, UnableToSign or NotAllowed.
    """
    stored = lock_to_sign(call_id)
    intent = SigningIntent.objects.select_related("evaluation").get(pk=intent_id)
    again = _signed_before(intent)
    if again is not None:
        return again
    data = bytes(intent.record)
    made = decode_signoff(data)
    role = _check_as_fixed(stored, intent, made, signer, at)
    unused = SigningIntent.objects.filter(pk=intent_id, used_at=None, expires_at__gte=at)
    if unused.update(used_at=at) != 1:
        raise StaleSigning(_LATE)
    actor = person(signer, role)
    # A review that was reopened and changed nothing ends the signature that it renews.
    end_signature(stored, Voided.REOPENED, Reviser(signer, actor, at))
    stored.state = State.SIGNED
    stored.save(update_fields=["state"])
    drop_hold(stored)
    facts = sign_facts(data, made)
    entry = record(chain_id=stored.pk, about=About.CALL, kind=SIGN, by=actor, at=at, facts=facts)
    signed = SignOff.objects.create(
        call=stored,
        number=intent.number,
        review=made.content.review,
        evaluation=intent.evaluation,
        record=data,
        digest=intent.digest,
        assertion=None if assertion is None else assertion_to_json(assertion),
        together=together,
        sealed_inputs=bytes(intent.sealed_inputs),
        seq=entry.seq,
        by=signer,
        at=at,
    )
    draw_signed(stored, document_of(made.content.catalog_digest), actor, at)
    keep_signed_line(stored, signed)
    return Signed(intent.number, intent.digest)


def _check_as_fixed(
    stored: Call, intent: SigningIntent, made: SignOffValue, by: User, at: datetime
) -> Role:
    """Check that the call still is what was fixed, and the person still who may sign it."""
    then = made.content
    _check_unsigned(stored)
    review = read_review(stored)
    role = check_can_sign(by, stored.site)
    values = {(one.kind, one.name): one.value for one in review.inputs}
    same = screen_digest(review.content) == screen_digest(then)
    if not same or values != unseal_input_values(
        stored, intent.number, bytes(intent.sealed_inputs)
    ):
        raise StaleSigning(
            "The call changed while you were signing, so nothing is signed.",
            what_changed(review.folded, then.decisions),
        )
    if role.value != made.signer.role or by.printed_name != made.signer.printed_name:
        raise StaleSigning("Your name or role changed meanwhile. Begin again.")
    _check_clear(review, by, role, at, together=intent.batch is not None)
    return role
