"""The pre-fill as a job: queued, claimed (`actions.claims`), stored or failed; each at most once.

The row of the run is the truth; a broker only rings the bell. `attempt` fences: a worker that lost
its lease and comes late finds another attempt in the row and may not store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, QuerySet

from catalogs.models import CatalogVersion
from catalogs.queries.documents import Shadow
from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import Act, record_all
from oipsce_site.people.models import User
from oipsce_site.rows import change_rows, columns_of, from_row, insert_instances, load_rows
from review.actions.acting import importing_actor
from review.actions.alerting import Told, tell_violations
from review.actions.call_line import LINE_COLUMNS, write_line
from review.actions.claims import StartedRun
from review.actions.proposals import Finished, store_evaluations, store_proposals
from review.actions.refolding import refold
from review.actions.shadows import queue_shadows
from review.core.evaluation import ENGINE_VERSION, Judged
from review.core.lifecycle import CallState, Owner, may_move
from review.models import Call, Evaluation, PrefillRun, RunState, State


class UnableToPrefill(Exception):
    """The run cannot be queued, stored or failed as asked; the sentence says why."""


def queue_prefill(*, call_id: UUID, run_id: UUID, by: User | None, at: datetime) -> UUID:
    """Ask for the pre-fill of a received call; asked twice, it is one run. Returns the run's id.

    `by` None is the operator of this machine. Raises NotAllowed, or UnableToPrefill for a call that
    is in another state or has no catalog.
    """
    with transaction.atomic():
        call = _load_call(call_id)
        actor = importing_actor(by, call.site)
        run = _run_of(call).first()
        if run is not None and call.state == State.PREFILLING:
            return run.id
        if call.state != State.RECEIVED or call.catalog_version is None:
            raise UnableToPrefill(f"The call is {State(call.state).label}; nothing is filled.")
        if run is not None:
            raise UnableToPrefill("This catalog version has read this transcript already.")
        run = _new_run(call, call.catalog_version, run_id, at)
        run.save(force_insert=True)
        _move(call, State.PREFILLING)
        _record(run, "prefill.queue", actor, at)
    return run.id


def queue_runs(
    calls: Sequence[Call], run_ids: Sequence[UUID], actor: Actor, at: datetime
) -> list[Act]:
    """Queue a first run for each of these calls, which the caller has just received and locked.

    Returns what the caller is to record. Used by the import, in its own transaction: so there is
    never a received call that nobody will fill.
    """
    runs = [
        _new_run(call, version, run_id, at)
        for call, run_id in zip(calls, run_ids, strict=True)
        if (version := call.catalog_version) is not None
    ]
    insert_instances(runs)
    for call in calls:
        _check_may_move(call, State.PREFILLING)
        call.state = State.PREFILLING
    Call.objects.filter(pk__in=[call.pk for call in calls]).update(state=State.PREFILLING)
    return [_act(run, "prefill.queue", actor) for run in runs]


def store_prefill(
    *,
    started: StartedRun,
    evaluation_id: UUID,
    judged: Judged,
    by: str,
    at: datetime,
    shadows: Mapping[str, Shadow] = MappingProxyType({}),
) -> UUID:
    """Store one pre-fill, as `store_prefills` does. Returns the evaluation's id."""
    filled = [Filled(started, evaluation_id, judged)]
    store_prefills(filled=filled, by=by, at=at, shadows=shadows)
    return evaluation_id


class Filled(NamedTuple):
    """What the cascade found for a claimed run and was decided, and the id of its evaluation."""

    started: StartedRun
    evaluation_id: UUID
    judged: Judged


def store_prefills(
    *,
    filled: Sequence[Filled],
    by: str,
    at: datetime,
    shadows: Mapping[str, Shadow] = MappingProxyType({}),
) -> int:
    """Store what was found for calls, all in one transaction, each with its fence and its entry.

    Returns how many alerts were raised: violations of calls that programs handed in.

    Calls of a catalog with a version in shadow are left to it; `shadows` are by the catalog's slug.
    A row that a person has touched keeps its values; the proposal is stored beside it, and the call
    is evaluated once more with what people have decided. Raises UnableToPrefill when another worker
    has taken a run over, or a call moved on; then nothing is stored of any.
    """
    with transaction.atomic():
        found = load_rows(Call, [one.started.call_id for one in filled], for_update=True)
        calls = {call.pk: call for call in found}
        if len(calls) < len(filled):
            raise UnableToPrefill(_NO_CALL)
        runs = _finish_runs([one.started for one in filled], at)
        finished = [
            Finished(
                runs[one.started.run_id], calls[one.started.call_id], one.judged, one.evaluation_id
            )
            for one in filled
        ]
        standings = store_proposals(finished)
        evaluations = store_evaluations(finished, at)
        refolded: list[Evaluation | None] = []
        for one, standing in zip(finished, standings, strict=True):
            _check_may_move(one.stored, State.AWAITING_REVIEW)
            write_line(one.stored, standing.flags, one.judged.report)
            again = refold(one.stored, one.judged.call, at) if standing.runs > 1 else None
            refolded.append(again)
            one.stored.state = State.AWAITING_REVIEW
        change_rows(found, ("state", "needs_mapping", *LINE_COLUMNS))
        if shadows:
            queue_shadows(finished, shadows)
        stored = zip(finished, evaluations, refolded, strict=True)
        record_all([_stored(one.run, first, again, by) for one, first, again in stored], at=at)
        told = (Told(one.stored.site_id, one.stored.pk, one.judged.report) for one in finished)
        return tell_violations(told, worker(by), at)


def _stored(run: PrefillRun, evaluation: Evaluation, again: Evaluation | None, by: str) -> Act:
    facts: dict[str, Value] = {
        "evaluation_id": str(evaluation.id),
        "evaluation_digest": evaluation.digest,
        "rows_digest": evaluation.rows_digest,
        "coverage": evaluation.coverage.lower(),
        "order_safe": evaluation.order_safe.lower(),
        "call_success": evaluation.call_success.lower(),
    }
    if again is not None:
        # What a sign-off is of is the latest evaluation that the chain tells of.
        facts |= {"folded_id": str(again.id), "folded_digest": again.digest}
    return _act(run, "prefill.store", worker(by), facts)


def fail_prefill(*, started: StartedRun, failure: str, by: str, at: datetime) -> bool:
    """Note that an attempt failed and say whether another one is due.

    `failure` is a class of error, never words of a call. After the last attempt the call waits for
    a person. Raises UnableToPrefill when another worker has taken the run over.
    """
    with transaction.atomic():
        run, call = _load_fenced(started)
        if run.attempts >= run.most_attempts:
            _give_up(call, run, failure, by, at)
            return False
        run.state = RunState.QUEUED
        run.lease_until = None
        run.failure = failure
        run.save(update_fields=["state", "lease_until", "failure"])
        _record(run, "prefill.fail", worker(by), at, {"final": False})
    return True


def give_up_lost(*, by: str, at: datetime) -> int:
    """End the runs whose last attempt was lost with its worker; returns how many there were."""
    lost = PrefillRun.objects.filter(
        state=RunState.RUNNING, lease_until__lt=at, attempts__gte=F("most_attempts")
    )
    return sum(_give_up_lost(run_id, by, at) for run_id in lost.values_list("pk", flat=True))


def _give_up_lost(run_id: UUID, by: str, at: datetime) -> bool:
    with transaction.atomic():
        run, call = _load_run(run_id)
        if run.state != RunState.RUNNING or run.lease_until is None or run.lease_until >= at:
            return False
        _give_up(call, run, "its workers were lost", by, at)
    return True


def _give_up(call: Call, run: PrefillRun, failure: str, by: str, at: datetime) -> None:
    """End a run that has had its attempts; the call waits for a person. The caller holds locks."""
    run.state = RunState.FAILED
    run.lease_until = None
    run.finished_at = at
    run.failure = failure
    run.save(update_fields=["state", "lease_until", "finished_at", "failure"])
    call.needs_mapping = (
        f"The pre-fill failed {run.attempts} times ({failure}); somebody must look at the call and "
        "have it read again."
    )
    _move(call, State.NEEDS_MAPPING)
    _record(run, "prefill.fail", worker(by), at, {"final": True})


def _load_call(call_id: UUID) -> Call:
    call = (
        Call.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .filter(pk=call_id)
        .first()
    )
    if call is None:
        raise UnableToPrefill(_NO_CALL)
    return call


def _finish_runs(started: Sequence[StartedRun], at: datetime) -> dict[UUID, PrefillRun]:
    """Finish the runs of attempts that still hold them; the caller has locked the calls."""
    with connection.cursor() as cursor:
        ids, attempts = [one.run_id for one in started], [one.attempt for one in started]
        cursor.execute(_FINISH, [at, ids, attempts, ids])
        runs = [from_row(PrefillRun, found) for found in cursor.fetchall()]
    if len(runs) < len(started):
        raise UnableToPrefill(_TAKEN_OVER)
    return {run.pk: run for run in runs}


_FINISH = (
    f"UPDATE {PrefillRun._meta.db_table} "  # noqa: S608 - names of our own
    f"SET state = '{RunState.DONE}', lease_until = NULL, finished_at = %s, failure = '' "
    "FROM unnest(%s::uuid[], %s::integer[]) AS held(run_id, attempt) "
    f"WHERE id = held.run_id AND state = '{RunState.RUNNING}' AND attempts = held.attempt "
    "AND id = ANY(%s::uuid[]) "
    f"RETURNING {columns_of(PrefillRun)}"
)
_NO_CALL = "There is no such call."
_TAKEN_OVER = "Another worker has taken this run over; what this one found is old."


def _load_fenced(started: StartedRun) -> tuple[PrefillRun, Call]:
    run, call = _load_run(started.run_id)
    if run.state != RunState.RUNNING or run.attempts != started.attempt:
        raise UnableToPrefill(_TAKEN_OVER)
    return run, call


def _load_run(run_id: UUID) -> tuple[PrefillRun, Call]:
    # The call first, as everywhere: two orders of locks would be a deadlock.
    call = _load_call(PrefillRun.objects.values_list("call_id", flat=True).get(pk=run_id))
    return PrefillRun.objects.select_for_update().get(pk=run_id), call


def _run_of(call: Call) -> QuerySet[PrefillRun]:
    version = call.catalog_version
    return PrefillRun.objects.select_for_update().filter(
        call=call,
        transcript_digest=call.transcript_digest,
        catalog_digest="" if version is None else version.digest,
        engine=ENGINE_VERSION,
    )


def _new_run(call: Call, version: CatalogVersion, run_id: UUID, at: datetime) -> PrefillRun:
    return PrefillRun(
        id=run_id,
        call=call,
        state=RunState.QUEUED,
        transcript_digest=call.transcript_digest,
        catalog_digest=version.digest,
        engine=ENGINE_VERSION,
        queued_at=at,
    )


def _move(call: Call, state: State) -> None:
    """Move the call on, as the table of its life allows. Raises UnableToPrefill."""
    _check_may_move(call, state)
    call.state = state
    call.save(update_fields=["state", "needs_mapping"])


def _check_may_move(call: Call, state: State) -> None:
    if not may_move(CallState(call.state), CallState(state.value), Owner.PREFILL):
        raise UnableToPrefill(
            f"The call is {State(call.state).label} by now and cannot become {state.label}."
        )


def _record(
    run: PrefillRun,
    kind: str,
    by: Actor,
    at: datetime,
    facts: Mapping[str, Value] | None = None,
) -> None:
    record_all([_act(run, kind, by, facts)], at=at)


def _act(run: PrefillRun, kind: str, by: Actor, facts: Mapping[str, Value] | None = None) -> Act:
    about_run: dict[str, Value] = {
        "run_id": str(run.id),
        "attempt": run.attempts,
        "transcript_digest": run.transcript_digest,
        "catalog_digest": run.catalog_digest,
        "engine": run.engine,
    }
    return Act(run.call_id, About.CALL, kind, by, {**about_run, **(facts or {})})
