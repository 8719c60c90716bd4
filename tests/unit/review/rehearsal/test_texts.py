"""Every code of the rehearsal has its reference text, and no code has two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import review.core.rehearsal
from catalogs.core.linter.texts import ENTRIES, Entry
from review.core.rehearsal.texts import REFERENCE, REHEARSAL

SOURCES = sorted(Path(review.core.rehearsal.__file__).parent.glob("*.py"))


def test_every_code_has_one_text() -> None:
    written = {
        code
        for path in SOURCES
        if path.name != "texts.py"
        for code in re.findall(r'"([EW][1-9][0-9]{2})"', path.read_text("utf-8"))
    }
    assert written == {entry.code for entry in REHEARSAL} | SHAPE
    assert len(REFERENCE) == len(ENTRIES) + len(REHEARSAL)


SHAPE = {"E101", "E102", "E106", "E117"}
"""What the reader of sentences shares with that of catalogs."""


@pytest.mark.parametrize("entry", REHEARSAL, ids=lambda entry: entry.code)
def test_texts_are_sentences(entry: Entry) -> None:
    assert all(text.endswith(".") and len(text) > 5 for text in entry[1:])


def test_the_order_is_that_of_the_numbers() -> None:
    assert list(REFERENCE) == sorted(REFERENCE, key=lambda code: code[1:])
