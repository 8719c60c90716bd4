"""What a pre-fill leaves behind: proposals, rows, an evaluation, commitments to its evidence.

Called inside the transaction of `actions.prefill.store_prefill`, which holds the locks and writes
the entry in the decision log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from catalogs.core.canonical import digest
from review.actions.sealed import nonces_of
from review.core.cascade.pipeline import Prefill
from review.core.evaluation import Judged, Report, RowReport, quotes_of, report_to_json
from review.core.evaluation.storing import row_to_json, rows_digest
from review.core.evidence.spans import commit
from review.core.transcript import Call as CallValue
from review.models import (
    Decision,
    Evaluation,
    EvidenceCommitment,
    PhaseRow,
    PointState,
    PrefillRun,
    ProposedRow,
    RequiredCode,
    RunState,
)

_REQUIRED = {True: RequiredCode.YES, False: RequiredCode.NO, None: RequiredCode.UNKNOWN}
_PROJECTED = (
    *("position", "start_state", "start_turn", "finish_state", "finish_turn"),
    *("verdict", "required", "volunteered", "flags"),
)


def store_proposals(run: PrefillRun, filled: Prefill, report: Report) -> None:
    """Add the run's proposals, and project them onto the rows that no person has touched."""
    ProposedRow.objects.bulk_create(
        ProposedRow(
            run=run, phase=row.phase, row=row_to_json(filled.rows[row.phase]), **row_columns(row)
        )
        for row in report.rows
    )
    touched = set(
        PhaseRow.objects.filter(call_id=run.call_id, touched_at__isnull=False).values_list(
            "phase", flat=True
        )
    )
    rank = 1 + PrefillRun.objects.filter(call_id=run.call_id, state=RunState.DONE).count()
    rows = {phase: {"revision": rank} for phase in {row.phase for row in report.rows} - touched}
    project_rows(run.call_id, report, rows)


def project_rows(call_id: UUID, report: Report, marks: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the rows of a report, each with its `marks`; a phase without any keeps its row."""
    names = {name for columns in marks.values() for name in columns}
    PhaseRow.objects.bulk_create(
        [
            PhaseRow(
                call_id=call_id,
                phase=row.phase,
                position=position,
                **row_columns(row),
                **marks[row.phase],
            )
            for position, row in enumerate(report.rows)
            if row.phase in marks
        ],
        update_conflicts=True,
        unique_fields=["call", "phase"],
        update_fields=(*_PROJECTED, *sorted(name.removesuffix("_id") for name in names)),
    )


def store_evaluation(
    run: PrefillRun,
    evaluation_id: UUID,
    judged: Judged,
    at: datetime,
    *,
    decision: Decision | None = None,
) -> Evaluation:
    """Add the evaluation and the commitments to its evidence.

    It is of the proposals of `run` alone, or with the decisions of people up to `decision`.
    """
    report = judged.report
    plain = report_to_json(report)
    evaluation = Evaluation.objects.create(
        id=evaluation_id,
        call_id=run.call_id,
        run=run,
        decision=decision,
        catalog_digest=run.catalog_digest,
        transcript_digest=run.transcript_digest,
        rows_digest=rows_digest(report),
        engine=run.engine,
        coverage=report.coverage.upper(),
        order_safe=report.order_safe.upper(),
        call_success=report.call_success.upper(),
        report=json.dumps(plain, ensure_ascii=False),
        digest=digest(plain),
        made_at=at,
    )
    EvidenceCommitment.objects.bulk_create(_commitments(evaluation, judged.call, report))
    return evaluation


def _commitments(
    evaluation: Evaluation, call: CallValue, report: Report
) -> list[EvidenceCommitment]:
    pieces = [(row.phase, piece) for row in report.rows for piece in row.evidence]
    nonces = nonces_of(evaluation.call, {piece.turn for _, piece in pieces})
    quote = quotes_of(call)
    return [
        EvidenceCommitment(
            evaluation=evaluation,
            phase=phase,
            item=piece.item,
            turn=piece.turn,
            start=piece.start,
            end=piece.end,
            commitment=commit(
                quote(piece.turn, piece.start, piece.end, piece.event), nonces[piece.turn]
            ),
        )
        for phase, piece in pieces
    ]


def row_columns(row: RowReport) -> dict[str, Any]:
    """Return what a row of a report is in the columns of proposals and rows."""
    start_state, start_turn = _point(row.start)
    finish_state, finish_turn = _point(row.finish)
    return {
        "start_state": start_state,
        "start_turn": start_turn,
        "finish_state": finish_state,
        "finish_turn": finish_turn,
        "verdict": row.verdict.upper(),
        "required": _REQUIRED[row.required],
        "volunteered": row.volunteered,
        "flags": list(dict.fromkeys(flag.code for flag in row.flags)),
    }


def _point(point: int | str | None) -> tuple[PointState, int | None]:
    if isinstance(point, int):
        return PointState.TURN, point
    return (PointState.UNKNOWN if point is None else PointState.NEVER), None
