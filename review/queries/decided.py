"""Stored rows with what was decided of them: the input of a re-check and of a what-if."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from catalogs.core.document import Document
from catalogs.queries import document_of
from review.core.decisions import Base, fold, grounds_of
from review.core.evaluation import ENGINE_VERSION
from review.core.predicates.batch import StoredCall
from review.core.row_values import row_from_json
from review.core.rows import Row
from review.core.transcript.storing import attributes_from_plain
from review.models import Call, Evaluation, ProposedRow, TranscriptRevision
from review.queries.folded import base_rows, load_made, load_proposals, read_facts

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Decided:
    """One stored evaluation of this engine: its rows, and Coverage, OrderSafe and CallSuccess."""

    call_id: UUID
    catalog_digest: str
    stored: StoredCall
    outcomes: tuple[str, str, str]


def decided_calls(calls: QuerySet[Call] | None = None) -> Iterator[Decided]:
    """Yield every evaluation that this version of the engine stored, the oldest first.

    Of these calls alone, where any are given. Rows and outcomes only; no seal is opened.
    """
    proposals = Prefetch("run__proposals", ProposedRow.objects.only("run_id", "phase", "row"))
    transcripts = Prefetch(
        "call__transcripts",
        TranscriptRevision.objects.only("call_id", "transcript_digest", "attributes"),
    )
    evaluations = (
        Evaluation.objects.filter(engine=ENGINE_VERSION)
        .select_related("call", "run", "decision")
        .prefetch_related(proposals, transcripts)
        .order_by("made_at", "id")
    )
    if calls is not None:
        evaluations = evaluations.filter(call__in=calls)
    for evaluation in evaluations.iterator(chunk_size=_AT_ONCE):
        report = json.loads(evaluation.report)
        document = document_of(evaluation.catalog_digest)
        attributes = attributes_from_plain(_attributes_of(evaluation))
        yield Decided(
            call_id=evaluation.call_id,
            catalog_digest=evaluation.catalog_digest,
            stored=StoredCall(
                rows=_rows(evaluation, document, ended=report["ended"]),
                facts=read_facts(document, report["facts"]),
                attributes={k: v for k, v in attributes.items() if not isinstance(v, tuple)},
                ended=report["ended"],
            ),
            outcomes=(
                evaluation.coverage.lower(),
                evaluation.order_safe.lower(),
                evaluation.call_success.lower(),
            ),
        )


def _rows(evaluation: Evaluation, document: Document, *, ended: bool | None) -> dict[str, Row]:
    """Return the proposals of the run, with the decisions folded in that the evaluation is of."""
    decision = evaluation.decision
    if decision is None:
        return {row.phase: row_from_json(row.row) for row in evaluation.run.proposals.all()}
    made = [one for one in load_made(evaluation.call_id) if one.decision.number <= decision.number]
    proposals = load_proposals({evaluation.run_id, *(one.run_id for one in made)})
    base = Base(base_rows(evaluation.run_id, made, proposals), {})
    decisions = [one.decision for one in made]
    shown = fold(base, decisions, grounds_of(document, ended=ended))
    return {phase: one.row for phase, one in shown.rows.items()}


def _attributes_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return the attributes of the transcript that was judged; a later one may have others."""
    [judged] = [
        one
        for one in evaluation.call.transcripts.all()
        if one.transcript_digest == evaluation.transcript_digest
    ]
    attributes: dict[str, Any] = judged.attributes
    return attributes
