"""What a pre-fill leaves behind: proposals, rows, an evaluation, commitments to its evidence.

Called inside the transaction of `actions.prefill.store_prefill`, which holds the locks and writes
the entry in the decision log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from catalogs.core.canonical import digest
from oipsce_site.rows import Row, insert_instances, insert_rows
from review.actions.sealed import nonces_of
from review.core.cascade.pipeline import Prefill
from review.core.evaluation import Judged, Report, RowReport, quotes_of, report_to_json
from review.core.evaluation.storing import rows_digest
from review.core.evidence.spans import commit
from review.core.row_values import row_to_json
from review.models import (
    Call,
    Decision,
    Evaluation,
    EvidenceCommitment,
    PhaseRow,
    PointState,
    PrefillRun,
    ProposedRow,
    RequiredCode,
)
from review.queries.standing import Standing, load_standing

_REQUIRED = {True: RequiredCode.YES, False: RequiredCode.NO, None: RequiredCode.UNKNOWN}
_PROJECTED = (
    *("position", "start_state", "start_turn", "finish_state", "finish_turn"),
    *("verdict", "required", "volunteered", "flags"),
)


def store_proposals(run: PrefillRun, filled: Prefill, report: Report) -> Standing:
    """Add the proposals of a finished run, and project them onto the rows that nobody has touched.

    Returns what the call has then.
    """
    insert_rows(
        ProposedRow._meta.db_table,
        [
            {
                "run_id": run.id,
                "phase": row.phase,
                "row": row_to_json(filled.rows[row.phase]),
                **row_columns(row),
            }
            for row in report.rows
        ],
    )
    before = load_standing(run.call_id)
    marks = {"revision": before.runs}
    free = [row.phase for row in report.rows if row.phase not in before.touched]
    return project_rows(run.call_id, report, dict.fromkeys(free, marks), before)


def project_rows(
    call_id: UUID, report: Report, marks: Mapping[str, Mapping[str, Any]], before: Standing
) -> Standing:
    """Write the rows of a report, each with its `marks`; a phase without any keeps its row.

    Every row has marks of the same names. Returns what the call has then.
    """
    projected: list[dict[str, Any]] = [
        {
            "call_id": call_id,
            "phase": row.phase,
            "position": position,
            **row_columns(row),
            **marks[row.phase],
        }
        for position, row in enumerate(report.rows)
        if row.phase in marks
    ]
    changed = (*_PROJECTED, *next(iter(marks.values()), {}))
    insert_rows(PhaseRow._meta.db_table, projected, ending=_on_conflict(changed))
    now = {one["phase"]: one["flags"] for one in projected}
    return before._replace(flags={**before.flags, **now})


def _on_conflict(names: Iterable[str]) -> str:
    changes = ", ".join(f"{name} = excluded.{name}" for name in names)
    return f"ON CONFLICT (call_id, phase) DO UPDATE SET {changes}"


def store_evaluation(
    run: PrefillRun,
    evaluation_id: UUID,
    judged: Judged,
    stored: Call,
    at: datetime,
    *,
    decision: Decision | None = None,
) -> Evaluation:
    """Add the evaluation of a run's call and the commitments to its evidence.

    It is of the proposals of `run` alone, or with the decisions of people up to `decision`.
    """
    report = judged.report
    plain = report_to_json(report)
    evaluation = Evaluation(
        id=evaluation_id,
        call_id=run.call_id,
        run_id=run.id,
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
