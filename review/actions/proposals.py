"""What a pre-fill leaves behind: proposals, rows, an evaluation, commitments to its evidence.

Called inside the transaction of `actions.prefill.store_prefills`, which holds the locks and writes
the entries in the decision log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from oipsce_site.rows import Row, insert_instances, insert_rows
from review.actions.sealed import nonces_of_calls
from review.core.digests import digest
from review.core.evaluation import Judged, Report, RowReport, quotes_of, report_to_json
from review.core.evaluation.storing import rows_digest
from review.core.evidence.spans import commit
from review.core.row_values import deciding_rows, row_to_json
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
from review.queries.standing import Standing, load_standings

_REQUIRED = {True: RequiredCode.YES, False: RequiredCode.NO, None: RequiredCode.UNKNOWN}


class Finished(NamedTuple):
    """A finished run with its call, which the caller has locked, and what was judged.

    `decision` is the last of those that people have made, where theirs are in what was judged.
    """

    run: PrefillRun
    stored: Call
    judged: Judged
    evaluation_id: UUID
    decision: Decision | None = None


class Projected(NamedTuple):
    """The rows of a report on their way to a call, each phase with its `marks`; one without any
    keeps its row. All marks that are written together have the same names.
    """

    call_id: UUID
    report: Report
    marks: Mapping[str, Mapping[str, Any]]
    before: Standing


def store_proposals(finished: Sequence[Finished]) -> list[Standing]:
    """Add the proposals of finished runs, and project them onto the rows that nobody has touched.

    Returns what each call has then.
    """
    insert_rows(
        ProposedRow._meta.db_table,
        [
            {
                "run_id": one.run.id,
                "phase": row.phase,
                "row": row_to_json(one.judged.filled.rows[row.phase]),
                **row_columns(row),
            }
            for one in finished
            for row in one.judged.report.rows
        ],
    )
    standings = load_standings([one.stored.pk for one in finished])
    return project_rows([_onto_free(one, standings[one.stored.pk]) for one in finished])


def _onto_free(finished: Finished, before: Standing) -> Projected:
    report = finished.judged.report
    marks = {"revision": before.runs}
    free = [row.phase for row in report.rows if row.phase not in before.touched]
    return Projected(finished.stored.pk, report, dict.fromkeys(free, marks), before)


def project_rows(projected: Sequence[Projected]) -> list[Standing]:
    """Write the rows of reports, each with its marks. Returns what each call has then."""
    rows: list[dict[str, Any]] = [
        {
            "call_id": one.call_id,
            "phase": row.phase,
            "position": position,
            **row_columns(row),
            **one.marks[row.phase],
        }
        for one in projected
        for position, row in enumerate(one.report.rows)
        if row.phase in one.marks
    ]
    changed = [name for name in next(iter(rows), {}) if name not in ("call_id", "phase")]
    insert_rows(PhaseRow._meta.db_table, rows, ending=_on_conflict(changed))
    now: dict[UUID, dict[str, Any]] = {one.call_id: {} for one in projected}
    for row in rows:
        now[row["call_id"]][row["phase"]] = row["flags"]
    return [
        one.before._replace(flags={**one.before.flags, **now[one.call_id]}) for one in projected
    ]


def _on_conflict(names: Iterable[str]) -> str:
    changes = ", ".join(f"{name} = excluded.{name}" for name in names)
    return f"ON CONFLICT (call_id, phase) DO UPDATE SET {changes}"


def store_evaluations(finished: Sequence[Finished], at: datetime) -> list[Evaluation]:
    """Add the evaluation of each run's call and the commitments to its evidence.

    It is of the proposals of the run alone, or with the decisions of people up to `decision`.
    """
    evaluations = [_evaluation(one, at) for one in finished]
    insert_instances(evaluations)
    insert_rows(EvidenceCommitment._meta.db_table, list(_commitments(finished)))
    return evaluations


def _evaluation(finished: Finished, at: datetime) -> Evaluation:
    run, report = finished.run, finished.judged.report
    plain = report_to_json(report)
    return Evaluation(
        id=finished.evaluation_id,
        call_id=run.call_id,
        run_id=run.id,
        decision=finished.decision,
        catalog_digest=run.catalog_digest,
        transcript_digest=run.transcript_digest,
        rows_digest=rows_digest(report),
        engine=run.engine,
        coverage=report.coverage.upper(),
        order_safe=report.order_safe.upper(),
        call_success=report.call_success.upper(),
        report=orjson.dumps(plain).decode(),
        digest=digest(plain),
        deciding=None if finished.decision else _deciding(finished.judged),
        made_at=at,
    )


def _deciding(judged: Judged) -> str:
    rows = [judged.filled.rows[row.phase] for row in judged.report.rows]
    plain = {"facts": judged.report.facts, "rows": deciding_rows(rows)}
    return orjson.dumps(plain).decode()


def _commitments(finished: Sequence[Finished]) -> Iterator[Row]:
    shown = [
        [(row.phase, piece) for row in one.judged.report.rows for piece in row.evidence]
        for one in finished
    ]
    turns = [{piece.turn for _, piece in pieces} for pieces in shown]
    nonces = nonces_of_calls([(one.stored, own) for one, own in zip(finished, turns, strict=True)])
    for one, pieces in zip(finished, shown, strict=True):
        quote, own = quotes_of(one.judged.call), nonces[one.stored.pk]
        for phase, piece in pieces:
            words = quote(piece.turn, piece.start, piece.end, piece.event)
            yield {
                "evaluation_id": one.evaluation_id,
                "phase": phase,
                "item": piece.item,
                "turn": piece.turn,
                "start": piece.start,
                "end": piece.end,
                "commitment": commit(words, own[piece.turn]),
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
