"""One entry of the decision log: who acted, the bytes of its body, its hash, its commitments.

An entry's hash is SHA-256 over, in this order: the domain ``oip-sce/entry/v1`` and one NUL; the
chain (16 bytes); the sequence number (8 bytes, big-endian); the hash of the entry before (32 bytes,
zeros at the start); the time in microseconds since 1970 (8 bytes, big-endian); the SHA-256 of the
body. PostgreSQL computes the same in `audit.verify()` and refuses an entry where the two differ.

A body is canonical JSON: ``{"actor": {"id", "kind", "role"}, "build", "facts", "request", "type",
"v": 1}``. Facts are tokens, numbers, flags and lists of them. Words from a call, and reasons that
people type, go in as commitments (`commit_text`), which erasing the nonce makes mute for ever.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final
from uuid import UUID

from oipsce_site.ledger.core.canonical import Value, encode

ENTRY_DOMAIN: Final = b"oip-sce/entry/v1\0"
COMMITMENT_DOMAIN: Final = b"oip-sce/quote/v1\0"
ZERO_HASH: Final = bytes(32)
NONCE_BYTES: Final = 32
BODY_LIMIT: Final = 65_536
GENESIS: Final = "genesis"
#: The fact that keeps the time that was stated, where the clock had gone back.
STATED: Final = "stated_at_us"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_KIND: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_TOKEN: Final = re.compile(r"[!-~]{0,200}")


class RefusedFact(ValueError):
    """Something that may not enter the log; the sentence names the place, never the text."""


class ActorKind(Enum):
    """What acted: a person at a page, a worker of ours, or a program through the API."""

    PERSON = "person"
    WORKER = "worker"
    API = "api"


class About(Enum):
    """What a chain is about. The chain's id is the id of that object."""

    CALL = "call"
    CATALOG = "catalog"
    SITE = "site"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it and in which role; `id` is a user's or client's id, or a worker's name."""

    id: str
    role: str
    kind: ActorKind


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as stored: `body` holds the exact bytes that were hashed."""

    chain_id: UUID
    seq: int
    prev_hash: bytes
    at_us: int
    body: bytes
    entry_hash: bytes


def build_body(
    *, kind: str, by: Actor, request_id: str, build: str, facts: Mapping[str, Value]
) -> bytes:
    """Return the canonical bytes of a body, at most 65,536 of them.

    Raises RefusedFact for a malformed kind, a string with white space or beyond ASCII, or a body
    that is too long; NotCanonical for what canonical JSON cannot hold.
    """
    if not _KIND.fullmatch(kind) or len(kind) > 64:
        raise RefusedFact("kind: not of the form 'word' or 'word.word'; choose a short name")
    value: dict[str, Value] = {
        "actor": {"id": by.id, "kind": by.kind.value, "role": by.role},
        "build": build,
        "facts": dict(facts),
        "request": request_id,
        "type": kind,
        "v": 1,
    }
    _check_tokens(value, "body")
    body = encode(value)
    if len(body) > BODY_LIMIT:
        raise RefusedFact(
            f"body of a {kind} entry: {len(body)} bytes, {BODY_LIMIT} allowed; "
            "record a digest of the list instead"
        )
    return body


def make_entry(*, chain_id: UUID, head: Entry | None, at_us: int, body: bytes) -> Entry:
    """Return the entry that follows `head` (None: the first of its chain), with its hash."""
    seq = 0 if head is None else head.seq + 1
    prev_hash = ZERO_HASH if head is None else head.entry_hash
    return Entry(
        chain_id, seq, prev_hash, at_us, body, entry_hash(chain_id, seq, prev_hash, at_us, body)
    )


def entry_hash(chain_id: UUID, seq: int, prev_hash: bytes, at_us: int, body: bytes) -> bytes:
    """Return the 32-byte hash of an entry, as `audit.verify()` computes it."""
    return hashlib.sha256(
        ENTRY_DOMAIN
        + chain_id.bytes
        + seq.to_bytes(8, "big", signed=True)
        + prev_hash
        + at_us.to_bytes(8, "big", signed=True)
        + hashlib.sha256(body).digest()
    ).digest()


def microseconds(at: datetime) -> int:
    """Return `at` as whole microseconds since 1970 in UTC. Raises ValueError for a naive time."""
    if at.utcoffset() is None:
        raise ValueError("at: a time without a zone; pass a UTC datetime")
    return (at - _EPOCH) // timedelta(microseconds=1)


def commit_text(nonce: bytes, text: str) -> str:
    """Return the commitment to `text` in hex: HMAC-SHA256 keyed with a random 32-byte nonce.

    Whoever holds nonce and text can prove the text; without the nonce the commitment says nothing.
    Raises ValueError for a nonce of another length or a text with a lone surrogate.
    """
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"nonce: {len(nonce)} bytes, {NONCE_BYTES} needed; draw a new one")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("text: holds a lone surrogate and has no UTF-8 form; repair the import")
    return hmac.new(nonce, COMMITMENT_DOMAIN + text.encode("utf-8"), hashlib.sha256).hexdigest()


def _check_tokens(value: Value, where: str) -> None:
    # A guard, not a proof: what people say and type has spaces, tokens and digests have none.
    match value:
        case str() if not _TOKEN.fullmatch(value):
            raise RefusedFact(
                f"{where}: not a token (at most 200 visible ASCII characters, no spaces); "
                "free text enters the log as a commitment, see commit_text()"
            )
        case dict():
            for key, item in value.items():
                _check_tokens(key, f"a key of {where}")
                _check_tokens(item, f"{where}.{key}")
        case list() | tuple():
            for index, item in enumerate(value):
                _check_tokens(item, f"{where}[{index}]")
        case _:
            return
