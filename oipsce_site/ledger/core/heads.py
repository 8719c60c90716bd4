"""What a checkpoint commits to: heads of chains, one map of them per site, one map of the maps.

The tree's leaves are, checkpoint by checkpoint, the head of each chain that grew, then one leaf
over the maps of all sites as they are now. The last leaf of a checkpoint's tree is therefore its
maps, and a map that is shown with a proof at any other place is an old one. A site's map lists
*every* chain of the site, sorted: what is not on it was not there, and what is on it cannot be left
out of an audit unseen.

All are bytes behind a domain of their own: a head is chain (16), number (8) and hash (32); a site's
map is site (16), how many heads (8) and the root over them (32); the maps are the time in
microseconds (8), how many sites (8) and the root over them (32).

| code | what is refused |
| --- | --- |
| E-HEADS | heads that are not sorted, repeat, or are not those of the checkpoint |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from oipsce_site.ledger.core.merkle import Tree, included_root, leaf_hash, root_of
from oipsce_site.signing.core.refusals import require

HEAD_DOMAIN: Final = b"oip-sce/head/v1\0"
MAP_DOMAIN: Final = b"oip-sce/map/v1\0"
MAPS_DOMAIN: Final = b"oip-sce/maps/v1\0"


class Head(NamedTuple):
    """The last entry of a chain: its chain, number and hash."""

    chain_id: UUID
    seq: int
    entry_hash: bytes


@dataclass(frozen=True, slots=True)
class HeadsProof:
    """The way from a site's heads to a checkpoint: place and path among the sites' maps, when they
    were sealed, and the path of the last leaf of the tree.
    """

    sealed_at_us: int
    sites: int
    site_index: int
    site_path: tuple[bytes, ...]
    path: tuple[bytes, ...]


def head_leaf(head: Head) -> bytes:
    """Return the hash of a head's leaf."""
    number = head.seq.to_bytes(8, "big")
    return leaf_hash(HEAD_DOMAIN + head.chain_id.bytes + number + head.entry_hash)


def map_leaf(site_id: UUID, heads: Sequence[Head]) -> bytes:
    """Return the hash of a site's leaf among the maps; `heads` are sorted by chain."""
    root = root_of([head_leaf(head) for head in heads])
    return leaf_hash(MAP_DOMAIN + site_id.bytes + len(heads).to_bytes(8, "big") + root)


def maps_leaf(sealed_at_us: int, sites: int, root: bytes) -> bytes:
    """Return the hash of the leaf over all sites' maps."""
    return leaf_hash(
        MAPS_DOMAIN + sealed_at_us.to_bytes(8, "big") + sites.to_bytes(8, "big") + root
    )


def sort_heads(heads: Iterable[Head]) -> list[Head]:
    """Return heads in the order of their chains' ids, as maps hold them."""
    return sorted(heads, key=lambda head: head.chain_id.bytes)


def leaf_of_maps(maps: Mapping[UUID, Sequence[Head]], sealed_at_us: int) -> bytes:
    """Return the leaf that ends a checkpoint; `maps` are the sorted heads by site."""
    leaves = [map_leaf(site, maps[site]) for site in _sites(maps)]
    return maps_leaf(sealed_at_us, len(leaves), root_of(leaves))


def prove_heads(
    maps: Mapping[UUID, Sequence[Head]], site_id: UUID, sealed_at_us: int, path: Sequence[bytes]
) -> HeadsProof:
    """Return the proof for a site's heads; `path` is that of the tree's last leaf.

    Raises KeyError for a site without a chain.
    """
    sites = _sites(maps)
    if site_id not in maps:
        raise KeyError(site_id)
    at = sites.index(site_id)
    tree = Tree([map_leaf(site, maps[site]) for site in sites])
    return HeadsProof(
        sealed_at_us, len(sites), at, tuple(tree.inclusion(at, len(sites))), tuple(path)
    )


def check_heads(
    site_id: UUID, heads: Sequence[Head], proof: HeadsProof, size: int, root: bytes
) -> None:
    """Check that these are all heads of the site in the checkpoint (size, root). Raises Refused."""
    ids = [head.chain_id.bytes for head in heads]
    require(ids == sorted(set(ids)), "E-HEADS", "the heads are not sorted, or one is there twice")
    sites_root = included_root(
        proof.site_index, proof.sites, map_leaf(site_id, heads), proof.site_path
    )
    last = maps_leaf(proof.sealed_at_us, proof.sites, sites_root)
    found = included_root(size - 1, size, last, proof.path)
    require(found == root, "E-HEADS", "these are not the heads that the checkpoint commits to")


def _sites(maps: Mapping[UUID, Sequence[Head]]) -> list[UUID]:
    return sorted(maps, key=lambda site: site.bytes)
