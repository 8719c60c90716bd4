"""One reviewed call as labels: where its phases lie, what was asked and answered, what it came to.

| key | value |
| --- | --- |
| `call` | the call's pseudonym, which only this data set has |
| `phases[]` | `phase`, `required`, `ok`, `code`, `start`, `finish`, `verdict`, `mode`, |
| | `volunteered`, `asks` (turns), `answers` (`item`, `turn`), |
| | `instances` (`key`, `start`, `finish`, `verdict`) |
| `edges[]` | the critical ones: `parent`, `child`, `policy`, `item`, `ok`, `code` |
| `coverage`, `order_safe`, `call_success` | as they were signed |
| `derived` | whether required, ok and edges follow from what the audit discloses |

Turns are the source's own numbers. There are no words, no offsets, no times.
"""

from __future__ import annotations

from typing import Any, Final

from review.core.predicates import EdgeOutcome, PhaseOutcome
from review.core.row_values import point_to_json
from review.core.rows import Row

Plain = dict[str, Any]
FORMAT: Final = "oip-labels/1"


def phase_label(row: Row, outcome: PhaseOutcome) -> Plain:
    """Return a phase's labels."""
    return {
        "phase": row.phase,
        "required": outcome.required,
        "ok": outcome.ok,
        "code": outcome.code.value,
        "start": point_to_json(row.start),
        "finish": point_to_json(row.finish),
        "verdict": row.verdict.value,
        "mode": None if row.mode is None else row.mode.value,
        "volunteered": row.volunteered,
        "asks": sorted({one.turn for one in row.attempts}),
        "answers": [
            {"item": item, "turn": turn}
            for turn, item in sorted({(one.turn, one.item) for one in row.evidence})
        ],
        "instances": [
            {
                "key": one.key,
                "start": point_to_json(one.start),
                "finish": point_to_json(one.finish),
                "verdict": one.verdict.value,
            }
            for one in row.instances or ()
        ],
    }


def edge_labels(edges: tuple[EdgeOutcome, ...]) -> list[Plain]:
    """Return the labels of the critical edges."""
    return [
        {
            "parent": edge.rule.parent,
            "child": edge.rule.child,
            "policy": "<=" if edge.rule.same_turn else "<",
            "item": edge.item,
            "ok": edge.ok,
            "code": edge.code.value,
        }
        for edge in edges
    ]
