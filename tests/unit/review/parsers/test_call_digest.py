"""The digest of a call cut out of a file: that of its sorted ASCII text, whoever writes it."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from review.core.transcript import call_digest

_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.text(),
    st.sampled_from(["\x7f", "\ud800", "\x00\x1f\t\n", "\u2028", "é", "😀", '"\\/']),
)
_CALLS = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(_CALLS)
def test_every_value_has_the_digest_of_its_sorted_ascii_text(value: object) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    assert call_digest(value) == hashlib.sha256(text.encode("ascii")).hexdigest()


def test_a_stored_digest_stands() -> None:
    call = {
        "id": "c1",
        "turns": [{"n": 0, "t0": Decimal("1.50"), "text": "Hi \x7f é"}],
        "big": 2**70,
    }
    assert call_digest(call) == "30cd17f6355264cfc856bab1e07a5a702c52f7ae0049a3bb3c68f421c97d1f49"
