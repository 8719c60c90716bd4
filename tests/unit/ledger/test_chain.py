"""A chain verifies from its genesis, and every tampering is found by its code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest

from oipsce_site.ledger.core.canonical import Value, encode
from oipsce_site.ledger.core.chain import verify_chain
from oipsce_site.ledger.core.entry import (
    Actor,
    ActorKind,
    Entry,
    build_body,
    entry_hash,
    make_entry,
)

CHAIN = UUID("0f4c1b9e-3f0e-4d0e-9b3a-0a1b2c3d4e5f")
OTHER = UUID("1f4c1b9e-3f0e-4d0e-9b3a-0a1b2c3d4e5f")
Chain = list[Entry]


def body(kind: str, facts: dict[str, Value]) -> bytes:
    anna = Actor("u-1", "reviewer", ActorKind.PERSON)
    return build_body(kind=kind, by=anna, request_id="", build="b1", facts=facts)


GENESIS = body("genesis", {"about": "call", "id": str(CHAIN)})


def chain_of(*bodies: bytes) -> Chain:
    entries: Chain = []
    for number, content in enumerate(bodies):
        head = entries[-1] if entries else None
        entries.append(make_entry(chain_id=CHAIN, head=head, at_us=100 + number, body=content))
    return entries


def rehashed(entry: Entry) -> Entry:
    own = entry_hash(entry.chain_id, entry.seq, entry.prev_hash, entry.at_us, entry.body)
    return replace(entry, entry_hash=own)


GOOD = chain_of(GENESIS, *(body("row.edit", {"turn": turn}) for turn in range(1, 5)))


def codes(entries: Chain) -> set[str]:
    return {finding.code for finding in verify_chain(CHAIN, entries)}


def test_a_good_chain_has_no_findings() -> None:
    assert verify_chain(CHAIN, GOOD) == []


def at(index: int, change: Callable[[Entry], Entry]) -> Chain:
    return [change(entry) if number == index else entry for number, entry in enumerate(GOOD)]


TAMPERINGS = {
    "no entries": ([], {"LOG-E001"}),
    "body changed": (at(2, lambda e: replace(e, body=GOOD[3].body)), {"LOG-E005"}),
    "time changed": (at(2, lambda e: replace(e, at_us=101)), {"LOG-E005"}),
    "hash changed": (at(4, lambda e: replace(e, entry_hash=bytes(32))), {"LOG-E005"}),
    "body changed and hashed again": (
        at(2, lambda e: rehashed(replace(e, body=GOOD[3].body))),
        {"LOG-E004"},
    ),
    "entry taken out": ([*GOOD[:2], *GOOD[3:]], {"LOG-E003", "LOG-E004"}),
    "genesis taken out": (GOOD[1:], {"LOG-E003", "LOG-E004", "LOG-E008"}),
    "entry twice": ([*GOOD[:3], *GOOD[2:]], {"LOG-E003", "LOG-E004"}),
    "entries swapped": (
        [GOOD[0], GOOD[2], GOOD[1], *GOOD[3:]],
        {"LOG-E003", "LOG-E004", "LOG-E006"},
    ),
    "entry of another chain": (
        at(4, lambda e: rehashed(replace(e, chain_id=OTHER))),
        {"LOG-E002"},
    ),
    "clock back": (at(4, lambda e: rehashed(replace(e, at_us=1))), {"LOG-E006"}),
    "body not canonical": (chain_of(GENESIS, b'{"a": 1}'), {"LOG-E007"}),
    "body of another form": (chain_of(GENESIS, encode({"v": 1})), {"LOG-E007"}),
    "body of another version": (
        chain_of(GENESIS, GOOD[1].body.replace(b'"v":1', b'"v":2')),
        {"LOG-E007"},
    ),
    "second genesis": (chain_of(GENESIS, GENESIS), {"LOG-E008"}),
    "no genesis": (chain_of(GOOD[1].body), {"LOG-E008"}),
    "genesis of another call": (
        chain_of(body("genesis", {"about": "call", "id": str(OTHER)})),
        {"LOG-E009"},
    ),
}


@pytest.mark.parametrize(("entries", "expected"), TAMPERINGS.values(), ids=TAMPERINGS.keys())
def test_each_tampering_is_found(entries: Chain, expected: set[str]) -> None:
    assert codes(entries) == expected


def test_a_finding_names_its_entry() -> None:
    [finding] = verify_chain(CHAIN, at(4, lambda e: replace(e, at_us=999)))
    assert (finding.chain_id, finding.seq, finding.code) == (CHAIN, 4, "LOG-E005")


def test_a_cut_tail_verifies_which_is_why_heads_are_checkpointed() -> None:
    assert verify_chain(CHAIN, GOOD[:3]) == []
