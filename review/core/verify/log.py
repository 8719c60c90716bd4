"""The checkpoint, the heads of all chains of the site in it, and the chain of one call.

| code | what is refused |
| --- | --- |
| E-ROLLBACK | a log that is smaller than the checkpoint already held |
| E-OMITTED | a chain of the site that the audit does not mention, or a call that the site has not |
| E-HEAD | a chain that does not end where the checkpoint says |
| E-ENTRY | an entry of another form |
| E-CHAINID | an entry of another chain |
| E-SEQ | a number missing, repeated or out of order |
| E-PREV | an entry that does not point at the one before it |
| E-HASH | an entry whose hash is not the hash of its content |
| E-TIMEORDER | time that goes backwards |
| E-TIMEAFTER | something dated after what stands on it |
| E-GENESIS | a chain that does not begin with the genesis of its call |
| E-TENANT | a call of another site |
| E-ERASED | a call that is said to be erased, and whose chain does not say so |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from oipsce_site.ledger.core.canonical import NotCanonical
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import GENESIS, ZERO_HASH, Entry, entry_hash, microseconds
from oipsce_site.ledger.core.heads import Head, HeadsProof, check_heads
from oipsce_site.ledger.core.merkle import HASH_BYTES, check_consistency
from oipsce_site.signing.core.keys import PublicKey, Use
from oipsce_site.signing.core.note import Checkpoint, cosigned_at, open_checkpoint
from oipsce_site.signing.core.plain import (
    read_base64,
    read_count,
    read_hex,
    read_json,
    read_list,
    read_object,
    read_text,
    write_json,
)
from oipsce_site.signing.core.refusals import Refused, require
from review.core.audit.names import (
    CHECKPOINT,
    CONSISTENCY,
    ERASE,
    HEADS,
    HEADS_FORMAT,
    UNIVERSE,
    UNIVERSE_FORMAT,
    Why,
)
from review.core.verify.trust import Trusted

INGEST: Final = "call.ingest"
_LINE: Final = {"chain", "seq", "prev", "at_us", "body", "hash"}


@dataclass(frozen=True, slots=True)
class Log:
    """A verified checkpoint with the heads of the site's chains in it.

    `witnesses` names each witness whose cosignature it carries, with seconds since 1970; `erased`
    the calls that the audit says were erased.
    """

    checkpoint: Checkpoint
    sealed_at_us: int
    heads: Mapping[str, Head]
    witnesses: Mapping[str, int]
    erased: tuple[str, ...]


def open_log(trusted: Trusted, held: bytes | None) -> Log:
    """Return the checkpoint and heads that the audit stands on. Raises Refused.

    `held` is the note of an earlier checkpoint that the verifier kept.
    """
    note = trusted.read(CHECKPOINT)
    origin = str(trusted.predicate["log"])
    key, checkpoint = _open_note(trusted, note, origin, "the checkpoint")
    if held is not None:
        _check_held(trusted, held, checkpoint)
    heads, proof = _read_heads(trusted)
    check_heads(UUID(str(trusted.site_id)), heads, proof, checkpoint.size, checkpoint.root)
    require(
        proof.sealed_at_us <= microseconds(trusted.created_at),
        "E-TIMEAFTER",
        "the checkpoint is dated after the audit",
    )
    counted = key.counts_at(_moment(proof.sealed_at_us))
    require(counted, "E-KEYWINDOW", "the log's key did not count when the checkpoint was made")
    by_chain = {str(head.chain_id): head for head in heads}
    calls = _check_universe(trusted, by_chain)
    erased = tuple(sorted(call for call, why in calls.items() if why == Why.ERASED.value))
    return Log(checkpoint, proof.sealed_at_us, by_chain, _witnesses(trusted, note), erased)


def read_chain(data: bytes, call: str, log: Log, trusted: Trusted) -> list[Entry]:
    """Return the entries of a call's chain, verified up to the checkpoint. Raises Refused."""
    require(data.endswith(b"\n"), "E-ENTRY", f"the chain of {call} has no end")
    entries: list[Entry] = []
    for number, line in enumerate(data[:-1].split(b"\n")):
        before = entries[-1] if entries else None
        entries.append(_read_entry(line, call, number, before))
    last = entries[-1]
    require(
        last.at_us <= log.sealed_at_us,
        "E-TIMEAFTER",
        f"the chain of {call} has an entry dated after the checkpoint",
    )
    head = log.heads.get(call)
    ends = head is not None and (head.seq, head.entry_hash) == (last.seq, last.entry_hash)
    require(ends, "E-HEAD", f"the chain of {call} does not end where the checkpoint says")
    _check_beginning(entries, call, trusted)
    return entries


def check_erased(data: bytes | None, call: str, log: Log) -> None:
    """Check that the chain of a call ends with what says that it was erased. Raises Refused.

    `data` are the entries from that one on; None where the audit has none.
    """
    require(data is not None, "E-ERASED", f"{call} is said to be erased, and nothing shows it")
    lines = (data or b"").removesuffix(b"\n").split(b"\n")
    head = log.heads[call]
    first = head.seq - len(lines) + 1
    before: Entry | None = None
    for number, line in enumerate(lines, start=first):
        entry = _read_entry(line, call, number, before, is_end=True)
        kind = read_body(entry.body)["type"]
        said = before is not None or kind == ERASE
        require(said, "E-ERASED", f"{call} is said to be erased, and its chain tells of {kind!a}")
        before = entry
    ends = before is not None and head.entry_hash == before.entry_hash
    require(ends, "E-HEAD", f"the chain of {call} does not end where the checkpoint says")


def _open_note(
    trusted: Trusted, note: bytes, origin: str, what: str
) -> tuple[PublicKey, Checkpoint]:
    # The name of the log is the keyring's, with a number: no other log of anybody passes for it.
    name, _, number = origin.rpartition("/")
    ours = name == trusted.keyring.log and number.isdecimal()
    require(ours, "E-NOTE", f"{what} is of another log than the keyring names")
    refusal = Refused("E-NOTE-SIG", f"{what} is not signed by a log key of the keyring")
    for key in trusted.keyring.of_use(Use.LOG).values():
        try:
            return key, open_checkpoint(note, origin, key.public, what)
        except Refused as error:
            refusal = error if error.code != "E-NOTE-SIG" else refusal
    raise refusal


def _check_held(trusted: Trusted, held: bytes, now: Checkpoint) -> None:
    origin = held.split(b"\n", 1)[0].decode("ascii", errors="replace")
    require(
        origin == now.origin,
        "E-ROLLBACK",
        f"the checkpoint held is of log {origin!a}, the audit's of {now.origin}: a new log "
        "was begun; ask why",
    )
    _, before = _open_note(trusted, held, origin, "the checkpoint held")
    require(before.size <= now.size, "E-ROLLBACK", "the log is smaller than the checkpoint held")
    proofs = read_json(trusted.read(CONSISTENCY), "the proofs of consistency")
    path = proofs.get(str(before.size), []) if isinstance(proofs, dict) else []
    hashes = [read_hex(one, HASH_BYTES, "a proof") for one in read_list(path, "a proof")]
    check_consistency((before.size, before.root), (now.size, now.root), hashes)


def _read_heads(trusted: Trusted) -> tuple[list[Head], HeadsProof]:
    what = "the heads"
    names = {"format", "site", "heads", "sealed_at_us", "sites", "site_index", "site_path", "path"}
    plain = read_object(read_json(trusted.read(HEADS), what), names, what)
    require(plain["format"] == HEADS_FORMAT, "E-SHAPE", f"{what} have an unknown format")
    require(plain["site"] == trusted.site_id, "E-TENANT", f"{what} are of another site")
    heads = []
    for one in read_list(plain["heads"], what):
        chain, seq, own = read_list(one, "a head")
        heads.append(Head(_uuid(chain), read_count(seq, "a head"), read_hex(own, 32, "a head")))
    proof = HeadsProof(
        sealed_at_us=read_count(plain["sealed_at_us"], what),
        sites=read_count(plain["sites"], what),
        site_index=read_count(plain["site_index"], what),
        site_path=tuple(read_hex(one, 32, what) for one in read_list(plain["site_path"], what)),
        path=tuple(read_hex(one, 32, what) for one in read_list(plain["path"], what)),
    )
    return heads, proof


def _check_universe(trusted: Trusted, heads: Mapping[str, Head]) -> dict[str, str]:
    """Return why each call is in the audit or not; every chain of the site must be mentioned."""
    what = "the list of the site's calls"
    plain = read_object(read_json(trusted.read(UNIVERSE), what), {"format", "calls"}, what)
    require(plain["format"] == UNIVERSE_FORMAT, "E-SHAPE", f"{what} has an unknown format")
    calls = plain["calls"]
    require(isinstance(calls, dict), "E-SHAPE", f"{what} has another form")
    counts = dict.fromkeys((why.value for why in Why), 0)
    for why in calls.values():
        require(why in counts, "E-SHAPE", f"{what} names an unknown reason")
        counts[why] += 1
    here = sorted(call for call, why in calls.items() if why == Why.INCLUDED.value)
    require(here == list(trusted.calls), "E-OMITTED", f"{what} names other calls than the manifest")
    require(counts == trusted.predicate["universe"], "E-OMITTED", f"{what} counts otherwise")
    known = set(heads) - {str(trusted.site_id)}
    for call in sorted(known ^ set(calls)):
        word = "is not mentioned" if call in known else "is none of the site's"
        raise Refused("E-OMITTED", f"call {call!a} {word}")
    return dict(calls)


def _witnesses(trusted: Trusted, note: bytes) -> dict[str, int]:
    found: dict[str, int] = {}
    lines = note.decode("utf-8").rpartition("\n\n")[2].splitlines()
    for name in {line.split(" ")[1] for line in lines}:
        for key in trusted.keyring.of_use(Use.WITNESS).values():
            try:
                found[name] = cosigned_at(note, name, key.public)
            except Refused:
                continue
    return found


def _read_entry(
    line: bytes, call: str, number: int, before: Entry | None, *, is_end: bool = False
) -> Entry:
    """Read an entry and check it against the one before it; of an end of a chain the first has
    none here.
    """
    what = f"entry {number} of {call}"
    plain = read_json(line, what)
    is_one = isinstance(plain, dict) and set(plain) == _LINE and write_json(plain) == line
    require(is_one, "E-ENTRY", f"{what} has another form")
    require(plain["chain"] == call, "E-CHAINID", f"{what} is of another chain")
    require(plain["seq"] == number, "E-SEQ", f"{what} has another number")
    body = read_base64(plain["body"], what)
    entry = Entry(
        chain_id=_uuid(call),
        seq=number,
        prev_hash=read_hex(plain["prev"], HASH_BYTES, what),
        at_us=read_count(plain["at_us"], what),
        body=body,
        entry_hash=read_hex(plain["hash"], HASH_BYTES, what),
    )
    previous = ZERO_HASH if before is None else before.entry_hash
    follows = entry.prev_hash == previous or (is_end and before is None)
    require(follows, "E-PREV", f"{what} does not point at the one before it")
    own = entry_hash(entry.chain_id, number, entry.prev_hash, entry.at_us, body)
    require(own == entry.entry_hash, "E-HASH", f"{what} has a hash that is not its own")
    in_time = before is None or before.at_us <= entry.at_us
    require(in_time, "E-TIMEORDER", f"{what} is dated before the one before it")
    try:
        kind = read_body(body)["type"]
    except NotCanonical:
        raise Refused("E-ENTRY", f"{what} has a body of another form") from None
    require((kind == GENESIS) == (number == 0), "E-GENESIS", f"{what} is a genesis, or is none")
    return entry


def _check_beginning(entries: list[Entry], call: str, trusted: Trusted) -> None:
    bodies: list[dict[str, Any]] = [read_body(entry.body) for entry in entries]
    about = bodies[0]["facts"]
    genuine = about == {"about": "call", "id": call}
    require(genuine, "E-GENESIS", f"the chain of {call} begins with another genesis")
    sites = {body["facts"].get("site_id") for body in bodies if body["type"] == INGEST}
    require(sites <= {trusted.site_id}, "E-TENANT", f"{call} is a call of another site")


def _uuid(value: object) -> UUID:
    text = read_text(value, "an id")
    try:
        found = UUID(text)
    except ValueError:
        raise Refused("E-SHAPE", "an id has another form") from None
    require(str(found) == text, "E-SHAPE", "an id has another spelling")
    return found


def _moment(at_us: int) -> datetime:
    return datetime.fromtimestamp(at_us / 1_000_000, tz=UTC)
