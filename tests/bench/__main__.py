"""`make bench`: each line is a ratio to a baseline timed in the same run, round by round.

The absolute figures of a machine mean nothing to another; the ratios do.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import re2

from review.core.evidence.words import SILENT, read_words
from review.core.parsers import parse_calls
from review.core.predicates import Decision, decide
from review.core.predicates.batch import PlainCall, decide_many
from review.core.transcript import Call
from tests.bench.cascades import cascade
from tests.bench.peers import evaluate, plan_of
from tests.bench.synthetic import peer_calls
from tests.bench.timing import ratio
from tests.bench.whatif import whatif
from tests.golden.judged import cascade_of, raw_case
from tests.reference.decision_reference import decide as reference_decide
from tests.reference.random_calls import random_call
from tests.unit.review.predicates.comparing import differences
from tests.unit.review.predicates.plain_calls import plan_of_plain, rows_of_plain

_CALLS = 2_000
_SEED = 7


def main() -> int:
    """Print every ratio; an AssertionError says that a timed result is not the stored one."""
    for line in (*engine(), *batch(), *scan(), *cascade(), *whatif(), *catastrophes()):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def engine() -> list[str]:
    """Time the decision of random calls against the reference of the tests.

    Both get what they read ready-made: the reference its plain values, the product its plan and
    rows, as the call page has them of the store. The reference leaves out why a phase is not owed
    and which other one blocks it, and the turns and the item from which an edge was read.
    """
    draw = Random(_SEED)  # noqa: S311 - chooses calls
    calls = [random_call(draw) for _ in range(_CALLS // 4)]
    ready = [(plan_of_plain(call), rows_of_plain(call), call) for call in calls]

    def ours() -> list[Decision]:
        return [
            decide(
                plan, rows, facts=call["facts"], attributes=call["attributes"], ended=call["ended"]
            )
            for plan, rows, call in ready
        ]

    def reference() -> list[dict[str, Any]]:
        return [reference_decide(call) for call in calls]

    for expected, decision in zip(reference(), ours(), strict=True):
        assert differences(expected, decision) == []
    times, best, _ = ratio(ours, reference)
    rate = len(calls) / best
    return [f"engine, random calls: {times:.1f} x the tests' reference ({rate:,.0f} calls/s)"]


def batch() -> list[str]:
    """Time many plain calls at once against deciding them one by one."""
    plan, rows = peer_calls(_CALLS, phases=6, seed=_SEED)
    ours = plan_of(plan)
    calls = [PlainCall(starts, finishes, passed) for starts, finishes, passed, _ in rows]
    at_once = [one.call_success.value == "pass" for one in decide_many(ours, calls)]
    assert at_once == evaluate(plan, rows)
    times, best, _ = ratio(lambda: decide_many(ours, calls), lambda: evaluate(plan, rows))
    return [f"batch: {times:.1f} x deciding one by one ({len(calls) / best:,.0f} calls/s)"]


def scan() -> list[str]:
    """Time the pass over the words against bare RE2 sets and spans on the same turns."""
    call, table = _case_b(), cascade_of("benefits_verification").table
    turns = [turn for turn in call.turns if turn.role in table.read_by and turn.kind not in SILENT]
    texts = [turn.text for turn in turns]
    bare_set = _bare_set([single.pattern for single in table.singles])

    def bare() -> list[tuple[int, int, tuple[int, int]]]:
        found = []
        for position, text in enumerate(texts):
            encoded = text.encode("utf-8")
            for number in bare_set.Match(encoded) or ():
                match = table.singles[number].search(encoded)
                found.append((position, number, match.span()))
        return found

    times, _, _ = ratio(lambda: _times(20, lambda: read_words(call, table, frozenset())),
                        lambda: _times(20, bare))  # fmt: skip
    return [f"scan: {1 / times:.2f} x the time of bare RE2 set and spans"]


def catastrophes() -> list[str]:
    """Time patterns that hang a backtracking engine: linear, or the linter refuses them."""
    return [_catastrophe(pattern, text) for pattern, text in EVIL]


def _catastrophe(pattern: str, text: Callable[[int], str]) -> str:
    small, large = text(2_000).encode(), text(20_000).encode()
    compiled = re2.compile(pattern.encode())
    times, _, _ = ratio(
        lambda: _times(20, lambda: compiled.search(large)),
        lambda: _times(20, lambda: compiled.search(small)),
    )
    assert 1 / times < _LINEAR, f"{pattern} takes {1 / times:.0f} x the time"
    return f"catastrophe {pattern}: 10 x the text takes {1 / times:.1f} x the time"


#: Ten times the text may take ten times the time and what a busy machine adds; its square is 100.
_LINEAR = 30

#: The patterns and texts of the peers' benchmark.
EVIL: tuple[tuple[str, Callable[[int], str]], ...] = (
    (r"(a+)+$", lambda size: "a" * size + "!"),
    (r"(\w+\s?)+:$", lambda size: "word " * (size // 5) + "wordword" + "!"),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", lambda size: "a" * size),
    (r"(.*)*copay(.*)*\$", lambda size: "the copay is " + "a" * size),
    (r"(x?){40}x{40}", lambda size: "x" * size),
)


def _case_b() -> Call:
    raw = json.dumps(raw_case("case_b_call"), default=float).encode("utf-8")
    return parse_calls(raw, name="case_b.json").calls[0]


def _bare_set(patterns: list[bytes]) -> re2.Set:
    options = re2.Options()
    options.max_mem = 64 << 20
    bare = re2.Set.SearchSet(options)
    for pattern in patterns:
        bare.Add(pattern)
    bare.Compile()
    return bare


def _times(count: int, work: Callable[[], object]) -> None:
    for _ in range(count):
        work()


if __name__ == "__main__":
    sys.exit(main())
