"""Spans in code points of the stored text, whatever the script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.evidence.spans import commit, cut, nfc_map, widen
from tests.unit.review.cascade.small import call, catalog, item, phase, read, said

COMBINED = "e\u0301"  # e and a combining acute, which NFC joins


@pytest.mark.parametrize(
    ("text", "pattern", "quote"),
    [
        ("the member matches", "matches", "matches"),
        ("\U0001f600 it matches \U0001f600", "matches", "matches"),
        ("\u05d4\u05d9\u05d0 matches \u05db\u05df", "matches", "matches"),
        (f"caf{COMBINED} matches", "matches", "matches"),
        (f"a caf{COMBINED} here", "caf\u00e9", f"caf{COMBINED}"),
        (f"{COMBINED}{COMBINED}x", "\u00e9x", f"{COMBINED}x"),
        ("\u1112\u1161\u11ab matches", "\ud55c", "\u1112\u1161\u11ab"),
    ],
    ids=["ascii", "emoji", "hebrew", "combining-before", "combining-inside", "two", "jamo"],
)
def test_the_quote_is_what_was_said(text: str, pattern: str, quote: str) -> None:
    filled = read(
        catalog(phase("PID", [], [item("match", said(pattern, "rep"))])), call(("rep", text))
    )
    evidence = filled.rows["PID"].evidence[0]
    assert cut(text, evidence.start, evidence.end) == quote


def test_a_text_that_is_not_nfc_is_said_to_be_so() -> None:
    filled = read(catalog(phase("PID", [], [item("m", said("x", "rep"))])), call(("rep", COMBINED)))
    assert [finding.code for finding in filled.findings] == ["not_nfc"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_the_map_leads_every_span_back_to_whole_characters(text: str) -> None:
    copy, offsets = nfc_map(text)
    assert copy == unicodedata.normalize("NFC", text)
    assert len(offsets) == len(copy) + 1
    for start in range(len(copy)):
        first, last = widen(offsets, start, start + 1)
        assert copy[start] in unicodedata.normalize("NFC", text[first:last])


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, 99)])
def test_a_span_outside_the_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="does not lie inside"):
        cut("short", start, end)


def test_a_commitment_needs_both_the_words_and_the_nonce() -> None:
    nonce = bytes(32)
    assert commit("matches", nonce) == commit("matches", nonce)
    assert commit("matches", nonce) != commit("matched", nonce)
    assert commit("matches", nonce) != commit("matches", b"\x01" * 32)
