"""Evidence that people read: whole words and numbers, or the exact span."""

from __future__ import annotations

import pytest

from review.core.evidence.spans import whole_words


@pytest.mark.parametrize(
    ("text", "matched", "read"),
    [
        ("your copay is $10 today", "$1", "$10"),
        ("it is $1,250.50 a year", "$1", "$1,250.50"),
        ("it is $90. Next", "$9", "$90"),
        ("February fourth, nineteen eighty", "February fourth, nine", "February fourth, nineteen"),
        ("the date matches", "date", "date"),
        ("undated", "date", "undated"),
        ("reference number 8841", "reference number 8", "reference number 8841"),
        ("a co-pay", "pay", "pay"),
        ("at 10:45", "10", "10:45"),
        ("x" * 80, "xx", "xx"),
    ],
)
def test_a_cut_word_is_read_whole(text: str, matched: str, read: str) -> None:
    start = text.index(matched)
    first, last = whole_words(text, start, start + len(matched))
    assert text[first:last] == read


def test_an_empty_span_stays_empty() -> None:
    assert whole_words("copay", 2, 2) == (2, 2)
