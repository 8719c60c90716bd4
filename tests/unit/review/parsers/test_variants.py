"""Variants: stated changes to a raw call, with the results of the reference script."""

import ast
import copy
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from review.core.parsers import oip_call
from review.core.rehearsal.variants import apply_variant, variants_of
from tests.unit.review.parsers.call_files import (
    SHARED,
    SHIPPED,
    JsonObject,
    a_call,
    a_turn,
    read_one,
)

TIMED = [a_turn(k, f"t{k}", t0=k, t1=k + 0.5) for k in (1, 2, 3)]
CALL = a_call(
    turn_base=1,
    turns=TIMED,
    events=[
        {
            "id": "e1",
            "turn": 2,
            "source": "tool",
            "name": "set",
            "args": {"field": "copay", "v": 2},
        },
        {"id": "e2", "turn": 3, "source": "tool", "name": "set", "args": {}, "result_turn": 3},
        {"id": "e3", "t": 9, "source": "ui", "name": "open"},
    ],
)


@pytest.mark.parametrize(
    ("variant", "texts", "events"),
    [
        ({}, ["t1", "t2", "t3"], [("e1", 2), ("e2", 3), ("e3", None)]),
        (
            {"edit": [{"n": 2, "text": "x"}]},
            ["t1", "x", "t3"],
            [("e1", 2), ("e2", 3), ("e3", None)],
        ),
        (
            {"extra": [["agent", "x"]]},
            ["t1", "t2", "t3", "x"],
            [("e1", 2), ("e2", 3), ("e3", None)],
        ),
        ({"drop_events": ["set"]}, ["t1", "t2", "t3"], [("e3", None)]),
        ({"drop_events": ["set:copay"]}, ["t1", "t2", "t3"], [("e2", 3), ("e3", None)]),
        ({"drop_events": ["set:2", "open"]}, ["t1", "t2", "t3"], [("e2", 3)]),
        ({"order": [3, 1]}, ["t3", "t1"], [("e2", 1)]),
        ({"order": [2, 3, 1]}, ["t2", "t3", "t1"], [("e1", 1), ("e2", 2)]),
    ],
)
def test_a_variant_changes_what_it_states(
    variant: dict[str, Any], texts: list[str], events: list[tuple[str, int | None]]
) -> None:
    before = json.dumps(CALL)
    call, _ = read_one(json.loads(json.dumps(apply_variant(CALL, variant), default=float)))
    assert [turn.text for turn in call.turns] == texts
    assert [turn.number for turn in call.turns] == list(range(1, len(texts) + 1))
    assert [(event.id, event.turn) for event in call.events] == events
    assert json.dumps(CALL) == before


def test_a_reordered_call_keeps_durations_and_gaps() -> None:
    call, findings = oip_call.parse_value(apply_variant(CALL, {"order": [3, 1, 2]}), where="v")
    assert call is not None
    assert [(t.start_ms, t.end_ms) for t in call.turns] == [(600, 1100), (1700, 2200), (2800, 3300)]
    assert call.events[1].result_turn == 1
    assert findings == ()


def test_an_order_may_leave_result_turns_and_times_out() -> None:
    raw = a_call(
        turns=[a_turn(5), a_turn(6)],
        events=[{"turn": 5, "source": "tool", "name": "x", "result_turn": 6}],
    )
    changed = apply_variant(raw, {"order": [5]})
    assert changed["turns"] == [{**a_turn(5), "n": 1}]
    assert changed["events"][0] == {"turn": 1, "source": "tool", "name": "x", "result_turn": None}
    assert "t0" not in apply_variant(raw, {"extra": [["agent", "x"]]})["turns"][-1]


def test_attributes_and_the_end_can_change() -> None:
    changed = apply_variant(CALL, {"call": {"type": "other"}, "ended": None})
    assert changed["call"] == {"type": "other", "date": "2026-03-10"}
    assert changed["ended"] is None


def test_an_order_with_a_turn_the_call_has_not_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        apply_variant(CALL, {"order": [9]})


def test_variants_are_copies() -> None:
    raw = json.loads((SHIPPED / "case_micro.json").read_text("utf-8"))
    listed = variants_of(raw)
    assert [variant["id"] for variant in listed] == ["reordered", "never-asked", "identity-only"]
    listed[0]["order"].clear()
    assert raw["variants"][0]["order"] == [3, 4, 1, 2]
    assert variants_of(CALL) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_every_variant_is_what_the_reference_script_makes() -> None:
    reference = reference_variant()
    compared = 0
    for path in sorted((SHARED / "cases").glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        for raw in content.get("calls", [content]):
            for variant in variants_of(raw):
                expected = reference(raw, variant)
                ours = apply_variant(raw, variant)
                if "ended" in variant:
                    expected["ended"] = variant["ended"]
                assert plain(ours) == plain(expected), (path.name, raw["id"], variant["id"])
                compared += 1
    assert compared >= 33


def reference_variant() -> Callable[[JsonObject, JsonObject], JsonObject]:
    """Return the reference script's own function (the rest of it needs more packages)."""
    tree = ast.parse((SHARED / "oracle" / "check_catalogs.py").read_text("utf-8"))
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "variant"]
    names: dict[str, Any] = {"copy": copy}
    exec(compile(tree, "check_catalogs.py", "exec"), names)  # noqa: S102 - our own script
    function: Callable[[JsonObject, JsonObject], JsonObject] = names["variant"]
    return function


def plain(value: Any) -> Any:
    """Return a value with every number of seconds as integer milliseconds."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, (float, Decimal)):
        return round(value * 1000)
    return value
