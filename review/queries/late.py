"""Proposals that came after a person had decided: shown beside the row, they change nothing."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import F

from review.core.decisions import Kind
from review.models import Decision, PrefillRun, ProposedRow, RunState

_VALUES = ("start_state", "start_turn", "finish_state", "finish_turn", "verdict")


class LateProposal(NamedTuple):
    """Start and finish as a turn or a word of their state, and the verdict, in lower case."""

    start: int | str
    finish: int | str
    verdict: str


def late_proposals(call_id: UUID) -> dict[str, LateProposal]:
    """Return by phase what the latest pre-fill proposes for rows that people have decided, where it
    is not what they saw. Three queries.
    """
    first = (
        Decision.objects.filter(call_id=call_id)
        .exclude(phase="")
        .exclude(kind=Kind.COMMENT.value)
        .order_by("phase", "number")
        .distinct("phase")
    )
    seen = dict(first.values_list("phase", "run_id"))
    # The pre-fill of the call as it is now: of this transcript, by this catalog.
    current = PrefillRun.objects.filter(
        call_id=call_id,
        state=RunState.DONE,
        transcript_digest=F("call__transcript_digest"),
        catalog_digest=F("call__catalog_version__digest"),
    )
    latest = current.order_by("-queued_at", "-id").values_list("pk", flat=True).first()
    if latest is None or not seen:
        return {}
    runs = {latest, *seen.values()}
    rows = ProposedRow.objects.filter(run__in=runs, phase__in=seen).values_list(
        "run_id", "phase", *_VALUES
    )
    proposed = {(run, phase): _proposal(*values) for run, phase, *values in rows}
    return {
        phase: late
        for phase, run in seen.items()
        if (late := proposed.get((latest, phase))) and late != proposed.get((run, phase))
    }


def _proposal(*values: str | int | None) -> LateProposal:
    start_state, start, finish_state, finish, verdict = values
    return LateProposal(_point(start_state, start), _point(finish_state, finish), _word(verdict))


def _point(state: object, turn: object) -> int | str:
    return turn if isinstance(turn, int) else _word(state)


def _word(code: object) -> str:
    return str(code).lower()
