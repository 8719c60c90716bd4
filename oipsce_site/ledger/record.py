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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    STATED,
    About,
    Actor,
    Entry,
    build_body,
    make_entry,
    microseconds,
)
from oipsce_site.ledger.models import StoredEntry
from oipsce_site.rows import Row, insert_rows

# uuid5(NAMESPACE_URL, "oip-sce:organisation"): fixed, because one installation is one organisation.
ORGANISATION_CHAIN: Final = UUID("4b5b4947-a531-5216-8486-18e105466034")


class UnableToRecord(Exception):
    """The log refused the record; the whole act must be rolled back."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act to be recorded: in which chain, what was done, by whom, and the facts of it."""

    chain_id: UUID
    about: About
    kind: str
    by: Actor
    facts: Mapping[str, Value]


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
    return record_all([Act(chain_id, about, kind, by, facts or {})], at=at)[-1]


def record_all(acts: Sequence[Act], *, at: datetime) -> list[Entry]:
    """Append one entry for each act, in their order: three statements, however many acts.

    Returns every entry that was written: those of the acts and, before the first of a new chain,
    its genesis. Raises as `record` does; then nothing is written.
    """
    for act in acts:
        _check_act(act)
    stated_us = microseconds(at)
    heads = _lock_heads(acts)
    written: list[Entry] = []
    for act in acts:
        head = heads.get(act.chain_id)
        if head is None:
            written.append(_follow(None, stated_us, act, GENESIS, _genesis_facts(act)))
            head = written[-1]
        at_us = max(stated_us, head.at_us)
        moved: dict[str, Value] = {} if at_us == stated_us else {STATED: stated_us}
        written.append(_follow(head, at_us, act, act.kind, {**act.facts, **moved}))
        heads[act.chain_id] = written[-1]
    insert_rows(StoredEntry._meta.db_table, [_row(entry) for entry in written])
    return written


def new_nonce() -> bytes:
    """Return 32 random bytes for one commitment; store them beside the text, never in the log."""
    return secrets.token_bytes(NONCE_BYTES)


def new_nonces(count: int) -> list[bytes]:
    """Return what as many calls of `new_nonce` do, drawn from the system at once."""
    drawn = secrets.token_bytes(NONCE_BYTES * count)
    return [drawn[at : at + NONCE_BYTES] for at in range(0, len(drawn), NONCE_BYTES)]


def _check_act(act: Act) -> None:
    if not connection.in_atomic_block:
        raise UnableToRecord(
            f"record {act.kind!r} in chain {act.chain_id}: no transaction is open; "
            "call record() inside the atomic block of the change that it records"
        )
    if act.kind == GENESIS:
        raise UnableToRecord(
            f"record in chain {act.chain_id}: a genesis is made by the first record; "
            "give another kind"
        )


def _lock_heads(acts: Sequence[Act]) -> dict[UUID, Entry]:
    """Lock the chains of the acts and return the last entry of each that has one."""
    about = {act.chain_id: act.about for act in acts}
    chains = sorted(about, key=lambda chain: (_LOCK_ORDER.index(about[chain]), chain))
    # The lock that audit.verify() takes: who waits here reads the head that the winner wrote.
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_advisory_xact_lock(hashtextextended(chain::text, 7)) "
            "from unnest(%s::uuid[]) as chain",
            [chains],
        )
        cursor.execute(_ENDS, [chains, chains])
        found = [Entry(*row) for row in cursor.fetchall()]
    ends: dict[UUID, list[Entry]] = {}
    for entry in found:
        ends.setdefault(entry.chain_id, []).append(entry)
    for chain, entries in ends.items():
        _check_about(entries[0], about[chain])
    return {chain: entries[-1] for chain, entries in ends.items()}


# One index look-up at each end of each chain; a chain of one entry gives that entry alone.
_ENDS: Final = """
select entry.* from unnest(%s::uuid[]) as chain, lateral (
  select chain_id, seq, prev_hash, at_us, body, entry_hash
  from audit.entry where chain_id = chain and seq = 0) as entry
union
select entry.* from unnest(%s::uuid[]) as chain, lateral (
  select chain_id, seq, prev_hash, at_us, body, entry_hash
  from audit.entry where chain_id = chain order by seq desc limit 1) as entry
order by chain_id, seq
"""
_LOCK_ORDER: Final = (About.ORGANISATION, About.SITE, About.CATALOG, About.CALL)


def _genesis_facts(act: Act) -> dict[str, Value]:
    if (act.about is About.ORGANISATION) != (act.chain_id == ORGANISATION_CHAIN):
        raise UnableToRecord(
            f"chain {act.chain_id}: the organisation has the chain {ORGANISATION_CHAIN} "
            "and no other"
        )
    return {"about": act.about.value, "id": str(act.chain_id)}


def _check_about(genesis: Entry, about: About) -> None:
    facts = read_body(genesis.body)["facts"]
    named = facts.get("about") if isinstance(facts, dict) else None
    if named != about.value:
        raise UnableToRecord(
            f"chain {genesis.chain_id} is about a {named}, not about a {about.value}; "
            "pass the id of the object that the record is about"
        )


def _follow(
    head: Entry | None, at_us: int, act: Act, kind: str, facts: Mapping[str, Value]
) -> Entry:
    body = build_body(
        kind=kind,
        by=act.by,
        request_id=logs.request_id.get(),
        build=getattr(settings, "APP_BUILD", "unknown"),
        facts=facts,
    )
    return make_entry(chain_id=act.chain_id, head=head, at_us=at_us, body=body)


def _row(entry: Entry) -> Row:
    return {
        "chain_id": entry.chain_id,
        "seq": entry.seq,
        "prev_hash": entry.prev_hash,
        "at_us": entry.at_us,
        "body": entry.body,
        "entry_hash": entry.entry_hash,
    }
