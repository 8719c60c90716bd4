"""A signer proves who they are: password, one-time code, passkey. What fails is counted and told.

The count is committed by itself: it stands although the signing that it was for is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from oipsce_site.ledger.actors import oneself
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.people.models import User
from oipsce_site.signing.core.refusals import Refused
from review.actions.refused_signing import UnableToSign
from review.core.signoff.passkey import Assertion, check_assertion
from review.core.signoff.throttle import is_alert, suspended_until
from review.forms.signing import PasskeyAnswer
from review.models import ProofKind, SigningIntent, SigningProof
from review.presenters.ceremony import read_answer
from review.queries.passkeys import passkeys_of, step_of_code
from review.queries.signing import failures_in_a_row

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Signing:
    """A passkey's answer, and the record and the key that it was asked for."""

    assertion: Assertion
    digest: bytes
    key_digest: str


@dataclass(frozen=True, slots=True)
class Proofs:
    """What a signer has given in one session; None was not asked for."""

    session: str
    password: str | None = None
    code: str | None = None
    passkey: Signing | None = None


_SENTENCES = {
    ProofKind.PASSWORD: ("This is not your password.", "password"),
    ProofKind.TOTP: (
        "This code is wrong, or was used before. Wait for the next one and type it.",
        "code",
    ),
    ProofKind.PASSKEY: ("The passkey's answer does not sign this record.", ""),
}


def own_assertion(answer: PasskeyAnswer, *, signer: User, page: str) -> Assertion:
    """Return what one of the signer's passkeys answered for a page of ours, by the page's origin.

    Raises UnableToSign where the passkey is none of theirs.
    """
    given = (answer.authenticator_data, answer.client_data, answer.signature)
    for key in passkeys_of(signer):
        if key.credential_id == answer.credential_id:
            return read_answer(key, given, page=page)
    raise UnableToSign("This passkey is not one of yours. Begin again with your own.")


def prove_signer(*, proofs: Proofs, by: User, at: datetime) -> None:
    """Check everything that was given, under a lock on the person, and keep what came of it.

    Raises UnableToSign for the first that is wrong, with its field, and while signing is suspended:
    five failures in a row suspend it for fifteen minutes, the third and every further one are told
    to security.
    """
    refusal = None
    with transaction.atomic(durable=True):
        locked = User.objects.select_for_update().get(pk=by.pk)
        _check_not_suspended(locked, at)
        tried = _try_all(proofs, locked, at)
        for kind, found in tried.items():
            _keep(kind, found, proofs.session, locked, at)
        wrong = [kind for kind, found in tried.items() if found is None]
        if wrong:
            _tell(wrong, locked, at)
            refusal = UnableToSign(*_SENTENCES[wrong[0]])
    if refusal is not None:
        raise refusal


def _check_not_suspended(person: User, at: datetime) -> None:
    until = suspended_until(failures_in_a_row(person))
    if until is not None and at < until:
        raise UnableToSign(
            "Signing is suspended for you after five wrong proofs of who you are, until "
            f"{until:%H:%M} UTC. If they were not yours, tell your administrator now."
        )


def _try_all(proofs: Proofs, person: User, at: datetime) -> dict[ProofKind, dict[str, Any] | None]:
    """Return what each proof leaves in its row; None for a wrong one."""
    tried: dict[ProofKind, dict[str, Any] | None] = {}
    if proofs.password is not None:
        tried[ProofKind.PASSWORD] = {} if person.check_password(proofs.password) else None
    if proofs.code is not None:
        step = step_of_code(person, proofs.code, at)
        used = SigningProof.objects.filter(by=person, step=step)
        tried[ProofKind.TOTP] = None if step is None or used.exists() else {"step": step}
    if proofs.passkey is not None:
        tried[ProofKind.PASSKEY] = _try_passkey(proofs.passkey, proofs.session, person)
    if None in tried.values():
        # A right code beside a wrong password is not spent, and ends no row of failures.
        return {kind: found for kind, found in tried.items() if found is None}
    return tried


def _try_passkey(signing: Signing, session: str, person: User) -> dict[str, Any] | None:
    assertion = signing.assertion
    try:
        check_assertion(assertion, signing.digest, signing.key_digest)
    except Refused:
        return None
    counter = int.from_bytes(assertion.authenticator_data[33:37], "big")
    before = SigningProof.objects.filter(by=person, key_digest=signing.key_digest, right=True)
    last = before.order_by("-counter", "-id").first()
    known = 0 if last is None else last.counter or 0
    # Who counts at all never counts back: a copy of the key would.
    if known and (counter < known or (counter == known and not _was_lost(last, session))):
        return None
    return {"key_digest": signing.key_digest, "counter": counter}


def _was_lost(proof: SigningProof | None, session: str) -> bool:
    """Say whether a proof of this session signed nothing: its form may come again, after a crash.

    What is signed with a proof is signed at the proof's own time.
    """
    if proof is None or proof.session != session:
        return False
    used = SigningIntent.objects.filter(by=proof.by_id, session=session, used_at=proof.at)
    return not used.exists()


def _keep(
    kind: ProofKind, found: Mapping[str, Any] | None, session: str, person: User, at: datetime
) -> None:
    SigningProof.objects.create(
        by=person, session=session, kind=kind, right=found is not None, at=at, **(found or {})
    )


def _tell(wrong: list[ProofKind], person: User, at: datetime) -> None:
    failures = failures_in_a_row(person)
    suspended = suspended_until(failures)
    record(
        chain_id=ORGANISATION_CHAIN,
        about=About.ORGANISATION,
        kind="signing.refuse",
        by=oneself(person),
        at=at,
        facts={
            "proofs": [kind.value.lower() for kind in wrong],
            "failures": len(failures),
            "alert": is_alert(len(failures)),
            "suspended": suspended is not None and at < suspended,
        },
    )
    if is_alert(len(failures)):
        facts = {"person": str(person.pk), "failures": len(failures)}
        logger.warning("proofs of identity fail at signing", extra=facts)
