"""Read and verify the decision log."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from oipsce_site.ledger.core.chain import ChainFinding, verify_chain
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.models import StoredEntry


def entries_of(chain_id: UUID) -> Iterator[Entry]:
    """Yield the entries of one chain in order, a few thousand at a time."""
    rows = StoredEntry.objects.filter(chain_id=chain_id).order_by("seq")
    for row in rows.iterator(chunk_size=2000):
        yield row.as_entry()


def chain_ids() -> list[UUID]:
    """Return the id of every chain that has an entry, in order."""
    # Every chain, broken or not: asking for entry 0 only would hide a chain that lost it.
    return list(
        StoredEntry.objects.order_by("chain_id").values_list("chain_id", flat=True).distinct()
    )


def verify(chain_id: UUID) -> list[ChainFinding]:
    """Return what is wrong with one chain; an empty list means that it verifies."""
    return verify_chain(chain_id, entries_of(chain_id))
