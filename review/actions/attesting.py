"""An officer attests the counts of a site and period, and proves who they are as signers do.

An attestation is never changed; a later one of the same days supersedes it and names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
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
from review.actions.proving import Proofs, prove_signer
from review.actions.refused_signing import UnableToSign
from review.core.compliance.attestation import (
    STATEMENT,
    CannotAttest,
    Universe,
    check_universe,
    digest_of,
)
from review.models import Attestation
from review.oversight_permissions import check_can_oversee
from review.queries.attestations import count_universe


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
        # One at a time for a site: the number and what is superseded are of this moment.
        site = Site.objects.select_for_update().get(pk=wish.site.pk)
        universe = _check(wish, at)
        before = Attestation.objects.filter(site=site, first=wish.first, last=wish.last)
        last = before.order_by("-number").first()
        data = encode(_plain(universe, last, by, role, at))
        made = Attestation.objects.create(
            id=attestation_id,
            site=site,
            first=wish.first,
            last=wish.last,
            number=1 if last is None else last.number + 1,
            record=data,
            digest=digest_of(data),
            by=by,
            at=at,
        )
        _record(made, last, person(by, role), at)
    return made.digest


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
