"""One entry: its body, its hash, its commitments."""

from __future__ import annotations

import hashlib
import hmac
import struct
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from oipsce_site.ledger.core.canonical import Value, decode
from oipsce_site.ledger.core.entry import (
    Actor,
    ActorKind,
    RefusedFact,
    build_body,
    commit_text,
    entry_hash,
    make_entry,
    microseconds,
)

CHAIN = UUID("0f4c1b9e-3f0e-4d0e-9b3a-0a1b2c3d4e5f")
ANNA = Actor("u-1", "reviewer", ActorKind.PERSON)


def body(kind: str = "row.edit", **facts: Value) -> bytes:
    return body_of(facts, kind)


def body_of(facts: dict[str, Value], kind: str = "row.edit") -> bytes:
    return build_body(kind=kind, by=ANNA, request_id="r1", build="b1", facts=facts)


def test_hash_is_sha256_over_domain_chain_number_previous_time_and_body_digest() -> None:
    prev, text = bytes(range(32)), b"{}"
    expected = hashlib.sha256(
        b"oip-sce/entry/v1\x00"
        + CHAIN.bytes
        + struct.pack(">q", 7)
        + prev
        + struct.pack(">q", 1_700_000_000_000_000)
        + hashlib.sha256(text).digest()
    ).digest()
    assert entry_hash(CHAIN, 7, prev, 1_700_000_000_000_000, text) == expected


def test_body_has_a_fixed_form() -> None:
    assert body(turn=41) == (
        b'{"actor":{"id":"u-1","kind":"person","role":"reviewer"},"build":"b1",'
        b'"facts":{"turn":41},"request":"r1","type":"row.edit","v":1}'
    )


def test_entries_follow_each_other() -> None:
    first = make_entry(chain_id=CHAIN, head=None, at_us=5, body=body())
    second = make_entry(chain_id=CHAIN, head=first, at_us=5, body=body())
    assert (first.seq, first.prev_hash) == (0, bytes(32))
    assert (second.seq, second.prev_hash) == (1, first.entry_hash)


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"reason": "she said so"}, id="words"),
        pytest.param({"name": "Zoë"}, id="beyond ASCII"),
        pytest.param({"quote": "x" * 201}, id="long"),
        pytest.param({"items": [{"quote": "two words"}]}, id="nested words"),
        pytest.param({"a key": 1}, id="words in a key"),
    ],
)
def test_free_text_is_refused_without_repeating_it(facts: dict[str, Value]) -> None:
    with pytest.raises(RefusedFact) as refusal:
        body_of(facts)
    for secret in ("she said", "Zoë", "xxx", "two words"):
        assert secret not in str(refusal.value)


@pytest.mark.parametrize("kind", ["", "Row", "row edit", "row.", ".row", "1row", "x" * 65, "row\n"])
def test_malformed_kinds_are_refused(kind: str) -> None:
    with pytest.raises(RefusedFact, match="kind"):
        body(kind)


def test_a_body_of_64_kib_is_the_limit() -> None:
    with pytest.raises(RefusedFact, match="65536 allowed"):
        body(turns=list(range(20_000)))


def test_tokens_numbers_flags_and_lists_are_taken() -> None:
    value = decode(body(digest="ab" * 32, turns=[1, 2], met=True, before=None, span={"at": 3}))
    assert isinstance(value, dict)
    assert value["facts"] == {
        "digest": "ab" * 32,
        "turns": [1, 2],
        "met": True,
        "before": None,
        "span": {"at": 3},
    }


def test_commitment_is_a_keyed_hash_under_its_own_domain() -> None:
    nonce = b"n" * 32
    expected = hmac.new(nonce, b"oip-sce/quote/v1\x00" + "né".encode(), "sha256").hexdigest()
    assert commit_text(nonce, "né") == expected
    assert commit_text(b"m" * 32, "né") != expected


def test_commitment_needs_a_whole_nonce_and_storable_text() -> None:
    with pytest.raises(ValueError, match="31 bytes"):
        commit_text(b"n" * 31, "text")
    with pytest.raises(ValueError, match="lone surrogate"):
        commit_text(b"n" * 32, "\ud800")


def test_time_is_exact_in_microseconds_and_needs_a_zone() -> None:
    at = datetime(2026, 11, 29, 12, 0, 0, 123457, tzinfo=UTC)
    assert microseconds(at) == 1_795_953_600_123_457
    assert microseconds(at.astimezone(timezone(timedelta(hours=2)))) == microseconds(at)
    with pytest.raises(ValueError, match="without a zone"):
        microseconds(at.replace(tzinfo=None))
