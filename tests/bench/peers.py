"""Our engine as a plug-in of a peer benchmark: rows in its columns, a verdict per call out.

    python bench_engine_peers.py --plugin tests.bench.peers:evaluate
    python bench_engine_peers.py --plugin tests.bench.peers:batch

`evaluate` goes the way of the call page, call by call through `review.core.predicates.decide`;
`batch` that of a what-if, `review.core.predicates.batch.decide_many`. The benchmark's "never" is
1 << 30; every row of it has been shown, so it carries one piece of evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from review.core.predicates import EdgeRule, Outcome, PhaseRule, Plan, decide
from review.core.predicates.batch import PlainCall, decide_many
from review.core.rows import NEVER, Evidence, Row, Verdict

_NEVER = 1 << 30
_SHOWN = (Evidence("item", 1, 0, 1, "benchmark"),)

PeerRows = Sequence[tuple[list[int], list[int], list[int], list[int]]]


def plan_of(peer: Mapping[str, Any]) -> Plan:
    """Turn the benchmark's plan into ours: every phase owed, every edge critical and strict."""
    phases = tuple(PhaseRule(name, True, None, True) for name in peer["ids"])
    edges = tuple(
        EdgeRule(peer["ids"][parent], peer["ids"][child], False, False)
        for parent, child in peer["edges"]
    )
    return Plan(phases, phases, edges, {})


def evaluate(peer: Mapping[str, Any], rows: PeerRows) -> list[bool]:
    """Decide call by call, with codes and reasons, as the call page does."""
    plan, names = plan_of(peer), peer["ids"]
    verdicts = (Verdict.FAIL, Verdict.PASS)
    nothing: dict[str, str] = {}
    return [
        decide(
            plan,
            {
                name: Row(
                    name,
                    NEVER if start == _NEVER else start,
                    NEVER if finish == _NEVER else finish,
                    verdicts[verdict],
                    _SHOWN,
                )
                for name, start, finish, verdict in zip(
                    names, starts, finishes, passed, strict=True
                )
            },
            facts=nothing,
            attributes=nothing,
            ended=True,
        ).call_success
        is Outcome.PASS
        for starts, finishes, passed, _ in rows
    ]


def batch(peer: Mapping[str, Any], rows: PeerRows) -> list[bool]:
    """Decide all calls of a plan at once, from columns, as a what-if does."""
    calls = [PlainCall(starts, finishes, passed) for starts, finishes, passed, _ in rows]
    return [one.call_success is Outcome.PASS for one in decide_many(plan_of(peer), calls)]
