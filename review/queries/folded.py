"""A call's proposals and decisions, read from their tables and folded into its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from catalogs.core.document import Document, Scalar
from catalogs.queries import document_of
from oipsce_site.people.matrix import Act, role_may
from oipsce_site.people.roles import Role
from review.core.decisions import (
    Base,
    Decision,
    Grounds,
    Kind,
    RowShown,
    Shown,
    fold,
    grounds_of,
    value_from_json,
)
from review.core.evaluation import Report
from review.core.row_values import row_from_json
from review.core.rows import Row
from review.models import Call, Evaluation, PrefillRun, ProposedRow, RunState
from review.models import Decision as StoredDecision
from review.queries.reports import read_report


@dataclass(frozen=True, slots=True)
class Made:
    """A stored decision with what the fold does not ask: when, by whom in words, on what."""

    decision: Decision
    run_id: UUID
    who: str
    at: datetime
    revision: int
    has_words: bool
    evidence_seen: bool | None = None
    candidate: int | None = None


@dataclass(frozen=True, slots=True)
class Folded:
    """What a call's rows are made of, and the rows.

    `run` is the pre-fill of the call as it is now and `proposed` the report of its proposals alone;
    `ranks` counts the finished pre-fills of the call in their order, from 1.
    """

    run: PrefillRun
    document: Document
    proposed: Report
    grounds: Grounds
    base: Base
    made: tuple[Made, ...]
    shown: Shown
    ranks: Mapping[UUID, int]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in the order of their numbers."""
        return tuple(one.decision for one in self.made)

    def with_decision(self, made: Made, shown: Shown) -> Folded:
        """Return the same after one further decision, which leaves `shown`."""
        return Folded(
            self.run,
            self.document,
            self.proposed,
            self.grounds,
            self.base,
            (*self.made, made),
            shown,
            self.ranks,
        )

    def on(self, phase: str | None, fact: str | None = None) -> tuple[Made, ...]:
        """Return the decisions on a row or fact that count as changes of it: no comments."""
        return tuple(
            one
            for one in self.made
            if (one.decision.phase, one.decision.fact) == (phase, fact)
            and one.decision.kind is not Kind.COMMENT
        )

    def revision(self, phase: str | None, fact: str | None = None) -> int:
        """Return the revision of a row or fact: pre-fills that may fill it, then decisions."""
        there = self.on(phase, fact)
        run_id = there[0].run_id if there and phase is not None else self.run.id
        return self.ranks[run_id] + len(there)


def load_folded(call: Call) -> Folded | None:
    """Fold the rows of a call, in at most six queries; None where no pre-fill is done for it."""
    return load_folded_calls([call]).get(call.pk)


def load_folded_calls(calls: Sequence[Call]) -> dict[UUID, Folded]:
    """Fold the rows of calls by their ids, in as many queries as for one.

    A call for which no pre-fill is done is left out.
    """
    runs: dict[UUID, list[PrefillRun]] = {call.pk: [] for call in calls}
    done = PrefillRun.objects.filter(call__in=calls, state=RunState.DONE)
    for one in done.order_by("queued_at", "id"):
        runs[one.call_id].append(one)
    latest = {call.pk: _current(call, runs[call.pk]) for call in calls}
    current = {call_id: run for call_id, run in latest.items() if run is not None}
    if not current:
        return {}
    made = load_made_on(current)
    seen = {one.run_id for own in made.values() for one in own}
    proposals = load_proposals({*(run.pk for run in current.values()), *seen})
    found = Evaluation.objects.filter(run__in=current.values(), decision=None)
    reports = dict(found.values_list("run_id", "report"))
    return {
        call_id: _folded(run, runs[call_id], made[call_id], proposals, reports[run.pk])
        for call_id, run in current.items()
    }


def _current(call: Call, runs: Iterable[PrefillRun]) -> PrefillRun | None:
    """Return the latest run over the call as it is now."""
    version = call.catalog_version
    if version is None:
        return None
    wanted = (call.transcript_digest, version.digest)
    own = [run for run in runs if (run.transcript_digest, run.catalog_digest) == wanted]
    return own[-1] if own else None


def _folded(
    run: PrefillRun,
    runs: Sequence[PrefillRun],
    made: tuple[Made, ...],
    proposals: Mapping[UUID, Mapping[str, Row]],
    report: str,
) -> Folded:
    document = document_of(run.catalog_digest)
    proposed = read_report(report)
    base = Base(base_rows(run.id, made, proposals), read_facts(document, proposed.facts))
    grounds = grounds_of(document, ended=proposed.ended)
    return Folded(
        run=run,
        document=document,
        proposed=proposed,
        grounds=grounds,
        base=base,
        made=made,
        shown=fold(base, [one.decision for one in made], grounds),
        ranks={one.id: rank for rank, one in enumerate(runs, 1)},
    )


def load_made(call_id: UUID) -> tuple[Made, ...]:
    """Return the decisions on a call in the order of their numbers, in one query."""
    return load_made_on([call_id])[call_id]


def load_made_on(call_ids: Iterable[UUID]) -> dict[UUID, tuple[Made, ...]]:
    """Return the decisions on calls, each call's in the order of their numbers, in one query."""
    made: dict[UUID, list[Made]] = {call_id: [] for call_id in call_ids}
    stored = StoredDecision.objects.filter(call__in=list(made)).select_related("by")
    for one in stored.order_by("number").defer("sealed_nonce"):
        made[one.call_id].append(read_made(one))
    return {call_id: tuple(own) for call_id, own in made.items()}


def read_made(stored: StoredDecision) -> Made:
    """Read one stored decision."""
    kind = Kind(stored.kind)
    value, key = value_from_json(kind, stored.value)
    decision = Decision(
        number=stored.number,
        kind=kind,
        by=str(stored.by_id),
        senior=role_may(Act.SETTLE_DOUBTS, Role(stored.role)),
        phase=stored.phase or None,
        fact=stored.fact or None,
        key=key,
        value=value,
    )
    return Made(
        decision,
        stored.run_id,
        stored.by.printed_name,
        stored.at,
        stored.revision,
        stored.sealed is not None,
        stored.evidence_seen,
        stored.candidate,
    )


def load_proposals(run_ids: set[UUID]) -> dict[UUID, dict[str, Row]]:
    """Return the proposed rows of these runs by run and phase, in one query."""
    rows: dict[UUID, dict[str, Row]] = {run_id: {} for run_id in run_ids}
    found = ProposedRow.objects.filter(run__in=run_ids).order_by("id")
    for run_id, phase, plain in found.values_list("run_id", "phase", "row"):
        rows[run_id][phase] = row_from_json(plain)
    return rows


def base_rows(
    run_id: UUID, made: Sequence[Made], proposals: Mapping[UUID, Mapping[str, Row]]
) -> dict[str, Row]:
    """Return what decisions are folded over: the proposals of a run, but for each row that a person
    has touched the proposal that they saw first.
    """
    first: dict[str, UUID] = {}
    for one in made:
        if one.decision.phase is not None and one.decision.kind is not Kind.COMMENT:
            first.setdefault(one.decision.phase, one.run_id)
    seen = {
        phase: proposals[seen_in][phase]
        for phase, seen_in in first.items()
        if phase in proposals[run_id] and phase in proposals[seen_in]
    }
    return {**proposals[run_id], **seen}


def row_marks(folded: Folded, phase: str) -> dict[str, Any]:
    """Return what a stored row keeps of the decisions on it, by the names of its columns."""
    row: RowShown = folded.shown.rows[phase]
    there = folded.on(phase)
    latest = next((one for one in there if one.decision.number == row.last), None)
    return {
        "revision": folded.revision(phase),
        "standing": row.standing.value,
        "decided_by_id": None if row.decided_by is None else UUID(row.decided_by),
        "decided_at": None if latest is None else latest.at,
        "needs_second": row.needs_second,
        "touched_at": there[0].at if there else None,
    }


def read_facts(document: Document, plain: Mapping[str, Any]) -> dict[str, Scalar]:
    """Read facts of a stored report back with the type that the catalog gives them."""
    return {
        name: _READ.get(document.facts[name].type, _as_it_is)(value) if value is not None else None
        for name, value in plain.items()
    }


def _as_it_is(value: Any) -> Scalar:
    read: Scalar = value
    return read


_READ: dict[str, Any] = {
    "number": lambda value: Decimal(str(value)),
    "date": date.fromisoformat,
}


def calls_with_rows(only: Sequence[UUID]) -> list[UUID]:
    """Return the ids of calls that have rows, the oldest first; of these alone where named."""
    calls = Call.objects.filter(rows__isnull=False)
    found = calls.filter(pk__in=only) if only else calls
    return list(found.order_by("received_at", "pk").values_list("pk", flat=True).distinct())
