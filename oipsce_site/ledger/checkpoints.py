"""The sealer: signed checkpoints over the heads of all chains (one writer, by advisory lock).

It refuses, and says why, rather than sign what it cannot stand for:

- the clocks of host and database disagree by more than five seconds, or time ran backwards;
- an entry is dated in the future;
- a sealed entry is gone from its chain or is another one now;
- the checkpoint that it remembers outside the database is not one of the database's: an older
  database was put in its place.

Sealing goes on by itself once a clock is set right. After a restore a person begins a new log
(`begin_new_log`), because a log never signs what does not follow from what it signed before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About, microseconds
from oipsce_site.ledger.core.heads import Head, head_leaf, leaf_of_maps, sort_heads
from oipsce_site.ledger.core.merkle import frontier_root, grow
from oipsce_site.ledger.core.sealed import Seal, SealFinding, origin_of
from oipsce_site.ledger.models import StoredCheckpoint, StoredLeaf
from oipsce_site.ledger.queries import epochs, last_seal, seal_of_size, verify_log
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.ledger.remembered import Memory, open_memory, read_note
from oipsce_site.rows import Row, insert_rows
from oipsce_site.signing.core.keyring import Keyring
from oipsce_site.signing.core.keys import Use
from oipsce_site.signing.core.note import Checkpoint, sign_checkpoint
from oipsce_site.signing.core.refusals import Refused
from oipsce_site.signing.store import KeyStore, open_store

EVERY: Final = timedelta(seconds=60)
MOST_SKEW: Final = timedelta(seconds=5)
SEALER: Final = "sealer"

#: Returns the site of each chain that belongs to one; others belong to the organisation.
Place = Callable[[Sequence[UUID]], Mapping[UUID, UUID]]


class UnableToSeal(Exception):
    """The sealer refuses to sign; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The last entry of a chain as it is now, with its time."""

    head: Head
    at_us: int


def seal_heads(
    *, place: Place, at: datetime, clock: Callable[[], datetime] | None = None
) -> Seal | None:
    """Seal the heads of all chains that grew since the last checkpoint; None when none did.

    Also None while another sealer is at it. `clock` tells the database's time. Raises UnableToSeal,
    or SigningKeyError without a usable log key.
    """
    store = open_store(at=at)
    memory = open_memory()
    with transaction.atomic():
        if not _is_alone():
            return None
        _check_clocks(at, (clock or _database_clock)())
        before = last_seal()
        _check_memory(before, memory, store.keyring())
        seal = _seal(before, before.epoch if before else 1, store, place, at)
    if seal is not None:
        memory.keep(seal.note)
    return seal


def begin_new_log(*, reason_code: str, place: Place, at: datetime) -> Seal:
    """Begin a new log after a restore, from the heads as they are, and remember that it was done.

    The organisation's chain says from where: the last checkpoint of the database and the one that
    was remembered. Raises UnableToSeal, SigningKeyError.
    """
    store = open_store(at=at)
    memory = open_memory()
    with transaction.atomic():
        if not _is_alone():
            raise UnableToSeal("a sealer is at work; try again")
        _check_clocks(at, _database_clock())
        before = last_seal()
        note = memory.note()
        remembered = None if note is None else _remembered(note, store.keyring())
        record(
            chain_id=ORGANISATION_CHAIN,
            about=About.ORGANISATION,
            kind="log.begin",
            by=worker(SEALER),
            at=at,
            facts={
                "reason": reason_code,
                "epoch": (before.epoch if before else 0) + 1,
                "last_size": before.size if before else None,
                "remembered_size": remembered.size if remembered else None,
                "remembered_log": remembered.origin if remembered else None,
            },
        )
        seal = _seal(None, _next_epoch(before, remembered), store, place, at)
    if seal is None:
        raise UnableToSeal("there is nothing to seal")
    memory.keep(seal.note)
    return seal


def verify_seals_here(*, at: datetime) -> list[SealFinding]:
    """Return what is wrong with the checkpoints of every log, and with what is remembered.

    Raises SigningKeyError without a keyring to verify by.
    """
    ring = open_store(at=at).keyring()
    found = [finding for epoch in epochs() for finding in verify_log(epoch, ring)]
    try:
        _check_memory(last_seal(), open_memory(), ring)
    except UnableToSeal as refusal:
        found.append(SealFinding("LOG-E026", "the remembered checkpoint", str(refusal)))
    return found


def is_due(at: datetime) -> bool:
    """Say whether the last checkpoint is older than a minute."""
    before = last_seal()
    return before is None or microseconds(at) - before.sealed_at_us >= EVERY // timedelta(
        microseconds=1
    )


def _next_epoch(before: Seal | None, remembered: Checkpoint | None) -> int:
    epochs = [before.epoch] if before else [0]
    if remembered is not None:
        number = remembered.origin.rpartition("/")[2]
        epochs.append(int(number) if number.isdecimal() else 0)
    return max(epochs) + 1


def _seal(
    before: Seal | None, epoch: int, store: KeyStore, place: Place, at: datetime
) -> Seal | None:
    at_us = microseconds(at)
    if before is not None and at_us < before.sealed_at_us:
        raise UnableToSeal(
            f"the last checkpoint is {(before.sealed_at_us - at_us) / 1e6:.0f} s in the future; "
            "set the clock right"
        )
    found = _read_heads()
    _check_times(found, at_us)
    sealed, known = _sealed_heads(epoch)
    changed = sort_heads(one.head for one in found if sealed.get(one.head.chain_id) != one.head)
    if before is not None:
        _check_sealed(epoch)
    if not changed:
        return None
    # A chain stays at its site: only those that grew are asked about.
    placed = {**known, **place([head.chain_id for head in changed])}
    return _append(before, epoch, changed, [one.head for one in found], placed, store, at)


def _append(  # noqa: PLR0913 - what one checkpoint is made of
    before: Seal | None,
    epoch: int,
    changed: Sequence[Head],
    heads: Sequence[Head],
    placed: Mapping[UUID, UUID],
    store: KeyStore,
    at: datetime,
) -> Seal:
    start = before.size if before else 0
    maps: dict[UUID, list[Head]] = {}
    for head in sort_heads(heads):
        maps.setdefault(placed.get(head.chain_id, ORGANISATION_CHAIN), []).append(head)
    rows: list[Row] = [
        _row(epoch, start + offset, head, placed.get(head.chain_id, ORGANISATION_CHAIN))
        for offset, head in enumerate(changed)
    ]
    maps_hash = leaf_of_maps(maps, microseconds(at))
    rows.append(_maps_row(epoch, start + len(rows), maps_hash))
    leaves = [*(head_leaf(head) for head in changed), maps_hash]
    frontier = grow(before.frontier if before else (), start, leaves)
    signer = store.signer(Use.LOG, at)
    checkpoint = Checkpoint(
        origin_of(store.keyring().log, epoch), start + len(leaves), frontier_root(frontier)
    )
    seal = Seal(
        epoch=epoch,
        size=checkpoint.size,
        root=checkpoint.root,
        frontier=tuple(frontier),
        sealed_at_us=microseconds(at),
        note=sign_checkpoint(checkpoint, signer.private),
    )
    insert_rows(StoredLeaf._meta.db_table, rows)
    insert_rows(
        StoredCheckpoint._meta.db_table,
        [
            {
                "epoch": seal.epoch,
                "size": seal.size,
                "root": seal.root,
                "frontier": b"".join(seal.frontier),
                "sealed_at_us": seal.sealed_at_us,
                "note": seal.note,
            }
        ],
    )
    return seal


def _row(epoch: int, position: int, head: Head, site_id: UUID) -> Row:
    return {
        "epoch": epoch,
        "position": position,
        "chain_id": head.chain_id,
        "site_id": site_id,
        "seq": head.seq,
        "entry_hash": head.entry_hash,
        "leaf_hash": head_leaf(head),
    }


def _maps_row(epoch: int, position: int, leaf_hash: bytes) -> Row:
    nothing = dict.fromkeys(("chain_id", "site_id", "seq", "entry_hash"))
    return {"epoch": epoch, "position": position, **nothing, "leaf_hash": leaf_hash}


def _is_alone() -> bool:
    """Take the sealers' lock until the transaction ends, or say that another one has it."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(hashtextextended('oip-sce/sealer', 7))")
        [taken] = cursor.fetchone()
    return bool(taken)


def _database_clock() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("select clock_timestamp()")
        [now] = cursor.fetchone()
    clock: datetime = now
    return clock


def _check_clocks(at: datetime, database: datetime) -> None:
    skew = abs(at - database)
    if skew > MOST_SKEW:
        raise UnableToSeal(
            f"the clocks of this machine and of the database are {skew.total_seconds():.0f} s "
            "apart; five are allowed. Set them right"
        )


def _check_times(found: Sequence[_Found], at_us: int) -> None:
    latest = max(found, key=lambda one: one.at_us, default=None)
    if latest is not None and latest.at_us - at_us > MOST_SKEW // timedelta(microseconds=1):
        raise UnableToSeal(
            f"chain {latest.head.chain_id}: entry {latest.head.seq} is dated "
            f"{(latest.at_us - at_us) / 1e6:.0f} s in the future; look at the clocks of all "
            "machines"
        )


def _check_memory(before: Seal | None, memory: Memory, ring: Keyring) -> None:
    note = memory.note()
    if note is None:
        return
    remembered = _remembered(note, ring)
    known = None if before is None else seal_of_size(before.epoch, remembered.size)
    if (
        before is None
        or known is None
        or known.root != remembered.root
        or origin_of(ring.log, before.epoch) != remembered.origin
    ):
        raise UnableToSeal(
            f"LOG-E026: checkpoint {remembered.size} of {remembered.origin} was signed here, and "
            "the database does not know it: an older database was put in its place. Find out what "
            "is lost (docs/audit.md), then begin a new log with `manage.py seal_log "
            "--begin-new-log REASON`"
        )


def _remembered(note: bytes, ring: Keyring) -> Checkpoint:
    keys = [key.public for key in ring.of_use(Use.LOG).values()]
    try:
        return read_note(note, keys)
    except Refused as refusal:
        raise UnableToSeal(f"{refusal.text}; restore the file, or begin a new log") from None


def _check_sealed(epoch: int) -> None:
    """Check that each sealed head is still the entry of its chain."""
    with connection.cursor() as cursor:
        cursor.execute(_LOST, [epoch])
        lost = cursor.fetchone()
    if lost is not None:
        raise UnableToSeal(
            f"LOG-E024: chain {lost[0]}: entry {lost[1]} was sealed and is another one now, or "
            "gone; the decision log was changed behind our back. Run `manage.py verify_chains`"
        )


def _sealed_heads(epoch: int) -> tuple[dict[UUID, Head], dict[UUID, UUID]]:
    """Return the sealed head of each chain, and the site that it was sealed under."""
    heads: dict[UUID, Head] = {}
    sites: dict[UUID, UUID] = {}
    with connection.cursor() as cursor:
        cursor.execute(_LATEST, [epoch])
        for chain, seq, own, site in cursor.fetchall():
            heads[chain] = Head(chain, seq, bytes(own))
            sites[chain] = site
    return heads, sites


def _read_heads() -> list[_Found]:
    with connection.cursor() as cursor:
        cursor.execute(_HEADS)
        return [
            _Found(Head(chain, seq, bytes(own)), at_us)
            for chain, seq, own, at_us in cursor.fetchall()
        ]


# From chain to chain by the index, and to the last entry of each; one statement sees one moment.
_HEADS: Final = """
with recursive chain(id) as (
  (select chain_id from audit.entry order by chain_id limit 1)
  union all
  select (select chain_id from audit.entry where chain_id > chain.id order by chain_id limit 1)
  from chain where chain.id is not null
)
select head.chain_id, head.seq, head.entry_hash, head.at_us from chain, lateral (
  select chain_id, seq, entry_hash, at_us from audit.entry
  where chain_id = chain.id order by seq desc limit 1
) as head
where chain.id is not null
"""
_LATEST: Final = """
select distinct on (chain_id) chain_id, seq, entry_hash, site_id from audit.leaf
where epoch = %s and chain_id is not null order by chain_id, position desc
"""
_LOST: Final = f"""
select sealed.chain_id, sealed.seq from ({_LATEST}) as sealed
left join audit.entry as entry on entry.chain_id = sealed.chain_id and entry.seq = sealed.seq
where entry.entry_hash is distinct from sealed.entry_hash limit 1
"""  # noqa: S608 - our own words
