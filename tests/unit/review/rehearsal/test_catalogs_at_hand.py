"""The catalogs that ship, and those of the shared folder where it is laid out: their tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalogs.core.document import load_document
from catalogs.core.findings import Severity
from review.core.rehearsal import load_sentences, rehearse
from review.management.shipped import SHIPPED_CASES, SHIPPED_CATALOGS

SHARED = Path(__file__).resolve().parents[5] / "shared"
AT_HAND = [*SHIPPED_CATALOGS, *sorted((SHARED / "catalogs").glob("*.yaml"))]
WITH_SENTENCES = [
    path for path in SHIPPED_CATALOGS if (path.parent / "sentences" / path.name).is_file()
]
CASES = [*SHIPPED_CASES, *sorted((SHARED / "cases").glob("*.json"))]


def calls(name: str) -> bytes | None:
    path = next((path for path in CASES if path.name == name), None)
    return None if path is None else path.read_bytes()


@pytest.mark.parametrize("path", AT_HAND, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_examples_and_tests_have_no_error(path: Path) -> None:
    document, findings = load_document(path.read_bytes())
    assert document is not None, findings
    done = rehearse(document, calls=calls)
    errors = [one for one in done.findings if one.severity is Severity.ERROR]
    assert errors == []
    assert done.counts["tests"] > 0
    assert done.counts["failing"] == 0
    assert done.counts["killed"] > 0


@pytest.mark.parametrize("path", WITH_SENTENCES, ids=lambda path: path.stem)
def test_shipped_sentences_are_run(path: Path) -> None:
    companion = path.parent / "sentences" / path.name
    document, _ = load_document(path.read_bytes())
    sentences, _ = load_sentences(companion.read_bytes())
    assert document is not None
    assert sentences is not None
    done = rehearse(document, calls=calls, sentences=sentences)
    assert {"E520", "E524"} & {one.code for one in done.findings} == set()
    assert {one.kind for one in done.sentences} >= {"starts", "satisfies", "near_misses"}
