"""The published schema of oip-call/1 says what the reader does."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from review.core.parsers import oip_call
from review.core.transcript import MAX_CHARACTERS, MAX_TURNS, EventSource, TurnKind
from review.core.transcript.neutral import about, events, sequence
from tests.unit.review.parsers.call_files import ROOT, SHARED, SHIPPED, a_call, a_turn, written
from tests.unit.review.parsers.test_registry import SHAPED_VALUES

SCHEMA = json.loads((ROOT / "review/core/parsers/oip_call.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
PARTS = SCHEMA["$defs"]


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        (SCHEMA, oip_call.CALL_KEYS),
        (PARTS["speaker"], about.SPEAKER_KEYS),
        (PARTS["participant"], about.PARTICIPANT_KEYS),
        (PARTS["source"], about.SOURCE_KEYS),
        (PARTS["turn"], sequence.TURN_KEYS),
        (PARTS["event"], events.EVENT_KEYS),
    ],
)
def test_the_known_keys_are_the_same(part: dict[str, Any], keys: frozenset[str]) -> None:
    assert set(part["properties"]) == keys
    assert part["additionalProperties"] is False


def test_the_words_and_limits_are_the_same() -> None:
    turn = PARTS["turn"]["properties"]
    assert set(turn["kind"]["enum"]) == {kind.value for kind in TurnKind}
    assert set(PARTS["event"]["properties"]["source"]["enum"]) == {s.value for s in EventSource}
    assert turn["text"]["maxLength"] == MAX_CHARACTERS
    assert SCHEMA["properties"]["turns"]["maxItems"] == MAX_TURNS


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.json")), ids=lambda path: path.name)
def test_the_shipped_cases_are_valid(path: Any) -> None:
    content = json.loads(path.read_text("utf-8"))
    for call in content.get("calls", [content]):
        VALIDATOR.validate(call)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_the_drafts_are_valid() -> None:
    for call in json.loads((SHARED / "cases/case_drafts.json").read_text("utf-8"))["calls"]:
        VALIDATOR.validate(call)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"turns": []},
        {"turns": [{"n": 1, "speaker": "agent"}]},
        {"turns": [a_turn(-1)]},
        {"events": [{"source": "ui", "name": "x"}]},
        {"events": [{"source": "log", "name": "x", "turn": 1}]},
        {"speakers": {"agent": 7}},
        {"call": {"drugs": ["aspirin"]}},
        {"mood": 1},
    ],
)
def test_what_the_reader_reports_is_not_valid(changes: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(a_call(**changes))


@given(SHAPED_VALUES, SHAPED_VALUES)
@settings(max_examples=100, deadline=None)
def test_a_valid_call_is_refused_only_for_what_no_schema_can_say(turn: Any, event: Any) -> None:
    turns = [a_turn(1), {**a_turn(2), **turn}] if isinstance(turn, dict) else [a_turn(1)]
    changed = {"source": "ui", "name": "x", "turn": 1, **event} if isinstance(event, dict) else None
    raw = a_call(turns=turns, events=[changed] if changed else [])
    if VALIDATOR.is_valid(raw):
        _, findings = oip_call.parse(written(raw), name="x.json")
        errors = {f.code for f in findings if f.severity.value == "error"}
        beyond = {"duplicate_turn", "event_without_place", "lone_surrogate", "nul_character"}
        assert errors <= beyond
