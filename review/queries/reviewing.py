"""What people have decided on a call, as its page shows it: rows with their marks, and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from review.core.decisions import Kind
from review.queries.calls import RowMark
from review.queries.folded import Made
from review.queries.late import LateProposal


@dataclass(frozen=True, slots=True)
class Review:
    """Marks of the rows by phase, every decision in order, and the words that came with some.

    `runs` counts the finished pre-fills: the revision of a fact that nobody has set. `late` are
    proposals that came after people had decided.
    """

    marks: Mapping[str, RowMark]
    made: tuple[Made, ...]
    words: Mapping[int, str]
    runs: int
    late: Mapping[str, LateProposal] = field(default_factory=dict)

    def fact_revision(self, fact: str) -> int:
        """Return the revision of a fact, as `review.queries.folded.Folded.revision` counts it."""
        return self.runs + sum(
            one.decision.fact == fact and one.decision.kind is not Kind.COMMENT for one in self.made
        )
