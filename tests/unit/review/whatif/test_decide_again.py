"""*Decide again* over stored rows: as the plain engine gives it, call by call."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from review.core.predicates import EdgeRule, Outcome, PhaseRule, Plan
from review.core.predicates.batch import StoredCall
from review.core.row_values import (
    deciding_row_from_json,
    deciding_rows,
    row_to_json,
    rows_from_deciding,
)
from review.core.rows import NEVER, Evidence, Row, Verdict
from review.core.whatif import Change, Past, decide_again, tally
from tests.reference.random_calls import random_call
from tests.unit.review.predicates.batching import one_by_one
from tests.unit.review.predicates.plain_calls import plan_of_plain, row_of_plain

PID, CSV, BYE = (PhaseRule(name, True, None, False) for name in ("PID", "CSV", "BYE"))
LOOSE = Plan((PID, CSV), (PID, CSV), (), {})
EDGE = EdgeRule("PID", "CSV", same_turn=False, per_item=False)
STRICT = replace(LOOSE, edges=(EDGE,))
LONGER = Plan((PID, CSV, BYE), (PID, CSV, BYE), (), {})
SHOWN = (Evidence("item", 1, 0, 1, "x"),)


def passed(phase: str, start: int, finish: int) -> Row:
    return Row(phase, start, finish, Verdict.PASS, SHOWN)


def past(*rows: Row, name: str = "one", signed: bool = False) -> Past:
    return Past(name, StoredCall({row.phase: row for row in rows}, {}, {}, True), signed)


EARLY = (passed("PID", 1, 5), passed("CSV", 3, 6))


@pytest.mark.parametrize(
    ("old", "new", "change", "edges", "missing"),
    [
        (LOOSE, LOOSE, Change.SAME, (), ()),
        (LOOSE, STRICT, Change.PASS_TO_FAIL, ("PID→CSV",), ()),
        (STRICT, LOOSE, Change.FAIL_TO_PASS, ("PID→CSV",), ()),
        # A phase that was never looked for is no pass.
        (LOOSE, LONGER, Change.TO_UNDETERMINED, (), ("BYE",)),
        (LONGER, LOOSE, Change.FROM_UNDETERMINED, (), ()),
    ],
)
def test_what_becomes_of_a_call(
    old: Plan, new: Plan, change: Change, edges: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    [found] = decide_again(old, new, [past(*EARLY)])
    assert (found.change, found.edges, found.missing) == (change, edges, missing)


def test_rows_that_change_are_named() -> None:
    optional = replace(CSV, always=False)
    lenient = replace(LOOSE, phases=(PID, optional), order=(PID, optional))
    call = past(passed("PID", 1, 2), Row("CSV", NEVER, NEVER, Verdict.FAIL))
    [found] = decide_again(LOOSE, lenient, [call])
    assert (found.change, found.rows) == (Change.FAIL_TO_PASS, ("CSV",))


def test_a_tally_counts_signed_calls_and_shows_five() -> None:
    calls = [past(*EARLY, name=str(at), signed=at < 3) for at in range(8)]
    found = tally(decide_again(LOOSE, STRICT, calls))
    assert (found.calls, found.by_change[Change.PASS_TO_FAIL]) == (8, 8)
    assert found.signed[Change.PASS_TO_FAIL] == 3
    assert [one.id for one in found.examples[Change.PASS_TO_FAIL]] == ["0", "1", "2", "3", "4"]
    assert found.needs_annotation == 0


def test_random_calls_come_out_as_by_the_plain_engine() -> None:
    draw = Random(31)  # noqa: S311 - chooses test cases
    seen: set[Change] = set()
    for _ in range(400):
        raw = random_call(draw)
        old = plan_of_plain(raw)
        new = changed(old, draw)
        rows = {name: row_of_plain(name, one) for name, one in raw["rows"].items()}
        stored = StoredCall(rows, raw["facts"], raw["attributes"], raw["ended"])
        # Read back from what is stored, with nothing but what decides.
        read = {name: deciding_row_from_json(row_to_json(row)) for name, row in rows.items()}
        assert rows_from_deciding(json.loads(json.dumps(deciding_rows(rows.values())))) == read
        [found] = decide_again(old, new, [Past("x", stored._replace(rows=read), signed=False)])
        before, after = one_by_one(old, stored), one_by_one(new, stored)
        assert (found.before, found.after) == (before.call_success, after.call_success)
        assert bool(found.rows) == (_codes(old, before) != _codes(new, after))
        seen.add(found.change)
        if found.after is Outcome.PASS:
            assert not found.missing
    assert len(seen) > 2


def _codes(plan: Plan, verdicts: object) -> dict[str, object]:
    codes = verdicts.phases  # type: ignore[attr-defined]
    return dict(zip([rule.id for rule in plan.phases], codes, strict=True))


def changed(plan: Plan, draw: Random) -> Plan:
    """Drop an edge, loosen one, make a phase optional, or add one that no row knows."""
    match draw.randrange(4):
        case 0:
            return replace(plan, edges=plan.edges[1:])
        case 1:
            return replace(plan, edges=tuple(replace(e, same_turn=True) for e in plan.edges))
        case 2:
            kept = {rule.id: replace(rule, always=False) for rule in plan.phases}
            return replace(
                plan,
                phases=tuple(kept[rule.id] for rule in plan.phases),
                order=tuple(kept[rule.id] for rule in plan.order),
            )
        case _:
            new = PhaseRule("NEW", True, None, False)
            return replace(plan, phases=(*plan.phases, new), order=(*plan.order, new))
