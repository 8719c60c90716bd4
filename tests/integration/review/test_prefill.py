"""The pre-fill job: the numbers it stores, and that nothing is doubled or lost."""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from catalogs.core.canonical import digest
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.claims import LEASE, StartedRun, claim_prefills, renew_claims
from review.actions.opening import work_on
from review.actions.prefill import (
    Filled,
    UnableToPrefill,
    fail_prefill,
    give_up_lost,
    queue_prefill,
    store_prefill,
    store_prefills,
)
from review.actions.sealed import nonces_of
from review.actions.workers import forget_old_beats, note_beat
from review.core.evaluation import Judged, judge_call, quotes_of, report_from_json
from review.core.evidence.spans import commit
from review.core.parsers import oip_call
from review.core.rehearsal.variants import apply_variant, variants_of
from review.core.row_values import row_from_json
from review.core.transcript import Call as CallValue
from review.models import (
    Call,
    Evaluation,
    EvidenceCommitment,
    PhaseRow,
    PrefillRun,
    ProposedRow,
    RunState,
    WorkerBeat,
)
from review.queries import (
    WorkerLife,
    cascade_of,
    count_runs,
    count_waiting,
    get_call_for,
    worker_life,
)
from review.shipped import SHIPPED_CASES
from review.tasks import prefill_waiting, sweep
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    prefilled,
    publish,
    raw_micro,
    read,
    take,
    verified_today,
)

pytestmark = pytest.mark.django_db


def started(at: datetime = NOON) -> StartedRun:
    """Claim the one run that waits."""
    [run] = claim_prefills(most=50, at=at)
    return run


def judged(call_id: UUID, run: StartedRun) -> Judged:
    """Judge a stored call as the task does."""
    return judge_call(work_on(call_id=call_id).call, cascade_of(run.catalog_digest))


def rows_of(call_id: UUID) -> dict[str, tuple[int | None, int | None, str]]:
    """Return start, finish and verdict by phase."""
    rows = PhaseRow.objects.filter(call=call_id)
    return {row.phase: (row.start_turn, row.finish_turn, row.verdict) for row in rows}


def slice_of_case_a() -> CallValue:
    """Return the six-turn slice of case A as a call."""
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_a_respiratory"]
    [raw] = oip_call.raw_calls(path.read_bytes(), name=path.name)
    [variant] = [one for one in variants_of(raw) if one["id"] == "slice"]
    changed = {**apply_variant(raw, variant), "id": "case-a/slice"}
    call, _ = oip_call.parse_value(changed, where="slice")
    assert call is not None
    return call


@pytest.mark.usefixtures("shipped")
def test_case_b_gives_the_papers_numbers_as_read_back(north: Site) -> None:
    call_id = prefilled(case("case_b_call"), north)
    assert rows_of(call_id) == {
        "PID": (45, 52, "PASS"),
        "CSV": (42, 81, "PASS"),
        "DFV": (82, 99, "PASS"),
        "DRC": (90, 101, "PASS"),
        "DCC": (102, 103, "PASS"),
        "CRN": (104, 107, "PASS"),
    }
    stored = get_call_for(make_person(Role.REVIEWER, site=north), call_id)
    assert stored is not None
    assert stored.report is not None
    report = stored.report
    assert (report.coverage, report.order_safe, report.call_success) == ("pass", "fail", "fail")
    assert (report.facts["restrictions"], report.facts["copay_usd"]) == (True, 25)
    assert report.row("DCC").required is False
    violated = [edge for edge in report.edges if edge.critical and edge.ok is False]
    assert [(edge.parent, edge.child) for edge in violated] == [("PID", "CSV")]
    assert "52 < 42 is false" in violated[0].why
    assert report.diagnostics["cds"] == "0/1"
    assert PhaseRow.objects.get(phase="DCC").required == "NO"


@pytest.mark.usefixtures("shipped")
def test_case_a_and_the_micro_example_as_read_back() -> None:
    outcomes = {}
    for call in (case("case_a_respiratory"), slice_of_case_a(), case("case_micro")):
        evaluation = Evaluation.objects.get(call=prefilled(call))
        outcomes[call.id] = (evaluation.coverage, evaluation.order_safe, evaluation.call_success)
    assert outcomes == {
        "case-a-respiratory": ("PASS", "PASS", "PASS"),
        "case-a/slice": ("FAIL", "PASS", "FAIL"),
        "case-micro": ("PASS", "FAIL", "FAIL"),
    }
    rows = rows_of(Call.objects.get(external_id="case-a/slice").id)
    assert rows["SX_DECL"] == (1, 1, "PASS")
    assert rows["SX_ONSET_DUR"] == (2, 3, "PASS")
    assert rows["SX_CHARACTER"] == (4, 5, "PASS")


@pytest.mark.usefixtures("shipped")
def test_what_is_stored_can_be_checked_and_judged_again() -> None:
    call_id = prefilled(case("case_b_call"))
    evaluation = Evaluation.objects.get(call=call_id)
    judgement = judge_call(
        work_on(call_id=call_id).call,
        cascade_of(evaluation.catalog_digest),
        findings=work_on(call_id=call_id).findings,
    )
    plain = json.loads(evaluation.report)
    assert report_from_json(plain) == judgement.report
    assert digest(plain) == evaluation.digest
    proposals = {row.phase: row_from_json(row.row) for row in ProposedRow.objects.all()}
    assert proposals == dict(judgement.filled.rows)


@pytest.mark.usefixtures("shipped")
def test_each_piece_of_evidence_has_a_commitment_that_dies_with_the_key() -> None:
    call = case("case_b_call")
    call_id = prefilled(call)
    pieces = list(EvidenceCommitment.objects.all())
    quote = quotes_of(call)
    stored = Call.objects.get(pk=call_id)
    nonces = nonces_of(stored, {piece.turn for piece in pieces})
    assert len({*nonces.values()}) == len(nonces)
    words = [piece for piece in pieces if piece.end > piece.start]
    assert len(words) > 5
    for piece in words:
        text = quote(piece.turn, piece.start, piece.end, None)
        assert commit(text, nonces[piece.turn]) == piece.commitment
    Call.objects.filter(pk=call_id).update(wrapped_key=b"")
    with pytest.raises(Exception, match="key"):
        nonces_of(Call.objects.get(pk=call_id), {words[0].turn})


@pytest.mark.usefixtures("catalogs")
def test_a_task_run_twice_changes_nothing() -> None:
    call_id = prefilled(case())
    before = (ProposedRow.objects.count(), Evaluation.objects.get().id, entry_kinds(call_id))
    assert prefill_waiting() == 0
    assert (
        ProposedRow.objects.count(),
        Evaluation.objects.get().id,
        entry_kinds(call_id),
    ) == before
    assert entry_kinds(call_id) == [
        "genesis",
        "call.ingest",
        "prefill.queue",
        "prefill.store",
    ]
    assert Call.objects.get().state == "AWAITING_REVIEW"


def entry_kinds(call_id: UUID) -> list[str]:
    """Return the kinds of a call's entries, after verifying its chain."""
    assert verify(call_id) == []
    return [json.loads(entry.body)["type"] for entry in entries_of(call_id)]


@pytest.mark.usefixtures("catalogs")
def test_queued_twice_is_one_run() -> None:
    call_id = take(case()).call_id
    run_id = PrefillRun.objects.get().id
    assert queue_prefill(call_id=call_id, run_id=uuid4(), by=None, at=NOON) == run_id


@pytest.mark.usefixtures("catalogs")
def test_a_living_worker_keeps_its_run_and_a_lost_one_is_replaced() -> None:
    call_id = take(case()).call_id
    first = started()
    assert claim_prefills(most=50, at=NOON + LEASE) == []
    assert count_waiting(NOON + LEASE).prefills == 0
    late = NOON + LEASE + timedelta(seconds=1)
    assert count_waiting(late).prefills == 1
    second = started(late)
    assert (second.run_id, second.attempt) == (first.run_id, 2)
    found = judged(call_id, first)
    with pytest.raises(UnableToPrefill, match="Another worker"):
        store_prefill(started=first, evaluation_id=uuid4(), judged=found, by="w", at=late)
    store_prefill(started=second, evaluation_id=uuid4(), judged=found, by="w2", at=late)
    with pytest.raises(UnableToPrefill, match="Another worker"):
        store_prefill(started=second, evaluation_id=uuid4(), judged=found, by="w2", at=late)
    assert Evaluation.objects.count() == 1


@pytest.mark.usefixtures("catalogs")
def test_a_renewed_claim_is_held_for_another_lease_and_a_lost_one_is_not() -> None:
    take(case())
    first = started()
    later = NOON + timedelta(seconds=30)
    renew_claims(started=[first], at=later)
    assert claim_prefills(most=50, at=NOON + LEASE + timedelta(seconds=1)) == []
    second = started(later + LEASE + timedelta(seconds=1))
    renew_claims(started=[first], at=later + timedelta(days=1))
    assert PrefillRun.objects.get().lease_until == later + 2 * LEASE + timedelta(seconds=1)
    assert second.attempt == 2


@pytest.mark.usefixtures("catalogs")
def test_a_claim_takes_the_oldest_and_a_run_that_was_lost_is_claimed_alone() -> None:
    for number in range(3):
        take(read(raw_micro(id=f"c{number}")))
    first = claim_prefills(most=2, at=NOON)
    assert len(first) == 2
    fail_prefill(started=first[0], failure="X", by="w", at=NOON)
    claims = [claim_prefills(most=50, at=NOON) for _ in range(3)]
    assert sorted(len(claim) for claim in claims) == [0, 1, 1]
    assert {one.attempt for claim in claims for one in claim} == {1, 2}


@pytest.mark.usefixtures("catalogs")
def test_after_the_third_failure_a_person_must_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("words of the call")

    monkeypatch.setattr("review.tasks.prefills.judge_call", fail)
    call_id = take(case()).call_id
    assert [prefill_waiting() for _ in range(4)] == [1, 1, 1, 0]
    run = PrefillRun.objects.get()
    assert (run.state, run.attempts, run.failure) == (RunState.FAILED, 3, "RuntimeError")
    call = Call.objects.get()
    assert call.state == "NEEDS_MAPPING"
    assert "failed 3 times (RuntimeError)" in call.needs_mapping
    assert entry_kinds(call_id)[-3:] == ["prefill.fail"] * 3
    assert count_runs([call_id]).failed == 1


@pytest.mark.usefixtures("catalogs")
def test_a_call_that_fails_among_others_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(call: CallValue, *rest: Any, **words: Any) -> Judged:
        if call.id == "c1":
            raise RuntimeError("words of the call")
        return judge_call(call, *rest, **words)

    monkeypatch.setattr("review.tasks.prefills.judge_call", judge)
    ids = [take(read(raw_micro(id=f"c{number}"))).call_id for number in range(3)]
    assert prefill_waiting() == 3
    runs = {run.call.external_id: run for run in PrefillRun.objects.select_related("call")}
    assert {name: (run.state, run.attempts, run.failure) for name, run in runs.items()} == {
        "c0": (RunState.DONE, 1, ""),
        "c1": (RunState.QUEUED, 1, "RuntimeError"),
        "c2": (RunState.DONE, 1, ""),
    }
    last = [entry_kinds(call_id)[-1] for call_id in ids]
    assert last == ["prefill.store", "prefill.fail", "prefill.store"]


@pytest.mark.usefixtures("catalogs")
def test_stored_together_is_stored_as_alone() -> None:
    ids = [take(read(raw_micro(id=f"c{number}"))).call_id for number in range(3)]
    for call_id, run in zip(ids[:1], claim_prefills(most=1, at=NOON), strict=True):
        found = judged(call_id, run)
        store_prefill(started=run, evaluation_id=uuid4(), judged=found, by="w", at=NOON)
    assert prefill_waiting() == 2
    alone, *together = (_as_stored(call_id) for call_id in ids)
    assert together == [alone, alone]


def _as_stored(call_id: UUID) -> object:
    """Return what a pre-fill left of a call, but for ids and times."""
    evaluation = Evaluation.objects.get(call=call_id)
    call = Call.objects.get(pk=call_id)
    rows = PhaseRow.objects.filter(call=call_id).order_by("position")
    return (
        rows_of(call_id),
        [(row.phase, row.flags, row.required, row.revision) for row in rows],
        (evaluation.rows_digest, evaluation.coverage, evaluation.order_safe),
        (call.state, call.call_success, call.flagged, call.row_flags, call.focus_turn),
        evaluation.commitments.count(),
        entry_kinds(call_id),
    )


@pytest.mark.usefixtures("catalogs")
def test_of_runs_stored_together_none_is_where_one_was_taken_over() -> None:
    ids = [take(read(raw_micro(id=f"c{number}"))).call_id for number in range(2)]
    runs = {run.call_id: run for run in claim_prefills(most=50, at=NOON)}
    filled = [Filled(runs[one], uuid4(), judged(one, runs[one])) for one in ids]
    PrefillRun.objects.filter(call=ids[1]).update(attempts=2)
    with pytest.raises(UnableToPrefill, match="Another worker"):
        store_prefills(filled=filled, by="w", at=NOON)
    assert Evaluation.objects.count() == 0
    assert PrefillRun.objects.filter(state=RunState.RUNNING).count() == 2


@pytest.mark.usefixtures("catalogs")
def test_a_run_whose_workers_were_lost_three_times_is_given_up() -> None:
    take(case())
    at = NOON
    for _ in range(3):
        started(at)
        assert give_up_lost(by="w", at=at + LEASE) == 0
        at += LEASE + timedelta(seconds=1)
    assert claim_prefills(most=50, at=at) == []
    assert give_up_lost(by="w", at=at) == 1
    assert PrefillRun.objects.get().state == RunState.FAILED
    assert "its workers were lost" in Call.objects.get().needs_mapping


@pytest.mark.usefixtures("catalogs")
def test_a_failed_attempt_is_tried_again() -> None:
    take(case())
    assert fail_prefill(started=started(), failure="X", by="w", at=NOON) is True
    prefill_waiting()
    run = PrefillRun.objects.get()
    assert (run.state, run.attempts, run.failure) == (RunState.DONE, 2, "")


@pytest.mark.usefixtures("catalogs")
def test_a_withdrawn_call_is_claimed_by_nobody() -> None:
    call_id = take(case()).call_id
    Call.objects.filter(pk=call_id).update(state="WITHDRAWN")
    assert claim_prefills(most=50, at=NOON) == []
    assert count_waiting(NOON).prefills == 0


@pytest.mark.django_db(transaction=True)
def test_the_sweep_rings_for_what_waits_and_for_nothing_else(bells: list[str]) -> None:
    publish(catalog_source("micro"))
    verified_today()
    sweep()
    assert bells == []
    take(case())
    sweep()
    assert bells == ["review.prefill_waiting"]


def test_a_worker_is_alive_for_forty_seconds_and_forgotten_after_a_week() -> None:
    assert worker_life(NOON) == WorkerLife(None, is_alive=False)
    note_beat(worker="a", at=NOON - timedelta(days=8))
    note_beat(worker="b", at=NOON)
    note_beat(worker="b", at=NOON + timedelta(seconds=1))
    seen = NOON + timedelta(seconds=1)
    assert worker_life(seen + timedelta(seconds=40)) == WorkerLife(seen, is_alive=True)
    assert worker_life(seen + timedelta(seconds=41)) == WorkerLife(seen, is_alive=False)
    forget_old_beats(at=NOON)
    assert list(WorkerBeat.objects.values_list("name", flat=True)) == ["b"]


@pytest.mark.usefixtures("catalogs")
def test_a_row_that_a_person_has_touched_keeps_its_values() -> None:
    call_id = take(case()).call_id
    PhaseRow.objects.create(
        call_id=call_id,
        phase="PID",
        position=0,
        start_state="TURN",
        start_turn=1,
        finish_state="NEVER",
        verdict="FAIL",
        required="YES",
        volunteered=False,
        touched_at=NOON,
    )
    prefill_waiting()
    assert rows_of(call_id)["PID"] == (1, None, "FAIL")
    assert ProposedRow.objects.get(phase="PID").verdict == "PASS"
    assert len(rows_of(call_id)) == ProposedRow.objects.count()


@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize("state", ["NEEDS_MAPPING", "AWAITING_REVIEW"])
def test_only_a_received_call_is_queued(state: str) -> None:
    call_id = prefilled(case()) if state == "AWAITING_REVIEW" else take(case()).call_id
    if state == "NEEDS_MAPPING":
        Call.objects.filter(pk=call_id).update(state=state, needs_mapping="settle it")
    with pytest.raises(UnableToPrefill, match="nothing is filled"):
        queue_prefill(call_id=call_id, run_id=uuid4(), by=None, at=NOON)


def test_an_unknown_call_is_refused() -> None:
    with pytest.raises(UnableToPrefill, match="no such call"):
        queue_prefill(call_id=uuid4(), run_id=uuid4(), by=None, at=NOON)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_store_one_result() -> None:
    publish(catalog_source("micro"))
    call_id = take(case()).call_id
    gate = threading.Barrier(2, timeout=20)

    def work() -> None:
        try:
            gate.wait()
            prefill_waiting()
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(timeout=60)
    assert Evaluation.objects.filter(call=call_id).count() == 1
    assert PrefillRun.objects.get(call=call_id).state == RunState.DONE
    assert entry_kinds(call_id).count("prefill.store") == 1


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_store_one_call() -> None:
    publish(catalog_source("micro"))
    gate = threading.Barrier(2, timeout=20)
    outcomes: list[str] = []

    def work() -> None:
        try:
            gate.wait()
            outcomes.append(take(case()).outcome.value)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(timeout=60)
    assert sorted(outcomes) == ["created", "unchanged"]
    assert Call.objects.count() == 1
