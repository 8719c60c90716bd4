"""What people have decided on a call, as its page shows it: rows with their marks, and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.core.decisions import Kind
from review.models import PhaseRow, PrefillRun, RunState
from review.queries.folded import Made, load_made


@dataclass(frozen=True, slots=True)
class RowMark:
    """How a row stands (a word of `review.core.decisions.Standing`), by whom, in which revision."""

    revision: int
    standing: str
    who: str
    at: datetime | None
    needs_second: bool


@dataclass(frozen=True, slots=True)
class Review:
    """Marks of the rows by phase, revisions of facts that were set, and every decision in order.

    `runs` is the revision of a fact that nobody has set.
    """

    marks: Mapping[str, RowMark]
    made: tuple[Made, ...]
    runs: int

    def fact_revision(self, fact: str) -> int:
        """Return the revision of a fact, as `review.queries.folded.Folded.revision` counts it."""
        return self.runs + sum(
            one.decision.fact == fact and one.decision.kind is not Kind.COMMENT for one in self.made
        )


def get_review(call_id: UUID) -> Review:
    """Return what was decided on a call, in three queries."""
    rows = PhaseRow.objects.filter(call=call_id).values_list(
        *("phase", "revision", "standing", "decided_by__printed_name", "decided_at"),
        "needs_second",
    )
    return Review(
        {
            phase: RowMark(number, word, who or "", *rest)
            for phase, number, word, who, *rest in rows
        },
        load_made(call_id),
        PrefillRun.objects.filter(call=call_id, state=RunState.DONE).count(),
    )
