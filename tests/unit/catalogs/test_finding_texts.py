"""Every code has its reference text, and every text its code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import catalogs.core
from catalogs.core.linter import FATAL, RULES
from catalogs.core.linter.against import CODES
from catalogs.core.linter.texts import ENTRIES, Entry

SOURCES = sorted(Path(catalogs.core.__file__).parent.rglob("*.py"))
CODE = re.compile(r'"([EW][1-9][0-9]{2})"')


def test_every_code_has_one_text() -> None:
    written = {
        code
        for path in SOURCES
        if path.parent.name != "texts"
        for code in CODE.findall(path.read_text("utf-8"))
    }
    texts = [entry.code for entry in ENTRIES]
    assert len(texts) == len(set(texts))
    assert set(texts) == written | FATAL
    assert {rule.code for rule in RULES} | set(CODES) <= set(texts)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_texts_are_sentences(entry: Entry) -> None:
    for sentence in (entry.what, entry.why, entry.mend):
        assert sentence[0].isupper() or not sentence[0].isalpha() or "_" in sentence.split()[0]
        assert sentence.endswith(".")
        assert len(sentence) > 5
