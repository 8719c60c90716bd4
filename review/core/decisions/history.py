"""Which decisions stand once undo and redo are taken into account, and which may be undone next."""

from __future__ import annotations

from collections.abc import Sequence

from review.core.decisions.kinds import Decision, Kind, UndoValue

#: How many of a person's own decisions on a call can be taken back.
MOST_UNDONE = 20


def standing_decisions(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that nobody took back, in order; undos are left out.

    An undo that was itself undone takes nothing back.
    """
    undone = _undone(decisions)
    return tuple(
        [one for one in decisions if one.number not in undone and one.kind is not Kind.UNDO]
    )


def undoable(decisions: Sequence[Decision], by: str) -> tuple[Decision, ...]:
    """Return what this person may take back, the latest first; a comment stays what was said."""
    standing = standing_decisions(decisions)
    own = [one for one in standing if one.by == by and one.kind is not Kind.COMMENT]
    return tuple(reversed(own))[:MOST_UNDONE]


def redoable(decisions: Sequence[Decision], by: str) -> tuple[Decision, ...]:
    """Return this person's undos that a redo may take back, the latest first.

    As everywhere, what was undone before a new decision is not redone after it.
    """
    undone = _undone(decisions)
    kinds = {one.number: one.kind for one in decisions}
    found: list[Decision] = []
    for one in reversed(decisions):
        if one.by != by or one.kind is Kind.COMMENT:
            continue
        if one.kind is not Kind.UNDO:
            break
        is_redo = kinds.get(target_of(one)) is Kind.UNDO
        if one.number not in undone and not is_redo:
            found.append(one)
    return tuple(found)[:MOST_UNDONE]


def target_of(undo: Decision) -> int:
    """Return the number of the decision that an undo takes back; 0 for any other decision."""
    return undo.value.of if isinstance(undo.value, UndoValue) else 0


def _undone(decisions: Sequence[Decision]) -> frozenset[int]:
    """An undo is younger than its target: read from the end, each is settled before its target."""
    undone: set[int] = set()
    for one in reversed(decisions):
        if one.kind is Kind.UNDO and one.number not in undone:
            undone.add(target_of(one))
    return frozenset(undone)
