"""Read and verify the decision log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db import connection

from oipsce_site.ledger.core.chain import ChainFinding, verify_chain
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.core.sealed import (
    Leaf,
    Seal,
    SealFinding,
    verify_against_chains,
    verify_seals,
)
from oipsce_site.ledger.models import StoredCheckpoint, StoredEntry, StoredLeaf
from oipsce_site.signing.core.keyring import Keyring
from oipsce_site.signing.core.keys import Use


def entries_of(chain_id: UUID) -> Iterator[Entry]:
    """Yield the entries of one chain in order, a few thousand at a time."""
    rows = StoredEntry.objects.filter(chain_id=chain_id).order_by("seq")
    for row in rows.iterator(chunk_size=2000):
        yield row.as_entry()


def entries_up_to(last: Mapping[UUID, int]) -> dict[UUID, list[Entry]]:
    """Return chains, each in order up to the entry of this number, by one query."""
    entries: dict[UUID, list[Entry]] = {chain_id: [] for chain_id in last}
    for row in StoredEntry.objects.filter(chain_id__in=list(last)).order_by("chain_id", "seq"):
        if row.seq <= last[row.chain_id]:
            entries[row.chain_id].append(row.as_entry())
    return entries


def chain_ids() -> list[UUID]:
    """Return the id of every chain that has an entry, in order."""
    # Every chain, broken or not: asking for entry 0 only would hide a chain that lost it.
    return list(
        StoredEntry.objects.order_by("chain_id").values_list("chain_id", flat=True).distinct()
    )


def verify(chain_id: UUID) -> list[ChainFinding]:
    """Return what is wrong with one chain; an empty list means that it verifies."""
    return verify_chain(chain_id, entries_of(chain_id))


def last_seal() -> Seal | None:
    """Return the latest checkpoint of the current log; None where nothing was sealed."""
    found = StoredCheckpoint.objects.order_by("-epoch", "-size").first()
    return None if found is None else found.as_seal()


def seal_of_size(epoch: int, size: int) -> Seal | None:
    """Return the checkpoint of this size; None where there is none."""
    found = StoredCheckpoint.objects.filter(epoch=epoch, size=size).first()
    return None if found is None else found.as_seal()


def seals_of(epoch: int) -> list[Seal]:
    """Return every checkpoint of a log, from the first on."""
    return [one.as_seal() for one in StoredCheckpoint.objects.filter(epoch=epoch).order_by("size")]


def epochs() -> list[int]:
    """Return the numbers of the logs that were begun."""
    found = StoredCheckpoint.objects.order_by("epoch").values_list("epoch", flat=True)
    return list(found.distinct())


def leaves_of(epoch: int, size: int | None = None) -> list[Leaf]:
    """Return the leaves of a log in their order; of its first `size` ones where given."""
    found = StoredLeaf.objects.filter(epoch=epoch)
    if size is not None:
        found = found.filter(position__lt=size)
    return [one.as_leaf() for one in found.order_by("position").iterator(chunk_size=5000)]


def verify_log(epoch: int, ring: Keyring) -> list[SealFinding]:
    """Return what is wrong with the tree and checkpoints of one log, by these public keys."""
    leaves = leaves_of(epoch)
    keys = [key.public for key in ring.of_use(Use.LOG).values()]
    found = list(verify_seals(seals_of(epoch), leaves, log=ring.log, log_keys=keys))
    return [*found, *verify_against_chains(leaves, _hashes_of(epoch))]


def _hashes_of(epoch: int) -> dict[tuple[UUID, int], bytes]:
    """Return the hashes of the entries that were sealed, as they are now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select e.chain_id, e.seq, e.entry_hash from audit.leaf l"
            " join audit.entry e on e.chain_id = l.chain_id and e.seq = l.seq"
            " where l.epoch = %s",
            [epoch],
        )
        return {(chain, seq): bytes(own) for chain, seq, own in cursor.fetchall()}
