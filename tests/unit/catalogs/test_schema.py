"""The published schema.json and the loader say the same."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from catalogs.core.document import load_document
from catalogs.core.document.reading import read
from catalogs.core.document.shapes import MATCHER_KINDS, SHAPES, Kind, Many
from tests.unit.catalogs.catalog_text import NAMES, edited, shipped

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "catalogs" / "core" / "schema.json").read_text()
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
TYPES = {Kind.TRUTH: "boolean", Kind.COUNT: "integer", Kind.NUMBER: "number", Kind.TEXT: "string"}


def as_json(value: object) -> object:
    """Return plain values the way JSON has them: dates are strings."""
    match value:
        case dict():
            return {key: as_json(item) for key, item in value.items()}
        case list():
            return [as_json(item) for item in value]
        case date():
            return value.isoformat()
        case _:
            return value


def complaints(data: bytes) -> list[str]:
    return [found.message for found in VALIDATOR.iter_errors(as_json(read(data).value))]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$ref"] == "#/$defs/catalog"


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_same_keys_and_same_duties(name: str) -> None:
    published = SCHEMA["$defs"][name]
    assert list(published["properties"]) == list(SHAPES[name])
    assert published["additionalProperties"] is False
    required = [key for key, field in SHAPES[name].items() if field.required]
    assert published.get("required", []) == required
    assert all(described["description"] for described in published["properties"].values())


def test_same_shapes() -> None:
    assert list(SCHEMA["$defs"]) == list(SHAPES)


FIELDS = [(name, key) for name, shape in SHAPES.items() for key in shape]


@pytest.mark.parametrize(("name", "key"), FIELDS)
def test_same_values(name: str, key: str) -> None:
    field = SHAPES[name][key]
    published = SCHEMA["$defs"][name]["properties"][key]
    options = published.get("anyOf", [published])
    assert ({"type": "null"} in options) == field.nullable
    value = options[0]
    if field.many is Many.LIST:
        assert value["type"] == "array"
        assert value.get("minItems", 0) == int(field.required and not field.may_be_empty)
        value = value["items"]
    elif field.many is Many.MAP:
        assert value["type"] == "object"
        value = value["additionalProperties"]
    elif field.many is Many.LISTS:
        assert value["additionalProperties"]["type"] == "array"
        value = value["additionalProperties"]["items"]
    if field.kind is Kind.SHAPED:
        assert value["$ref"] == f"#/$defs/{field.shape}"
    elif field.choices:
        assert value["enum"] == list(field.choices)
    elif field.kind in TYPES:
        assert value["type"] == TYPES[field.kind]
    assert value.get("minimum") == field.least


def test_same_matchers() -> None:
    published = SCHEMA["$defs"]["matcher"]
    for variant in published["oneOf"]:
        (kind,) = variant["required"]
        beside = set(published["properties"]) - set(variant["properties"]) - {kind}
        assert beside == MATCHER_KINDS[kind]


@pytest.mark.parametrize("name", NAMES)
def test_shipped_catalogs_fit(name: str) -> None:
    assert complaints(shipped(name)) == []


BAD: list[tuple[str, tuple[str, str], str]] = [
    ("unknown key at the top", ("clock: exact", "clocks: exact"), "E101"),
    ("unknown key in a phase", ("    critical_parents:", "    critical_parent:"), "E101"),
    ("unknown key in a matcher", ("where: {section: formulary}", "wher: {}"), "E101"),
    ("unknown key in an item", ("        text: Amount", "        texts: Amount"), "E101"),
    ("unknown key in a source", ('says: "Provider NPI', 'say: "Provider NPI'), "E101"),
    ("missing title", ("title: Payer", "# title: Payer"), "E102"),
    ("missing intent", ("    intent: Learn whether", "    note: Learn whether"), "E102"),
    ("empty name", ("name: Patient identification", "name: ''"), "E102"),
    (
        "no accept item",
        (
            "accept:\n      - id: amount",
            "accept: []\n    starts_on: ask\n    x:\n      - id: amount",
        ),
        "E102",
    ),
    ("no window", ("effective: {from: 2026-01-01, to", "effective: {to"), "E102"),
    ("bad phase id", ("id: CRN", "id: call ref"), "E105"),
    ("bad fact name", ("  copay_usd:\n", "  Copay:\n"), "E105"),
    ("other format", ("oip-catalog/1", "oip-catalog/9"), "E106"),
    ("version", ("version: 1.0.0", "version: v1"), "E107"),
    ("item id", ("- id: plan", "- id: yes"), "E109"),
    ("wrong type", ("low_harm: true", "low_harm: 1"), "E117"),
    ("list wanted", ("basis: [SITE]", "basis: SITE"), "E117"),
    ("unknown choice", ("clock: exact ", "clock: rough "), "E118"),
    ("too small", ("turn_base: 1", "turn_base: -1"), "E118"),
    (
        "two kinds of matcher",
        ("{ui: worksheet.section_opened,", "{re: x, ui: worksheet.section_opened,"),
        "E119",
    ),
    ("no kind of matcher", ("{ui: worksheet.section_opened, where", "{where"), "E119"),
    (
        "key of another kind",
        ("{ui: worksheet.section_opened,", "{ok: true, ui: worksheet.section_opened,"),
        "E119",
    ),
    ("for_each", ("for_each: call.medications", "for_each: medications"), "E410"),
    ("finish", ("finish: all_accepted ", "finish: last "), "E418"),
]


@pytest.mark.parametrize(("change", "code"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_both_refuse(change: tuple[str, str], code: str) -> None:
    old, new = change
    data = edited((old.replace("        text: Amount", "        text: An amount"), new))
    assert code in {finding.code for finding in load_document(data)[1]}
    assert complaints(data) != []
