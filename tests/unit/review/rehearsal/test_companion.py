"""`oip-sentences/1`: the reader and the published schema take and refuse the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import review.core.rehearsal
from catalogs.core.document.reading import read
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.rehearsal import load_sentences
from review.core.rehearsal.companion import LISTS, fitness
from tests.unit.review.rehearsal.small import small

SCHEMA: dict[str, Any] = json.loads(
    (Path(review.core.rehearsal.__file__).parent / "sentences.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
HEAD = "format: oip-sentences/1\ncatalog: small\n"
GOOD = HEAD + 'phases:\n  ID:\n    starts: ["Agent: Your birth date?"]\n    near_misses: []\n'
SHIPPED = [path.parent / "sentences" / path.name for path in SHIPPED_CATALOGS]


def test_a_good_file_is_read_with_its_lines() -> None:
    sentences, findings = load_sentences(GOOD.encode())
    assert findings == ()
    assert sentences is not None
    assert sentences.catalog == "small"
    assert sentences.of("ID", "starts") == ("Agent: Your birth date?",)
    assert sentences.of("ID", "satisfies") == ()
    assert sentences.of("TELL", "starts") == ()
    assert sentences.line("phases.ID.starts[0]") == 5
    VALIDATOR.validate(read(GOOD.encode()).value)


def test_the_schema_names_the_same_lists() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert list(SCHEMA["$defs"]["phase"]["properties"]) == list(LISTS)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("[]", "E117", "sentences:file"),
        ("phases: {ID: {}}\n" + HEAD + "extra: 1\n", "E101", "sentences:extra"),
        ("format: oip-sentences/1\nphases: {ID: {}}\n", "E102", "sentences:file"),
        (HEAD, "E102", "sentences:file"),
        (HEAD + "phases: {}\n", "E102", "sentences:file"),
        (GOOD.replace("sentences/1", "sentences/2"), "E106", "sentences:format"),
        (GOOD.replace("catalog: small", "catalog: [small]"), "E117", "sentences:catalog"),
        (HEAD + "phases: [ID]\n", "E117", "sentences:phases"),
        (HEAD + "phases: {ID: [x]}\n", "E117", "sentences:phases.ID"),
        (HEAD + "phases: {ID: {start: []}}\n", "E101", "sentences:phases.ID.start"),
        (HEAD + "phases: {ID: {starts: x}}\n", "E117", "sentences:phases.ID.starts"),
        (HEAD + "phases: {ID: {starts: [1]}}\n", "E117", "sentences:phases.ID.starts[0]"),
        (HEAD + "phases: {ID: {starts: [' ']}}\n", "E117", "sentences:phases.ID.starts[0]"),
    ],
)
def test_both_refuse(text: str, code: str, where: str) -> None:
    sentences, findings = load_sentences(text.encode())
    assert sentences is None
    assert (code, where) in {(one.code, one.where) for one in findings}
    assert all(one.line is not None for one in findings)
    assert list(VALIDATOR.iter_errors(read(text.encode()).value))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("phases: {ID: {starts: [*a]}}\n", "E115"),
        ("catalog: small\n" + HEAD, "E103"),
        ("phases: {\n", "E112"),
    ],
)
def test_yaml_is_read_as_strictly_as_a_catalog(text: str, code: str) -> None:
    sentences, findings = load_sentences(text.encode())
    assert sentences is None
    assert code in {one.code for one in findings}


def test_a_file_that_fits_no_catalog_says_so() -> None:
    text = "format: oip-sentences/1\ncatalog: big\nphases: {GONE: {}}\n"
    sentences, _ = load_sentences(text.encode())
    assert sentences is not None
    found = fitness(sentences, small())
    assert [one.where for one in found if one.code == "E520"] == [
        "sentences:catalog",
        "sentences:phases.GONE",
    ]
    assert sum(1 for one in found if one.code == "W525") == 9


@pytest.mark.parametrize("path", [path for path in SHIPPED if path.is_file()], ids=lambda p: p.stem)
def test_shipped_sentences_fit_reader_and_schema(path: Path) -> None:
    sentences, findings = load_sentences(path.read_bytes())
    assert findings == ()
    assert sentences is not None
    assert list(VALIDATOR.iter_errors(read(path.read_bytes()).value)) == []
