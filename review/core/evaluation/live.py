"""The state of a running call: what can no longer be mended, what is open, and what holds so far
(engine.md 2b).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from review.core.predicates import Decision
from review.core.rows import Row


class LiveState(Enum):
    """VIOLATED is for ever; OPEN still owes a phase; HOLDS_SO_FAR could still be violated; DONE
    owes nothing more.
    """

    VIOLATED = "violated"
    OPEN = "open"
    HOLDS_SO_FAR = "holds_so_far"
    DONE = "done"


def live_state(decision: Decision, rows: Mapping[str, Row]) -> LiveState:
    """Read the state off a decision over the turns so far. Only VIOLATED may alert while a call is
    running.
    """
    if any(edge.ok is False for edge in decision.edges):
        return LiveState.VIOLATED
    if any(phase.ok is not True for phase in decision.phases):
        return LiveState.OPEN
    for edge in decision.edges:
        parent = rows.get(edge.rule.parent)
        finished = (
            parent is not None and parent.contradicted_at is None and isinstance(parent.finish, int)
        )
        if edge.ok is not True and not (finished and _not_started(rows.get(edge.rule.child))):
            return LiveState.HOLDS_SO_FAR
    return LiveState.DONE


def _not_started(child: Row | None) -> bool:
    """Say whether the child has not started in any turn so far (whatever comes now comes after the
    parent).
    """
    return (
        child is not None and not isinstance(child.start, int) and child.clear_through is not None
    )
