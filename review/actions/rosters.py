"""Rosters: who signs at a site and by which passkeys, confirmed by the root key at a ceremony."""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path

from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Membership, Site
from oipsce_site.signing.store import KeyStore
from review.core.audit.roster import ListedSigner, RoleHeld, Roster, sign_roster
from review.core.signoff.record import SIGNING_ROLES, decode_signoff
from review.models import SignOff
from review.queries.passkeys import passkeys_of


def sign_site_roster(
    *, site: Site, store: KeyStore, root_file: Path | None, by: str, at: datetime
) -> Path:
    """Have the root key confirm who signs at a site; returns where the roster is.

    It lists every role of signing that was ever held there, the passkeys of now, and those that a
    signature of the site was made with. Raises SigningKeyError.
    """
    root = store.root_key(root_file)
    with transaction.atomic():
        roster = Roster(str(site.pk), at, {one.id: one for one in _signers(site)})
        data = sign_roster(roster, root)
        record(
            chain_id=site.pk,
            about=About.SITE,
            kind="key.roster",
            by=worker(by),
            at=at,
            facts={
                "digest": hashlib.sha256(data).hexdigest(),
                "signers": len(roster.signers),
            },
        )
        return store.put_roster(str(site.pk), data)


def _signers(site: Site) -> list[ListedSigner]:
    held = Membership.objects.filter(site=site, role__in=SIGNING_ROLES).select_related("user")
    people = {one.user_id: one.user for one in held}
    used: dict[str, set[str]] = {}
    signed = SignOff.objects.filter(call__site=site).values_list("record", flat=True)
    for stored in signed.iterator(chunk_size=500):
        made = decode_signoff(bytes(stored))
        used.setdefault(made.signer.id, set()).add(made.key_digest)
    return [
        ListedSigner(
            str(user_id),
            person.printed_name,
            tuple(
                RoleHeld(one.role, one.granted_at, one.revoked_at)
                for one in held
                if one.user_id == user_id
            ),
            tuple(
                sorted(
                    {key.key_digest for key in passkeys_of(person)}
                    | (used.get(str(user_id), set()) - {""})
                )
            ),
        )
        for user_id, person in people.items()
    ]
