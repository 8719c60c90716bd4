"""Canonical bytes: one value, one spelling."""

import hashlib
import json
from collections import OrderedDict
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.core.canonical import (
    CanonicalError,
    canonical_bytes,
    content_digest,
    digest,
    shortest,
)
from review.core import digests


class Colour(str, Enum):  # noqa: UP042 - that is the trap
    """A text that Python prints by its name."""

    RED = "red"


class Number(IntEnum):
    """A number with a name."""

    ONE = 1


_CONTROLS = (
    b'"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f'
    b"\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d"
    b'\\u001e\\u001f"'
)
#: In the order of code points; in UTF-16 the face would come first.
_FAR_KEYS = '{"\uffee":2,"\U0001f600":1}'

SPELLINGS: list[tuple[str, object, bytes]] = [
    ("sorted keys", {"b": 1, "a": 2}, b'{"a":2,"b":1}'),
    ("nested", {"a": [1, {"c": None, "b": True}]}, b'{"a":[1,{"b":true,"c":null}]}'),
    ("tuple as list", (1, 2), b"[1,2]"),
    ("text as it is", "naïve €\u2028/", '"naïve €\u2028/"'.encode()),
    ("escapes", 'a"\\\n', b'"a\\"\\\\\\n"'),
    ("date", date(2026, 1, 1), b'"2026-01-01"'),
    ("zeros after the point", Decimal("1.50"), b'"1.5"'),
    ("exponent", Decimal("1E+2"), b'"100"'),
    ("small", Decimal("1E-7"), b'"0.0000001"'),
    ("whole", Decimal("3.000"), b'"3"'),
    ("hundred", Decimal("100"), b'"100"'),
    ("negative zero", Decimal("-0.00"), b'"0"'),
    ("negative", Decimal("-0.10"), b'"-0.1"'),
    ("more digits than a context keeps", Decimal("1." + "3" * 40), b'"1.' + b"3" * 40 + b'"'),
    ("truth is no number", [True, 1], b"[true,1]"),
    ("every control character", "".join(map(chr, range(32))), _CONTROLS),
    ("delete stands as it is", "\x7f", b'"\x7f"'),
    ("keys beyond the first plane", {"\U0001f600": 1, "\uffee": 2}, _FAR_KEYS.encode()),
    ("over 64 bits", 2**80, b"1208925819614629174706176"),
    ("empty", {}, b"{}"),
    ("other mapping", OrderedDict(a=1), b'{"a":1}'),
]


@pytest.mark.parametrize(
    ("value", "expected"), [row[1:] for row in SPELLINGS], ids=[row[0] for row in SPELLINGS]
)
def test_spelling(value: object, expected: bytes) -> None:
    assert digests.canonical_bytes(value) == expected
    assert canonical_bytes(value) == expected


REFUSED: list[tuple[str, object]] = [
    ("float", 1.5),
    ("float inside", {"a": [0.1]}),
    ("nan", float("nan")),
    ("decimal nan", Decimal("NaN")),
    ("decimal infinity", Decimal("Infinity")),
    ("huge decimal", Decimal("1E+100000")),
    ("tiny decimal", Decimal("1E-100000")),
    ("huge integer", 10**5000),
    ("lone surrogate", "\ud800"),
    ("lone surrogate in a key", {"\udc00": 1}),
    ("key that is no text", {1: 2}),
    ("bytes", b"x"),
    ("set", {1}),
    ("time", datetime(2026, 1, 1, tzinfo=UTC)),
]


@pytest.mark.parametrize("value", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(value: object) -> None:
    with pytest.raises(CanonicalError):
        canonical_bytes(value)


def test_too_deep_is_refused() -> None:
    value: object = None
    for _ in range(300):
        value = [value]
    with pytest.raises(CanonicalError, match="nested"):
        canonical_bytes(value)


def test_content_digest_leaves_status_and_approvers_out() -> None:
    data = {"title": "x", "status": "draft", "approvers": []}
    signed = {"title": "x", "status": "published", "approvers": [{"name": "A"}]}
    assert content_digest(data) == content_digest(signed)
    assert content_digest(data) == hashlib.sha256(b'{"title":"x"}').hexdigest()
    assert content_digest({**data, "title": "y"}) != content_digest(data)
    assert digest([]) == hashlib.sha256(b"[]").hexdigest()


plain = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.text(st.characters(codec="utf-8")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), inner, max_size=4),
    ),
    max_leaves=20,
)


@given(plain)
def test_reading_back_gives_the_same_value_and_bytes(value: object) -> None:
    data = canonical_bytes(value)
    assert json.loads(data) == value
    assert canonical_bytes(json.loads(data)) == data


anything = st.recursive(
    st.one_of(
        plain,
        st.text(st.characters(categories=["Cs", "Ll"])),
        st.floats(),
        st.dates(),
        st.decimals(allow_nan=True),
        st.sampled_from([Colour.RED, Number.ONE, 10**1000, 10**1000 - 1, b"x"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3),
    ),
    max_leaves=12,
)


def spelled(value: object) -> bytes | str:
    """Return the bytes of a value, or the sentence that refuses it."""
    try:
        return canonical_bytes(value)
    except CanonicalError as refusal:
        return str(refusal)


@given(anything)
def test_a_value_is_spelled_and_refused_alike_inside_what_is_walked_step_by_step(
    value: object,
) -> None:
    # A mapping that is no dict is never written as it stands, nor is what it holds.
    assert spelled({"a": value}) == spelled(MappingProxyType({"a": value}))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20))
def test_equal_decimals_have_one_spelling(number: Decimal) -> None:
    text = shortest(number)
    assert Decimal(text) == number
    assert "E" not in text
    assert text == "0" or not text.startswith("-0") or text.startswith("-0.")
    assert "." not in text or not text.endswith("0")
