"""The one writer of the decision log.

A chain is named by the id of what it is about: a call, a catalog or a site (all random UUIDs, so
they never meet), or `ORGANISATION_CHAIN` for accounts, keys and policies. The first record of a
chain makes its genesis entry, number 0, which says what the chain is about; `record` then checks
every later call against it.

The chain's lock is held until the transaction ends. Take row locks first and record last; where one
act is recorded in two chains, the order is organisation, site, catalog, call, or two acts may
deadlock.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection

from oipsce_site import logs
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import (
    GENESIS,
    NONCE_BYTES,
    About,
    Actor,
    Entry,
    build_body,
    make_entry,
    microseconds,
)
from oipsce_site.ledger.models import StoredEntry

# uuid5(NAMESPACE_URL, "oip-sce:organisation"): fixed, because one installation is one organisation.
ORGANISATION_CHAIN: Final = UUID("4b5b4947-a531-5216-8486-18e105466034")


class UnableToRecord(Exception):
    """The log refused the record; the whole act must be rolled back."""


def record(
    *,
    chain_id: UUID,
    about: About,
    kind: str,
    by: Actor,
    at: datetime,
    facts: Mapping[str, Value] | None = None,
) -> Entry:
    """Append one entry to a chain, inside the transaction of the act that it tells of.

    `kind` is a short dotted name (``row.edit``); `facts` hold tokens, integers, flags and lists,
    never words from a call (see `commit_text`). `at` is a time with a zone; an entry is never
    earlier than the one before it: when the clock went back, the entry takes its elder's time and
    the fact ``stated_at_us`` keeps the time that was stated.

    Returns the entry as stored. Raises UnableToRecord outside an atomic block, for the kind
    genesis, or when the chain is about something else; RefusedFact and NotCanonical for what may
    not enter the log. Source: design 5, decision log; audit_security 2a.
    """
    if not connection.in_atomic_block:
        raise UnableToRecord(
            f"record {kind!r} in chain {chain_id}: no transaction is open; "
            "call record() inside the atomic block of the change that it records"
        )
    if kind == GENESIS:
        raise UnableToRecord(
            f"record in chain {chain_id}: a genesis is made by the first record; give another kind"
        )
    _lock_chain(chain_id)
    stated_us = microseconds(at)
    head = _load_head(chain_id)
    if head is None:
        head = _append(chain_id, None, stated_us, GENESIS, by, _genesis_facts(chain_id, about))
    else:
        _check_about(chain_id, about)
    at_us = max(stated_us, head.at_us)
    moved: dict[str, Value] = {} if at_us == stated_us else {"stated_at_us": stated_us}
    return _append(chain_id, head, at_us, kind, by, {**(facts or {}), **moved})


def new_nonce() -> bytes:
    """Return 32 random bytes for one commitment; store them beside the text, never in the log."""
    return secrets.token_bytes(NONCE_BYTES)


def _lock_chain(chain_id: UUID) -> None:
    # The lock that audit.verify() takes: who waits here reads the head that the winner wrote.
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_advisory_xact_lock(hashtextextended(%s::text, 7))", [str(chain_id)]
        )


def _load_head(chain_id: UUID) -> Entry | None:
    row = StoredEntry.objects.filter(chain_id=chain_id).order_by("-seq").first()
    return None if row is None else row.as_entry()


def _genesis_facts(chain_id: UUID, about: About) -> dict[str, Value]:
    if (about is About.ORGANISATION) != (chain_id == ORGANISATION_CHAIN):
        raise UnableToRecord(
            f"chain {chain_id}: the organisation has the chain {ORGANISATION_CHAIN} and no other"
        )
    return {"about": about.value, "id": str(chain_id)}


def _check_about(chain_id: UUID, about: About) -> None:
    genesis = StoredEntry.objects.values_list("body", flat=True).get(chain_id=chain_id, seq=0)
    facts = read_body(bytes(genesis))["facts"]
    named = facts.get("about") if isinstance(facts, dict) else None
    if named != about.value:
        raise UnableToRecord(
            f"chain {chain_id} is about a {named}, not about a {about.value}; "
            "pass the id of the object that the record is about"
        )


def _append(
    chain_id: UUID,
    head: Entry | None,
    at_us: int,
    kind: str,
    by: Actor,
    facts: Mapping[str, Value],
) -> Entry:
    body = build_body(
        kind=kind,
        by=by,
        request_id=logs.request_id.get(),
        build=getattr(settings, "APP_BUILD", "unknown"),
        facts=facts,
    )
    entry = make_entry(chain_id=chain_id, head=head, at_us=at_us, body=body)
    StoredEntry.objects.create(
        chain_id=entry.chain_id,
        seq=entry.seq,
        prev_hash=entry.prev_hash,
        at_us=entry.at_us,
        body=entry.body,
        entry_hash=entry.entry_hash,
    )
    return entry
