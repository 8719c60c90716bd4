"""Every bad example of the reference program's self-test gets the same code from us.

The reference builds its examples inside its own function; here its lint is replaced by one that
keeps what it is given and finds nothing, so that it prints every code it misses. It lives outside
the repository; the test is skipped without it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from catalogs.core.document import Document, load_document
from catalogs.core.linter import lint, lint_against
from review.core.rehearsal import rehearse
from review.core.rehearsal.texts import REHEARSAL

SHARED = Path(__file__).resolve().parents[5] / "shared"
TODAY = date(2026, 11, 29)
REHEARSED = {entry.code for entry in REHEARSAL}
pytestmark = [
    pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder is not laid out here"),
    # The reference program leaves its files open; that is not our bug to fail on.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Example(NamedTuple):
    """A catalog as the reference builds it, beside which others, and the code it must get."""

    code: str
    catalog: dict[str, Any]
    previous: dict[str, Any] | None
    siblings: Sequence[dict[str, Any]]
    base: dict[str, Any] | None


def bad_examples() -> tuple[list[Example], str]:
    """Run the self-test with a lint that finds nothing; also return its text with a key twice."""
    path = SHARED / "oracle" / "check_catalogs.py"
    spec = importlib.util.spec_from_file_location("oracle_selftest", path)
    assert spec is not None
    assert spec.loader is not None
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    given: list[tuple[Any, ...]] = []
    texts: list[str] = []
    load = oracle.load

    def keep(
        catalog: Any, previous: Any = None, siblings: Any = (), base: Any = None, **_: Any
    ) -> list[Any]:
        given.append((catalog, previous, siblings, base))
        return []

    def loading(path_or_text: str) -> Any:
        texts.extend([path_or_text] if "\n" in path_or_text else [])
        return load(path_or_text)

    oracle.lint, oracle.load = keep, loading  # type: ignore[attr-defined]  # a module's globals
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        oracle.selftest()
    lines = [line.split() for line in printed.getvalue().splitlines()]
    codes = [words[1] for words in lines if words[0] == "MISSING"]
    return [Example(code, *row) for code, row in zip(codes, given, strict=True)], texts[0]


def test_every_bad_example_gets_its_code() -> None:
    examples, twice = bad_examples()
    assert len({one.code for one in examples}) >= 75
    missed = {one.code: found for one in examples if one.code not in (found := codes_of(one))}
    assert missed == {}
    assert {finding.code for finding in load_document(twice.encode())[1]} == {"E103"}


#: Most examples stand beside the same few catalogs.
load_once = cache(load_document)


def codes_of(example: Example) -> set[str]:
    document, loading = load_once(written(example.catalog))
    codes = {finding.code for finding in loading}
    if document is None:
        return codes
    previous, base = loaded(example.previous), loaded(example.base)
    siblings = [one for one in map(loaded, example.siblings) if one is not None]
    found = [
        *lint(document, today=TODAY),
        *lint_against(document, previous=previous, siblings=siblings, base=base),
    ]
    # Only what needs the engine is worth the time of a rehearsal.
    if example.code in REHEARSED:
        found += rehearse(document, calls=calls, today=TODAY).findings
    return codes | {finding.code for finding in found}


def loaded(catalog: dict[str, Any] | None) -> Document | None:
    return None if catalog is None else load_once(written(catalog))[0]


def written(catalog: dict[str, Any]) -> bytes:
    return yaml.safe_dump(catalog, sort_keys=False, allow_unicode=True).encode()


def calls(name: str) -> bytes | None:
    path = SHARED / "cases" / name
    return path.read_bytes() if path.is_file() else None
