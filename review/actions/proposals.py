"""What a pre-fill leaves behind: proposals, rows, an evaluation, commitments to its evidence.

Called inside the transaction of `actions.prefill.store_prefill`, which holds the locks and writes
the entry in the decision log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from catalogs.core.canonical import digest
from oipsce_site.rows import Row, insert_instances, insert_rows
from review.actions.sealed import nonces_of
from review.core.cascade.pipeline import Prefill
from review.core.evaluation import Judged, Report, RowReport, quotes_of, report_to_json
from review.core.evaluation.storing import row_to_json, rows_digest
from review.core.evidence.spans import commit
from review.models import (
    Call,
    Evaluation,
    EvidenceCommitment,
    PhaseRow,
    PointState,
    PrefillRun,
    ProposedRow,
    RequiredCode,
)

_REQUIRED = {True: RequiredCode.YES, False: RequiredCode.NO, None: RequiredCode.UNKNOWN}
_PROJECTED = (
    *("position", "start_state", "start_turn", "finish_state", "finish_turn"),
    *("verdict", "required", "volunteered", "flags"),
)
_STANDING = (
    "SELECT phase, position, flags, touched_at "  # noqa: S608 - names of our own
    f"FROM {PhaseRow._meta.db_table} WHERE call_id = %s"
)
_PROJECT = "ON CONFLICT (call_id, phase) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _PROJECTED
)


def store_proposals(run: PrefillRun, filled: Prefill, report: Report) -> dict[str, list[str]]:
    """Add the run's proposals, and project them onto the rows that no person has touched.

    Returns the flags of every row of the call as it stands now, by phase, in their order.
    """
    columns = {row.phase: _columns(row) for row in report.rows}
    insert_rows(
        ProposedRow._meta.db_table,
        [
            {"run_id": run.id, "phase": phase, "row": row_to_json(filled.rows[phase]), **own}
            for phase, own in columns.items()
        ],
    )
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [run.call_id])
        before = cursor.fetchall()
    stand = {phase: (position, flags) for phase, position, flags, _ in before}
    touched = {phase for phase, _, _, touched_at in before if touched_at is not None}
    projected = [
        {"call_id": run.call_id, "phase": phase, "position": position, **own}
        for position, (phase, own) in enumerate(columns.items())
        if phase not in touched
    ]
    insert_rows(PhaseRow._meta.db_table, projected, ending=_PROJECT)
    stand |= {one["phase"]: (one["position"], one["flags"]) for one in projected}
    return {phase: stand[phase][1] for phase in sorted(stand, key=lambda phase: stand[phase][0])}


def store_evaluation(
    run: PrefillRun, evaluation_id: UUID, judged: Judged, stored: Call, at: datetime
) -> Evaluation:
    """Add the evaluation of a run's call and the commitments to its evidence."""
    report = judged.report
    plain = report_to_json(report)
    evaluation = Evaluation(
        id=evaluation_id,
        call_id=run.call_id,
        run_id=run.id,
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
    insert_instances([evaluation])
    insert_rows(
        EvidenceCommitment._meta.db_table,
        list(_commitments(evaluation_id, judged, stored)),
    )
    return evaluation


def _commitments(evaluation_id: UUID, judged: Judged, stored: Call) -> Iterator[Row]:
    pieces = [(row.phase, piece) for row in judged.report.rows for piece in row.evidence]
    nonces = nonces_of(stored, {piece.turn for _, piece in pieces})
    quote = quotes_of(judged.call)
    for phase, piece in pieces:
        words = quote(piece.turn, piece.start, piece.end, piece.event)
        yield {
            "evaluation_id": evaluation_id,
            "phase": phase,
            "item": piece.item,
            "turn": piece.turn,
            "start": piece.start,
            "end": piece.end,
            "commitment": commit(words, nonces[piece.turn]),
        }


def _columns(row: RowReport) -> dict[str, Any]:
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
