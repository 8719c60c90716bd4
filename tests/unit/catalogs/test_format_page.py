"""docs/catalog-format.md names every key and every loading code, and its example is a catalog."""

import re
from pathlib import Path

import pytest

from catalogs.core.document import load_document
from catalogs.core.document.shapes import SHAPES
from catalogs.core.linter import FATAL, GUARD_RULES, guard, lint

PAGE = (Path(__file__).parents[3] / "docs" / "catalog-format.md").read_text(encoding="utf-8")


def test_the_example_loads_and_passes_the_guard() -> None:
    hit = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert hit is not None
    data = hit[1].encode()
    assert guard(data) == ()
    document, _ = load_document(data)
    assert document is not None
    assert lint(document) == ()


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_every_key_has_its_line(name: str) -> None:
    assert [key for key in SHAPES[name] if f"| `{key}` | " not in PAGE] == []


def test_every_loading_code_is_explained_and_marked() -> None:
    rows = re.findall(r"^\| ((?:[EW]\d{3}(?:, )?)+)( †)? \|", PAGE, re.MULTILINE)
    explained = {code: bool(mark) for codes, mark in rows for code in codes.split(", ")}
    assert {code for code, fatal in explained.items() if fatal} == FATAL
    assert {rule.code for rule in GUARD_RULES} <= set(explained)
