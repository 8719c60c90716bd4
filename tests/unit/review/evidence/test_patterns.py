"""The compiled patterns of a catalog: the quick search finds what the library's own finds."""

from __future__ import annotations

import pytest

from tests.golden.judged import cascade_of, raw_case

CATALOGS = ("benefits_verification", "respiratory_history", "nurse_triage", "debt_collection")


@pytest.mark.parametrize("stem", CATALOGS)
def test_the_first_span_is_that_of_the_librarys_search(stem: str) -> None:
    table = cascade_of(stem).table
    texts = [turn["text"] for turn in raw_case("case_b_call")["turns"]]
    texts += ["", "Ma\u00f1ana \u20ac5, ok?", "what is your date of birth? I am a nurse, $10.50"]
    met = 0
    for text in (text.encode() for text in texts):
        for find, single in zip(table.first_spans, table.singles, strict=True):
            match = single.search(text)
            assert find(text) == (match.span() if match else (-1, -1))
            met += match is not None
    assert met > 10
