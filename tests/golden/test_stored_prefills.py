"""The pre-fill of every case of the reference program, whole: rows, provenance, spans, facts and
flag sentences are those that were stored, and its rows are the reference's own.
"""

from __future__ import annotations

import json
from math import isinf
from typing import Any

import pytest

from review.core.cascade.pipeline import prefill
from tests.bench.cascades import STORED, read, written
from tests.bench.oracle import Pair, pairs

PAIRS = list(pairs())
pytestmark = pytest.mark.skipif(not PAIRS, reason="the shared folder is not laid out here")


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_the_prefill_is_the_stored_one(pair: Pair) -> None:
    stored = json.loads(STORED.read_text("utf-8"))
    assert set(stored) == {one.name for one in PAIRS}
    assert written(prefill(*read(pair))) == stored[pair.name]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_the_stored_one_agrees_with_the_reference(pair: Pair) -> None:
    reference: Any = pair.run()
    stored = json.loads(STORED.read_text("utf-8"))[pair.name]
    numbers = {phase: [row["start"], row["finish"]] for phase, row in stored["rows"].items()}
    assert numbers == {
        phase: [_point(row["s"]), _point(row["e"])] for phase, row in reference["rows"].items()
    }
    found = [stored[name] == "pass" for name in ("coverage", "order_safe", "call_success")]
    assert found == [reference[name] == 1 for name in ("coverage", "order_safe", "call_success")]


def _point(turn: float) -> object:
    return "never" if isinf(turn) else turn
