"""*Decide again* over stored calls: the time of 100,000, beside reading what decides of memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from time import process_time

import orjson

from review.core.evaluation import judge_call
from review.core.predicates import Plan
from review.core.predicates.batch import StoredCall
from review.core.row_values import deciding_row_from_json, row_to_json
from review.core.rows import NEVER, Evidence, Row, Verdict
from review.core.whatif import Change, Past, Standing, Stored, decide_again, read_again, tally
from tests.bench.peers import plan_of
from tests.bench.synthetic import cut, peer_calls
from tests.golden.judged import cascade_of, judged, raw_case

CALLS = 100_000
PHASES = 12
_AT_ONCE = 5_000
#: Seconds, on two cores (issue 7).
TARGET = 20
_READINGS = 300
_CORES = 2
_FAR = 1 << 30
_SHOWN = (Evidence("stored", 0, 0, 0, "stored"),)


def whatif() -> list[str]:
    """Time the deciding of stored rows by two versions; reading them from JSON is its own line."""
    old, new = _plans()
    deciding = reading = touching = 0.0
    changed = 0
    for texts in _stored():
        start = process_time()
        calls = [_read(text) for text in texts]
        reading += process_time() - start
        start = process_time()
        found = tally(decide_again(old, new, calls))
        deciding += process_time() - start
        changed += found.calls - found.by_change[Change.SAME]
        start = process_time()
        sum(hash(row.start) ^ hash(row.finish) for one in calls for row in one.call.rows.values())
        touching += process_time() - start
    assert changed, "dropping an edge changes no call: the bench measures nothing"
    within = "within" if deciding + reading < TARGET else "NOT within"
    whole = reading + deciding
    return [
        f"decide again, {CALLS:,} stored calls of {PHASES} phases by two versions: {whole:.1f} s "
        f"on one core, {within} {TARGET} s; {deciding:.1f} s of it "
        f"deciding, {reading:.1f} s reading their JSON",
        f"decide again: {touching / deciding:.0%} of deciding is what reading starts and finishes "
        f"once takes",
        _read_again(),
    ]


def _read_again() -> str:
    """Time the reading of one call of 100 turns, compared with what stands, without the store."""
    cascade = cascade_of("benefits_verification")
    call = judged("benefits_verification", cut(raw_case("case_b_call"))).call
    found = judge_call(call, cascade).filled
    rows = {name: Standing(row.start, row.finish, row.verdict) for name, row in found.rows.items()}
    stored = Stored("", call, False, found.decision.call_success, rows)
    assert not read_again(cascade, stored).says_something
    start = process_time()
    for _ in range(_READINGS):
        read_again(cascade, stored)
    each = (process_time() - start) / _READINGS
    return (
        f"read again, a call of 100 turns: {1000 * each:.2f} ms, so 10,000 in "
        f"{10_000 * each / _CORES:.0f} s on {_CORES} cores (30 s asked; make bench-whatif "
        "measures it from the store)"
    )


def _plans() -> tuple[Plan, Plan]:
    plan, _ = peer_calls(1, phases=PHASES, seed=7)
    old = plan_of(plan)
    return old, replace(old, edges=old.edges[1:])


def _stored() -> Iterator[list[str]]:
    """Yield the calls as JSON, a few thousand at a time: all at once would fill the memory."""
    plan, rows = peer_calls(CALLS, phases=PHASES, seed=7)
    for first in range(0, CALLS, _AT_ONCE):
        yield [
            json.dumps([row_to_json(row) for row in _rows(plan["ids"], columns)])
            for columns in rows[first : first + _AT_ONCE]
        ]


def _rows(ids: list[str], columns: tuple[list[int], ...]) -> Iterator[Row]:
    for name, start, finish, ok, _ in zip(ids, *columns, strict=True):
        yield Row(
            name,
            start,
            NEVER if finish == _FAR else finish,
            Verdict.PASS if ok else Verdict.FAIL,
            _SHOWN,
        )


def _read(text: str) -> Past:
    rows = [deciding_row_from_json(one) for one in orjson.loads(text)]
    return Past("", StoredCall({row.phase: row for row in rows}, {}, {}, True), signed=False)
