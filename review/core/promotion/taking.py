"""What became of a model's proposal for a row that people settled (guard rule 17)."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum


class Became(Enum):
    """The row passed at the turn that was proposed, passed elsewhere, or did not pass."""

    TAKEN = "taken"
    CHANGED = "changed"
    REJECTED = "rejected"


def became_of(
    proposed: Collection[int], met: Collection[int], finish: int | None, *, passed: bool
) -> Became:
    """Return what people made of a proposal.

    `proposed` are the turns that the model named for open items, `met` those of items that the
    patterns had shown; a row that takes the proposal is complete on the last of all of them.

    >>> became_of([7], [4], 7, passed=True), became_of([7], [9], 9, passed=True)
    (<Became.TAKEN: 'taken'>, <Became.TAKEN: 'taken'>)
    >>> became_of([7], [], 8, passed=True), became_of([7], [], None, passed=False)
    (<Became.CHANGED: 'changed'>, <Became.REJECTED: 'rejected'>)
    """
    if not passed:
        return Became.REJECTED
    return Became.TAKEN if finish == max((*proposed, *met)) else Became.CHANGED
