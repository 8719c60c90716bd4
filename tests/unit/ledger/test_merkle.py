"""The tree against its definition, written a second time in the plainest way."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from uuid import UUID

import pytest

from oipsce_site.ledger.core.heads import Head, check_heads, leaf_of_maps, prove_heads, sort_heads
from oipsce_site.ledger.core.merkle import (
    Tree,
    check_consistency,
    frontier_root,
    grow,
    included_root,
    leaf_hash,
    root_of,
)
from oipsce_site.signing.core.refusals import Refused

LEAVES = [leaf_hash(bytes([number])) for number in range(40)]


def plain_root(leaves: list[bytes]) -> bytes:
    """RFC 6962 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    left, right = plain_root(leaves[:half]), plain_root(leaves[half:])
    return hashlib.sha256(b"\x01" + left + right).digest()


def test_roots_of_the_standards_test_vectors() -> None:
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    inputs.append("606162636465666768696a6b6c6d6e6f")
    leaves = [leaf_hash(bytes.fromhex(one)) for one in inputs]
    assert root_of([]).hex().startswith("e3b0c44298fc1c149afbf4c8996fb924")
    assert root_of(leaves).hex() == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )


@pytest.mark.parametrize("size", range(len(LEAVES)))
def test_the_root_is_that_of_the_definition(size: int) -> None:
    assert root_of(LEAVES[:size]) == plain_root(LEAVES[:size])
    assert Tree(LEAVES).root(size) == plain_root(LEAVES[:size])


@pytest.mark.parametrize("first", range(20))
def test_a_frontier_grows_to_the_same_root(first: int) -> None:
    frontier = grow([], 0, LEAVES[:first])
    assert frontier_root(grow(frontier, first, LEAVES[first:])) == plain_root(LEAVES)


@pytest.mark.parametrize("size", range(1, 18))
def test_each_leaf_is_proven_and_no_other_one(size: int) -> None:
    tree = Tree(LEAVES)
    root = plain_root(LEAVES[:size])
    for index in range(size):
        path = tree.inclusion(index, size)
        assert included_root(index, size, LEAVES[index], path) == root
        assert included_root(index, size, LEAVES[index + 20], path) != root
        for spoiled in (path[:-1] if path else [root], [*path, root]):
            with pytest.raises(Refused, match="E-PROOF"):
                included_root(index, size, LEAVES[index], spoiled)


@pytest.mark.parametrize("index", [-1, 5, 99])
def test_a_place_that_the_tree_has_not_is_refused(index: int) -> None:
    with pytest.raises(Refused, match="E-PROOF"):
        included_root(index, 5, LEAVES[0], [])


@pytest.mark.parametrize("size", range(1, 18))
def test_a_grown_tree_is_consistent_with_each_earlier_one(size: int) -> None:
    tree = Tree(LEAVES)
    for first in range(1, size + 1):
        old, new = (first, tree.root(first)), (size, tree.root(size))
        proof = tree.consistency(first, size)
        check_consistency(old, new, proof)
        other = (first, plain_root([*LEAVES[1:first], LEAVES[39]]))
        for wrong in [(other, new, proof), (old, (size, LEAVES[0]), proof)]:
            if wrong[0] == old and wrong[1] == new:
                continue
            with pytest.raises(Refused, match="E-CONSISTENCY"):
                check_consistency(*wrong)
        for spoiled in ([*proof, LEAVES[0]], proof[:-1]):
            if spoiled != proof:
                with pytest.raises(Refused, match="E-CONSISTENCY"):
                    check_consistency(old, new, spoiled)


def test_a_smaller_tree_is_not_a_later_one() -> None:
    tree = Tree(LEAVES)
    with pytest.raises(Refused, match="E-CONSISTENCY"):
        check_consistency((5, tree.root(5)), (4, tree.root(4)), [])


# --- heads of a site ------------------------------------------------------------------------------

NORTH, SOUTH, WEST = (UUID(int=number) for number in (7, 3, 11))


def heads(*numbers: int) -> list[Head]:
    return sort_heads(Head(UUID(int=number), number, bytes([number]) * 32) for number in numbers)


MAPS = {NORTH: heads(5, 1, 9), SOUTH: heads(2), WEST: heads(4, 6)}
TREE_LEAVES = [*LEAVES[:6], leaf_of_maps(MAPS, 1_000)]
TREE = Tree(TREE_LEAVES)
SIZE, ROOT = 7, TREE.root(7)
PROOF = prove_heads(MAPS, NORTH, 1_000, TREE.inclusion(6, 7))


@pytest.mark.parametrize("site", MAPS)
def test_the_heads_of_each_site_are_proven(site: UUID) -> None:
    proof = prove_heads(MAPS, site, 1_000, TREE.inclusion(6, 7))
    check_heads(site, MAPS[site], proof, SIZE, ROOT)


@pytest.mark.parametrize(
    ("site", "shown", "proof"),
    [
        (NORTH, heads(1, 5), PROOF),
        (NORTH, heads(1, 5, 9, 12), PROOF),
        (NORTH, [*heads(1, 5), Head(UUID(int=9), 8, bytes([9]) * 32)], PROOF),
        (NORTH, [*heads(1, 5), Head(UUID(int=9), 9, bytes(32))], PROOF),
        (NORTH, list(reversed(heads(1, 5, 9))), PROOF),
        (NORTH, [*heads(1, 5, 9), *heads(9)], PROOF),
        (SOUTH, heads(1, 5, 9), PROOF),
        (NORTH, heads(1, 5, 9), replace(PROOF, sealed_at_us=1_001)),
        (NORTH, heads(1, 5, 9), replace(PROOF, sites=4)),
        (NORTH, heads(1, 5, 9), replace(PROOF, site_index=0)),
        (NORTH, heads(1, 5, 9), replace(PROOF, path=PROOF.path[:-1])),
    ],
    ids=[
        *("one left out", "one invented", "tail cut", "other hash", "not sorted", "twice"),
        *("other site", "other time", "other count of sites", "other place", "shorter path"),
    ],
)
def test_other_heads_are_refused(site: UUID, shown: list[Head], proof: object) -> None:
    with pytest.raises(Refused) as refusal:
        check_heads(site, shown, proof, SIZE, ROOT)  # type: ignore[arg-type]
    assert refusal.value.code in {"E-HEADS", "E-PROOF"}


def test_an_old_map_is_not_the_map_of_a_later_checkpoint() -> None:
    grown = [*TREE_LEAVES, LEAVES[7], leaf_of_maps({**MAPS, NORTH: heads(1, 5, 9, 12)}, 2_000)]
    tree = Tree(grown)
    old = replace(PROOF, path=tuple(tree.inclusion(6, len(grown))))
    with pytest.raises(Refused, match=r"E-HEADS|E-PROOF"):
        check_heads(NORTH, MAPS[NORTH], old, len(grown), tree.root(len(grown)))
