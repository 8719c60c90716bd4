"""Verify one chain of the decision log, from its first entry to its last.

| code | what is wrong |
| --- | --- |
| LOG-E001 | the chain has no entries |
| LOG-E002 | an entry of another chain among them |
| LOG-E003 | a sequence number missing, repeated or out of order |
| LOG-E004 | an entry does not point at the entry before it |
| LOG-E005 | an entry's hash is not the hash of its content |
| LOG-E006 | time goes backwards |
| LOG-E007 | a body that is not canonical JSON of the known form |
| LOG-E008 | the first entry is no genesis, or a genesis stands later |
| LOG-E009 | the genesis names another object than its chain |

A chain cut off at its end verifies here; signed checkpoints of the heads find that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from oipsce_site.ledger.core.canonical import NotCanonical, Value, decode
from oipsce_site.ledger.core.entry import GENESIS, ZERO_HASH, Entry, entry_hash

_BODY_KEYS: Final = {"actor", "build", "facts", "request", "type", "v"}


@dataclass(frozen=True, slots=True)
class ChainFinding:
    """One thing wrong with one entry; `seq` is None when it is about the chain as a whole."""

    code: str
    chain_id: UUID
    seq: int | None
    text: str


def verify_chain(chain_id: UUID, entries: Iterable[Entry]) -> list[ChainFinding]:
    """Return what is wrong with the chain; an empty list means that it verifies.

    `entries` are read once, in the order of their sequence numbers, and not kept.
    """
    findings: list[ChainFinding] = []
    before: Entry | None = None
    for entry in entries:
        findings.extend(_check_link(chain_id, before, entry))
        findings.extend(_check_content(chain_id, before, entry))
        before = entry
    if before is None:
        findings.append(ChainFinding("LOG-E001", chain_id, None, "the chain has no entries"))
    return findings


def read_body(body: bytes) -> dict[str, Value]:
    """Return the parts of a body. Raises NotCanonical when it has not the known form."""
    value = decode(body)
    if not isinstance(value, dict) or set(value) != _BODY_KEYS or value["v"] != 1:
        raise NotCanonical("body: not the known form; a newer version may have written it")
    return value


def _check_link(chain_id: UUID, before: Entry | None, entry: Entry) -> Iterator[ChainFinding]:
    def found(code: str, text: str) -> ChainFinding:
        return ChainFinding(code, chain_id, entry.seq, text)

    expected = 0 if before is None else before.seq + 1
    previous = ZERO_HASH if before is None else before.entry_hash
    if entry.chain_id != chain_id:
        yield found("LOG-E002", f"the entry belongs to chain {entry.chain_id}")
    if entry.seq != expected:
        yield found("LOG-E003", f"entry {expected} was expected here, entry {entry.seq} found")
    if entry.prev_hash != previous:
        yield found("LOG-E004", "the entry does not point at the entry before it")
    if before is not None and entry.at_us < before.at_us:
        yield found("LOG-E006", f"the entry is {before.at_us - entry.at_us} µs before its elder")


def _check_content(chain_id: UUID, before: Entry | None, entry: Entry) -> Iterator[ChainFinding]:
    def found(code: str, text: str) -> ChainFinding:
        return ChainFinding(code, chain_id, entry.seq, text)

    own = entry_hash(entry.chain_id, entry.seq, entry.prev_hash, entry.at_us, entry.body)
    if own != entry.entry_hash:
        yield found("LOG-E005", "the stored hash is not the hash of the stored entry")
    try:
        body = read_body(entry.body)
    except NotCanonical as error:
        yield found("LOG-E007", str(error))
        return
    if (body["type"] == GENESIS) != (before is None):
        yield found("LOG-E008", "a chain has one genesis entry, and it is the first")
    elif before is None and not _names(body["facts"], chain_id):
        yield found("LOG-E009", "the genesis names another object than this chain's")


def _names(facts: Value, chain_id: UUID) -> bool:
    return isinstance(facts, dict) and facts.get("id") == str(chain_id)
