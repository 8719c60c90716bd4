"""The Merkle tree of RFC 6962 and 9162: roots, proofs, and what a proof shows.

A leaf is hashed behind a zero byte and a node behind a one, so no leaf can pass for a node. The
root of a tree that grows can be made from its *frontier*: the roots of its complete subtrees, from
the largest to the smallest, one for each bit of its size.

| code | what is refused |
| --- | --- |
| E-PROOF | a proof of inclusion that is too long, too short, or of no such place |
| E-CONSISTENCY | two trees of which the larger is not the smaller one grown |
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from oipsce_site.signing.core.refusals import require

HASH_BYTES: Final = 32


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf's bytes."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of leaves, in their order."""
    return frontier_root(grow([], 0, leaves))


def grow(frontier: Sequence[bytes], size: int, leaves: Iterable[bytes]) -> list[bytes]:
    """Return the frontier of a tree of `size` leaves after these were appended."""
    roots = list(frontier)
    for leaf in leaves:
        roots.append(leaf)
        # As many complete pairs close as the old size has ones at its end.
        closing = size
        while closing & 1:
            right = roots.pop()
            roots.append(node_hash(roots.pop(), right))
            closing >>= 1
        size += 1
    return roots


def frontier_root(frontier: Sequence[bytes]) -> bytes:
    """Return the root of the tree with this frontier; of an empty tree the hash of nothing."""
    if not frontier:
        return hashlib.sha256(b"").digest()
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node_hash(left, root)
    return root


class Tree:
    """All levels of a tree over the hashes of its leaves, to make proofs from."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        # Only complete subtrees: what is ragged depends on the size that is asked about.
        self._levels = [list(leaves)]
        while len(self._levels[-1]) > 1:
            below = self._levels[-1]
            pairs = range(0, len(below) - 1, 2)
            self._levels.append([node_hash(below[at], below[at + 1]) for at in pairs])

    def root(self, size: int) -> bytes:
        """Return the root of the first `size` leaves."""
        return frontier_root(self._frontier(0, size))

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that the leaf at `index` is in the tree of the first `size`."""
        return self._inclusion(index, 0, size)

    def consistency(self, first: int, size: int) -> list[bytes]:
        """Return the proof that the tree of `size` is the one of `first` leaves grown."""
        return [] if first == size else self._consistency(first, 0, size, whole=True)

    def _subtree(self, start: int, end: int) -> bytes:
        return frontier_root(self._frontier(start, end))

    def _frontier(self, start: int, end: int) -> list[bytes]:
        """Return the complete subtrees that cover the leaves from `start` to `end`."""
        found: list[bytes] = []
        while start < end:
            level = (end - start).bit_length() - 1
            found.append(self._levels[level][start >> level])
            start += 1 << level
        return found

    def _inclusion(self, index: int, start: int, end: int) -> list[bytes]:
        if end - start == 1:
            return []
        middle = start + _split(end - start)
        if index < middle:
            return [*self._inclusion(index, start, middle), self._subtree(middle, end)]
        return [*self._inclusion(index, middle, end), self._subtree(start, middle)]

    def _consistency(self, first: int, start: int, end: int, *, whole: bool) -> list[bytes]:
        if first == end:
            return [] if whole else [self._subtree(start, end)]
        middle = start + _split(end - start)
        if first <= middle:
            rest = self._consistency(first, start, middle, whole=whole)
            return [*rest, self._subtree(middle, end)]
        rest = self._consistency(first, middle, end, whole=False)
        return [*rest, self._subtree(start, middle)]


def included_root(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes:
    """Return the root that a proof of inclusion leads to (RFC 9162 2.1.3.2). Raises Refused."""
    require(0 <= index < size, "E-PROOF", "a proof is about a leaf that the tree has not")
    at, last, root = index, size - 1, leaf
    for one in path:
        require(last > 0, "E-PROOF", "a proof of inclusion is too long")
        if at & 1 or at == last:
            root = node_hash(one, root)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            root = node_hash(root, one)
        at, last = at >> 1, last >> 1
    require(last == 0, "E-PROOF", "a proof of inclusion is too short")
    return root


def check_consistency(
    first: tuple[int, bytes], second: tuple[int, bytes], proof: Sequence[bytes]
) -> None:
    """Check that the second tree (size, root) is the first one grown (RFC 9162 2.1.4.2).

    Raises Refused (E-CONSISTENCY).
    """
    (small, small_root), (size, root) = first, second
    require(0 < small <= size, "E-CONSISTENCY", "the later tree is the smaller one")
    if small == size:
        same = small_root == root and not proof
        require(same, "E-CONSISTENCY", "two trees of one size have different roots")
        return
    path = list(proof) if small & (small - 1) else [small_root, *proof]
    require(bool(path), "E-CONSISTENCY", "there is no proof that the log only grew")
    at, last = small - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for one in path[1:]:
        require(last > 0, "E-CONSISTENCY", "a proof of consistency is too long")
        if at & 1 or at == last:
            old, new = node_hash(one, old), node_hash(one, new)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, one)
        at, last = at >> 1, last >> 1
    grew = last == 0 and old == small_root and new == root
    require(grew, "E-CONSISTENCY", "the log was rewritten since the earlier checkpoint")


def _split(count: int) -> int:
    """Return the largest power of two below `count` (which is 2 or more)."""
    return 1 << (count - 1).bit_length() - 1
