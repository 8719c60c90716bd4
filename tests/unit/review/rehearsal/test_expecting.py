"""Expectations: what each value means, what is refused, and what each difference says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review.core.cascade.pipeline import prepare
from review.core.evaluation import Judged, judge_call
from review.core.parsers import parse_calls
from review.core.rehearsal.expecting import differences, read_expectation
from review.core.rehearsal.variants import apply_variant
from tests.unit.review.rehearsal.small import call, small

DOCUMENT = small()
CASCADE = prepare(DOCUMENT)


def judged(variant: str | None = None) -> Judged:
    """Judge the good call, or one of its variants."""
    raw = call()
    if variant is not None:
        chosen = next(one for one in raw["variants"] if one["id"] == variant)
        raw = apply_variant(raw, chosen)
    (read,) = parse_calls(json.dumps(raw).encode(), name="small.json").calls
    return judge_call(read, CASCADE)


def compared(expect: dict[str, Any], variant: str | None = None) -> list[str]:
    expectation, unfit = read_expectation(expect, DOCUMENT)
    assert unfit == ()
    return [one.text for one in differences(expectation, judged(variant))]


HOLDS: list[tuple[str | None, dict[str, Any]]] = [
    (None, {"ID": [1, 3, 1], "coverage": 1, "order_safe": 1, "call_success": 1}),
    (None, {"ID": [1, 3, "pass"], "coverage": "pass", "cds": "1/1"}),
    (None, {"required": {"PAY": True}, "facts": {"free": False}, "codes": []}),
    (None, {"edges": {"ID->TELL": True}}),
    (None, {"edges": {"ID->TELL": "safe"}}),
    (None, {"edges": {"ID->TELL": "SAFE"}, "codes": ["PASSED", "SAFE"]}),
    (None, {"flags": {"ID": ["SAFETY_CRITICAL"], "PAY": []}}),
    ("free", {"PAY": [6, 7, 1], "required": {"PAY": False}, "facts": {"free": True}}),
    ("benefits-first", {"order_safe": 0, "call_success": "fail", "cds": "0/1"}),
    ("benefits-first", {"edges": {"ID->TELL": "fail"}, "flags": {"TELL": ["ORDER_VIOLATION"]}}),
    ("benefits-first", {"codes": ["STARTED_BEFORE_PARENT_FINISHED"]}),
    ("cut", {"ID": [1, "unknown", "unknown"], "PAY": ["unknown", "unknown", "unknown"]}),
    ("cut", {"facts": {"free": None}, "required": {"PAY": None}, "coverage": "undetermined"}),
    ("cut", {"facts": {"free": "unknown"}, "required": {"PAY": "unknown"}}),
    ("cut", {"codes": ["INCOMPLETE_CALL"], "edges": {"ID->TELL": None}}),
]


@pytest.mark.parametrize(("variant", "expect"), HOLDS)
def test_what_came_out_is_taken(variant: str | None, expect: dict[str, Any]) -> None:
    assert compared(expect, variant) == []


DIFFERS: list[tuple[str | None, dict[str, Any], str]] = [
    (None, {"ID": [0, 3, 1]}, "ID: got [1, 3, pass], wanted [0, 3, pass]"),
    (None, {"ID": [1, None, 0]}, "ID: got [1, 3, pass], wanted [1, never, fail]"),
    (None, {"ID": [1, "never", "pass"]}, "ID: got [1, 3, pass], wanted [1, never, pass]"),
    (None, {"required": {"PAY": False}}, "required PAY: got true, wanted false"),
    (None, {"required": {"PAY": None}}, "required PAY: got true, wanted unknown"),
    (None, {"facts": {"free": True}}, "the fact free: got false, wanted true"),
    (None, {"facts": {"free": 0}}, "the fact free: got false, wanted 0"),
    (None, {"facts": {"free": None}}, "the fact free: got false, wanted unknown"),
    (None, {"edges": {"ID->TELL": False}}, "the edge ID->TELL: got true, wanted false"),
    (None, {"edges": {"ID->TELL": "WAIVED"}}, "the edge ID->TELL: got SAFE, wanted WAIVED"),
    (None, {"coverage": 0}, "coverage: got pass, wanted fail"),
    (None, {"order_safe": "undetermined"}, "order_safe: got pass, wanted undetermined"),
    (None, {"cds": "0/1"}, "cds: got 1/1, wanted 0/1"),
    (None, {"cds": None}, "cds: got 1/1, wanted unknown"),
    (None, {"codes": ["VACUOUS"]}, "codes of the call: got none, wanted VACUOUS"),
    (
        "benefits-first",
        {"codes": []},
        "codes of the call: got STARTED_BEFORE_PARENT_FINISHED, wanted none",
    ),
    (None, {"flags": {"PAY": ["NO_FINISH"]}}, "flags of PAY: got none, wanted NO_FINISH"),
    (None, {"flags": {"ID": []}}, "flags of ID: got SAFETY_CRITICAL, wanted none"),
    ("cut", {"ID": [1, None, 0]}, "ID: got [1, unknown, unknown], wanted [1, never, fail]"),
]


@pytest.mark.parametrize(("variant", "expect", "said"), DIFFERS)
def test_what_came_out_otherwise_is_said(
    variant: str | None, expect: dict[str, Any], said: str
) -> None:
    assert compared(expect, variant) == [said]


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"PIDD": [1, 2, 1]}, "nothing is named 'PIDD' here"),
    ({"ID": [1, 2]}, "a row is [start, finish, verdict]"),
    ({"ID": {"s": 1}}, "a row is [start, finish, verdict]"),
    ({"ID": ["soon", 2, 1]}, "'soon' is no turn"),
    ({"ID": [True, 2, 1]}, "'True' is no turn"),
    ({"ID": [1, 2, "good"]}, "'good' is no verdict"),
    ({"ID": [1, 2, 2]}, "'2' is no verdict"),
    ({"coverage": "maybe"}, "'maybe' is no outcome"),
    ({"coverage": None}, "'None' is no outcome"),
    ({"required": [1]}, "required takes names with values"),
    ({"required": {"PIDD": True}}, "required names 'PIDD'"),
    ({"required": {"PAY": 1}}, "'1' is neither true, false nor unknown"),
    ({"facts": {"paid": 1}}, "facts names 'paid'"),
    ({"facts": {"free": [1]}}, "a fact has a single value"),
    ({"edges": {"TELL->PAY": True}}, "edges names 'TELL->PAY'"),
    ({"edges": {"ID->TELL": "fine"}}, "'fine' is neither true, false nor unknown"),
    ({"codes": "SAFE"}, "a list of codes is expected"),
    ({"codes": ["SAVE"]}, "'SAVE' is no code"),
    ({"flags": {"ID": ["SAFE"]}}, "'SAFE' is no code of this kind"),
]


@pytest.mark.parametrize(("expect", "said"), UNFIT)
def test_what_cannot_be_meant_is_refused(expect: dict[str, Any], said: str) -> None:
    expectation, (unfit,) = read_expectation(expect, DOCUMENT)
    assert said in unfit.text
    assert unfit.key == next(iter(expect))
    assert differences(expectation, judged()) == ()
