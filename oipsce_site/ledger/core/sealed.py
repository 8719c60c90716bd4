"""Verify what was sealed: the tree, its checkpoints, and that the chains still are what they were.

| code | what is wrong |
| --- | --- |
| LOG-E020 | a leaf missing, repeated or out of order |
| LOG-E021 | a leaf whose hash is not the hash of its head |
| LOG-E022 | a checkpoint whose root is not that of the tree |
| LOG-E023 | a checkpoint that no log key of the keyring has signed |
| LOG-E024 | a sealed entry that is gone or another one: it was changed, or the chain was cut |
| LOG-E025 | a checkpoint whose maps are not those of its heads |
| LOG-E026 | the checkpoint that was remembered outside the database is not one of its own |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from oipsce_site.ledger.core.heads import Head, head_leaf, leaf_of_maps, sort_heads
from oipsce_site.ledger.core.merkle import frontier_root, grow
from oipsce_site.signing.core.note import Checkpoint, open_checkpoint
from oipsce_site.signing.core.refusals import Refused


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of the tree; without a head it stands for the maps of its checkpoint."""

    position: int
    head: Head | None
    site_id: UUID | None
    leaf_hash: bytes


@dataclass(frozen=True, slots=True)
class Seal:
    """One stored checkpoint with its note, and the frontier of the tree at its size."""

    epoch: int
    size: int
    root: bytes
    frontier: tuple[bytes, ...]
    sealed_at_us: int
    note: bytes


@dataclass(frozen=True, slots=True)
class SealFinding:
    """One thing wrong with the log of an epoch; `place` names a leaf, checkpoint or chain."""

    code: str
    place: str
    text: str


def origin_of(log: str, epoch: int) -> str:
    """Return the name of a log in its checkpoints.

    >>> origin_of("oip.example/log", 1)
    'oip.example/log/1'
    """
    return f"{log}/{epoch}"


def maps_of(leaves: Iterable[Leaf]) -> dict[UUID, list[Head]]:
    """Return the sorted heads of each site that the leaves add up to: the latest of each chain."""
    latest: dict[UUID, tuple[UUID, Head]] = {}
    for leaf in leaves:
        if leaf.head is not None and leaf.site_id is not None:
            latest[leaf.head.chain_id] = (leaf.site_id, leaf.head)
    maps: dict[UUID, list[Head]] = {}
    for site, head in latest.values():
        maps.setdefault(site, []).append(head)
    return {site: sort_heads(heads) for site, heads in maps.items()}


def verify_seals(
    seals: Sequence[Seal], leaves: Sequence[Leaf], *, log: str, log_keys: Sequence[bytes]
) -> Iterator[SealFinding]:
    """Yield what is wrong with the tree and the checkpoints of one epoch, in their order."""
    yield from _verify_leaves(leaves)
    frontier: list[bytes] = []
    size = 0
    for seal in seals:
        place = f"checkpoint {seal.size}"
        frontier = grow(frontier, size, [one.leaf_hash for one in leaves[size : seal.size]])
        size = seal.size
        if len(leaves) < size or frontier_root(frontier) != seal.root:
            yield SealFinding("LOG-E022", place, "its root is not that of the tree")
            return
        if not _is_signed(seal, log, log_keys):
            yield SealFinding("LOG-E023", place, "its note is not signed by a log key")
    if not seals:
        return
    maps = leaf_of_maps(maps_of(leaves[:size]), seals[-1].sealed_at_us)
    if leaves[size - 1].leaf_hash != maps:
        yield SealFinding("LOG-E025", f"checkpoint {size}", "its maps are not those of its heads")
    if len(leaves) > size:
        yield SealFinding("LOG-E020", f"leaf {size}", "leaves after the last checkpoint")


def verify_against_chains(
    leaves: Sequence[Leaf], entries: Mapping[tuple[UUID, int], bytes]
) -> Iterator[SealFinding]:
    """Yield the sealed heads that are no entries now; `entries` are hashes by chain and number."""
    for leaf in leaves:
        head = leaf.head
        if head is not None and entries.get((head.chain_id, head.seq)) != head.entry_hash:
            yield SealFinding(
                "LOG-E024",
                f"chain {head.chain_id}",
                f"entry {head.seq} was sealed and is another one now, or gone",
            )


def _verify_leaves(leaves: Sequence[Leaf]) -> Iterator[SealFinding]:
    for expected, leaf in enumerate(leaves):
        if leaf.position != expected:
            yield SealFinding(
                "LOG-E020", f"leaf {expected}", f"leaf {leaf.position} was found in its place"
            )
            return
        if leaf.head is not None and head_leaf(leaf.head) != leaf.leaf_hash:
            yield SealFinding(
                "LOG-E021", f"leaf {expected}", "its hash is not the hash of its head"
            )


def _is_signed(seal: Seal, log: str, log_keys: Sequence[bytes]) -> bool:
    said = Checkpoint(origin_of(log, seal.epoch), seal.size, seal.root)
    for key in log_keys:
        try:
            if open_checkpoint(seal.note, said.origin, key, "it") == said:
                return True
        except Refused:
            continue
    return False
