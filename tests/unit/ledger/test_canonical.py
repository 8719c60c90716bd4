"""Canonical JSON of the log's bodies: one value, one sequence of bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oipsce_site.ledger.core.canonical import INTEGER_LIMIT, NotCanonical, Value, decode, encode

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(1 - INTEGER_LIMIT, INTEGER_LIMIT - 1) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_decoding_returns_the_value_and_encoding_it_again_the_bytes(value: Value) -> None:
    data = encode(value)
    assert decode(data) == value
    assert encode(decode(data)) == data


def test_bytes_are_sorted_tight_and_unescaped() -> None:
    value: Value = {"b": [1, True, None], "B": "é\n\x1f", "a": {}}
    assert encode(value) == '{"B":"é\\n\\u001f","a":{},"b":[1,true,null]}'.encode()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        pytest.param({"a": 1.5}, "body.a", id="float"),
        pytest.param({"a": [0, 2**53]}, "body.a[1]", id="integer too large"),
        pytest.param({"a": -(2**53)}, "body.a", id="integer too small"),
        pytest.param({"a": "x\x00"}, "body.a", id="NUL"),
        pytest.param({"a": "\ud800"}, "body.a", id="lone surrogate"),
        pytest.param({"é": 1}, "body", id="key beyond ASCII"),
        pytest.param({"": 1}, "body", id="empty key"),
        pytest.param({1: 1}, "body", id="key that is a number"),
        pytest.param({"a": {1}}, "body.a", id="set"),
        pytest.param({"a": b"x"}, "body.a", id="bytes"),
    ],
)
def test_what_has_no_canonical_form_is_refused_by_its_place(value: Value, place: str) -> None:
    with pytest.raises(NotCanonical) as refusal:
        encode(value)
    assert str(refusal.value).startswith(f"{place}: ")


def test_deep_nesting_is_refused() -> None:
    value: Value = 1
    for _ in range(100):
        value = [value]
    with pytest.raises(NotCanonical, match="nested deeper"):
        encode(value)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'{"b":1,"a":1}', id="unsorted"),
        pytest.param(b'{"a":1,"a":1}', id="duplicate key"),
        pytest.param(b'{"a": 1}', id="space"),
        pytest.param(b'{"a":1}\n', id="trailing newline"),
        pytest.param(b'{"a":1.0}', id="float"),
        pytest.param(b'{"a":1e2}', id="exponent"),
        pytest.param(b'{"a":-0}', id="minus zero"),
        pytest.param(b'{"a":NaN}', id="NaN"),
        pytest.param(b'{"a":"\\u0041"}', id="needless escape"),
        pytest.param(b'{"a":"\\ud800"}', id="escaped surrogate"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', id="byte order mark"),
        pytest.param(b"\xff", id="not UTF-8"),
        pytest.param(b"[" * 100_000, id="bomb"),
        pytest.param(b"", id="empty"),
    ],
)
def test_bytes_in_any_other_form_are_refused(data: bytes) -> None:
    with pytest.raises(NotCanonical):
        decode(data)
