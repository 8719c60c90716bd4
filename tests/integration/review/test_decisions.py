"""People decide rows: applied once, in order, refused where stale, folded into what is shown."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import Conflict, Taken, UnableToDecide, decide
from review.actions.mapping import confirm_mapping, send_to_mapping
from review.actions.rebuilding import differing_rows, rebuild_rows
from review.actions.sealed import unseal_words
from review.core.decisions import (
    Ask,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Span,
    UndoValue,
    VerdictValue,
)
from review.core.rows import NEVER, UNKNOWN, Point, Verdict
from review.core.transcript import NOT_READ
from review.management.commands import rebuild_rows as command
from review.management.commands import recheck_verdicts
from review.models import Call, Decision, Evaluation, EvidenceCommitment, PhaseRow
from review.permissions import NotAllowed
from review.queries import get_call_for
from review.queries.late import late_proposals
from review.tasks import prefill_waiting
from tests.factories import NOON, case, catalog_source, make_person, prefilled, publish, read_as

pytestmark = pytest.mark.django_db

PASS, FAIL = Verdict.PASS, Verdict.FAIL
WHY = "the record says so"


@pytest.fixture
def call_id(north: Site) -> UUID:
    publish(catalog_source("benefits_verification"))
    return prefilled(case("case_b_call"), north)


@pytest.fixture
def ann(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="ann")


@pytest.fixture
def ben(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="ben")


@pytest.fixture
def sue(north: Site) -> User:
    return make_person(Role.SENIOR_REVIEWER, site=north, username="sue")


def revision_of(call_id: UUID, phase: str) -> int:
    return PhaseRow.objects.values_list("revision", flat=True).get(call=call_id, phase=phase)


def take(
    call_id: UUID,
    by: User,
    kind: Kind,
    value: Any = None,
    phase: str | None = "PID",
    *,
    form: UUID | None = None,
    seen: int | None = None,
    **more: Any,
) -> Taken:
    if seen is None:
        seen = revision_of(call_id, phase) if phase else more.pop("fact_revision", 1)
    return decide(
        call_id=call_id,
        decision=Ask(kind, phase, value=value, **more),
        expected_revision=seen,
        key=form or uuid4(),
        by=by,
        # So far apart that nobody's hold of the call is in another's way.
        at=NOON + timedelta(minutes=20 * Decision.objects.count()),
    )


def row_of(call_id: UUID, phase: str = "PID") -> PhaseRow:
    return PhaseRow.objects.get(call=call_id, phase=phase)


def last_entry(call_id: UUID) -> Any:
    assert verify(call_id) == []
    return json.loads(list(entries_of(call_id))[-1].body)


def test_a_confirmed_row_names_the_person_and_moves_the_call_into_review(
    call_id: UUID, ann: User
) -> None:
    evaluations = Evaluation.objects.count()
    taken = take(call_id, ann, Kind.CONFIRM)
    row = row_of(call_id)
    assert taken == Taken(1, "PID", None, 2, again=False)
    assert (row.standing, row.decided_by, row.revision) == ("CONFIRMED", ann, 2)
    assert row.touched_at is not None
    assert Call.objects.get(pk=call_id).state == "IN_REVIEW"
    assert Evaluation.objects.count() == evaluations  # nothing else came out
    entry = last_entry(call_id)
    assert (entry["type"], entry["actor"]["role"]) == ("row.decide", "reviewer")
    assert (entry["facts"]["decision"], entry["facts"]["phase"]) == ("CONFIRM", "PID")


def test_a_corrected_start_is_evaluated_at_once(call_id: UUID, ann: User) -> None:
    assert Call.objects.get(pk=call_id).order_safe == "FAIL"
    take(call_id, ann, Kind.SET_START, PointValue(60), "CSV", reason=WHY)
    call, row = Call.objects.get(pk=call_id), row_of(call_id, "CSV")
    assert (call.order_safe, call.call_success) == ("PASS", "PASS")
    assert (row.start_turn, row.needs_second, row.standing) == (60, True, "CONFIRMED")
    stored = get_call_for(ann, call_id)
    assert stored is not None
    assert stored.report is not None
    assert stored.report.call_success == "pass"
    assert stored.report.row("CSV").decided_by.start == f"person:{ann.pk}"
    assert last_entry(call_id)["facts"]["order_safe"] == "pass"
    assert (EvidenceCommitment.objects.filter(evaluation__decision__number=1).count()) > 0


def test_a_second_person_confirms_what_was_turned_round(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    take(call_id, ann, Kind.SET_START, PointValue(60), "CSV", reason=WHY)
    take(call_id, ben, Kind.CONFIRM, phase="CSV")
    assert row_of(call_id, "CSV").needs_second
    take(call_id, sue, Kind.CONFIRM, phase="CSV")
    assert not row_of(call_id, "CSV").needs_second


def test_a_fact_decides_requirements_anew(call_id: UUID, ann: User) -> None:
    assert row_of(call_id, "DCC").required == "NO"
    fact: Any = {"phase": None, "fact": "restrictions"}
    with pytest.raises(UnableToDecide, match="restrictions = true") as refusal:
        take(call_id, ann, Kind.SET_FACT, FactValue(False), **fact)
    assert refusal.value.field == "reason"
    taken = take(call_id, ann, Kind.SET_FACT, FactValue(False), **fact, reason=WHY)
    assert row_of(call_id, "DCC").required == "YES"
    assert taken.revision == 2
    assert differing_rows(call_id) == ()


def test_evidence_gets_a_commitment_and_no_word_is_kept(call_id: UUID, ann: User) -> None:
    take(call_id, ann, Kind.SET_EVIDENCE, Span("payer_match", 52, 0, 4))
    mine = EvidenceCommitment.objects.get(
        evaluation__decision__number=1, item="payer_match", turn=52
    )
    assert (mine.start, mine.end) == (0, 4)
    assert Decision.objects.get().value == {
        "item": "payer_match",
        "turn": 52,
        "start": 0,
        "end": 4,
    }


def test_a_reason_lies_sealed_and_its_commitment_is_in_the_log(call_id: UUID, ann: User) -> None:
    take(call_id, ann, Kind.COMMENT, reason="  she says Mary Miller ")
    stored = Decision.objects.get()
    assert stored.sealed is not None
    assert b"Mary" not in bytes(stored.sealed)
    assert unseal_words(Call.objects.get(), [stored]) == {1: "she says Mary Miller"}
    assert len(last_entry(call_id)["facts"]["reason_commitment"]) == 64
    row = row_of(call_id)
    assert (row.standing, row.revision, row.touched_at) == ("PROPOSED", 1, None)


def test_the_same_key_is_applied_once(call_id: UUID, ann: User, ben: User) -> None:
    key = uuid4()
    first = take(call_id, ann, Kind.CONFIRM, form=key, seen=1)
    take(call_id, ben, Kind.CONFIRM)
    again = take(call_id, ann, Kind.CONFIRM, form=key, seen=1)
    assert (first.again, again.again, again.number, again.revision) == (False, True, 1, 3)
    assert Decision.objects.count() == 2
    for other, kind in ((ben, Kind.CONFIRM), (ann, Kind.DOUBT)):
        with pytest.raises(UnableToDecide, match="sent before with something else"):
            take(call_id, other, kind, form=key, reason=WHY)


def test_a_stale_decision_is_refused_and_says_what_it_missed(
    call_id: UUID, ann: User, ben: User
) -> None:
    take(call_id, ben, Kind.SET_START, PointValue(44), reason=WHY)
    with pytest.raises(Conflict, match="Some Body") as conflict:
        take(call_id, ann, Kind.SET_START, PointValue(43), seen=1, reason=WHY)
    [missed] = conflict.value.since
    assert (missed.decision.by, missed.decision.value) == (str(ben.pk), PointValue(44))
    assert conflict.value.revision == 2
    assert row_of(call_id).start_turn == 44
    # Another row was not changed, and one's own newer decision is no conflict.
    take(call_id, ann, Kind.CONFIRM, phase="CSV", seen=1)
    take(call_id, ben, Kind.CONFIRM, seen=1)
    # What was not there yet cannot have been seen.
    with pytest.raises(Conflict):
        take(call_id, ben, Kind.CONFIRM, seen=99)


def test_undo_and_redo(call_id: UUID, ann: User, ben: User) -> None:
    take(call_id, ann, Kind.SET_START, PointValue(60), "CSV", reason=WHY)
    undo: Any = {"phase": None, "fact": None}
    with pytest.raises(UnableToDecide, match="Only your own"):
        take(call_id, ben, Kind.UNDO, UndoValue(1), **undo, seen=2)
    take(call_id, ann, Kind.UNDO, UndoValue(1), **undo, seen=2)
    row = row_of(call_id, "CSV")
    assert (row.start_turn, row.standing, row.revision, row.needs_second) == (
        *(42, "PROPOSED", 3),
        False,
    )
    assert row.touched_at is not None
    assert Call.objects.get().order_safe == "FAIL"
    take(call_id, ann, Kind.UNDO, UndoValue(2), **undo, seen=3)
    assert row_of(call_id, "CSV").start_turn == 60
    assert Call.objects.get().order_safe == "PASS"
    with pytest.raises(UnableToDecide, match="no such decision"):
        take(call_id, ann, Kind.UNDO, UndoValue(9), **undo, seen=3)


@pytest.mark.parametrize("state", ["SIGNED", "WITHDRAWN", "PREFILLING", "NEEDS_MAPPING"])
def test_a_call_that_is_elsewhere_is_not_decided(state: str, call_id: UUID, ann: User) -> None:
    why = "a sentence" if state == "NEEDS_MAPPING" else ""
    Call.objects.filter(pk=call_id).update(state=state, needs_mapping=why)
    with pytest.raises(UnableToDecide, match="are not decided now"):
        take(call_id, ann, Kind.CONFIRM)


@pytest.mark.parametrize("role", [Role.COMPLIANCE_OFFICER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_others_do_not_decide(role: Role, call_id: UUID, north: Site) -> None:
    with pytest.raises(NotAllowed):
        take(call_id, make_person(role, site=north), Kind.CONFIRM)


def test_a_late_proposal_does_not_overwrite_what_a_person_decided(
    call_id: UUID, ann: User, north: Site
) -> None:
    take(call_id, ann, Kind.SET_START, PointValue(60), "CSV", reason=WHY)
    mapper = make_person(Role.COMPLIANCE_OFFICER, site=north)
    send_to_mapping(call_id=call_id, reason="another voice", by=mapper, at=NOON)
    speakers = {"agent": "rep", "rep": "agent", "rep2": "agent", "ivr": NOT_READ, "hold": NOT_READ}
    reading = read_as(speakers, remember=False)
    confirm_mapping(call_id=call_id, reading=reading, run_id=uuid4(), by=mapper, at=NOON)
    prefill_waiting()
    assert row_of(call_id, "CSV").start_turn == 60
    stored = get_call_for(ann, call_id)
    assert stored is not None
    assert stored.report is not None
    assert stored.report.row("CSV").start == 60
    # No person has touched PID: it is as the second reading proposes it.
    assert stored.report.row("PID").finish != 52
    # What came late is known beside the row that it does not touch.
    late = late_proposals(call_id)
    assert set(late) == {"CSV"}
    assert late["CSV"].start != 60
    client = Client()
    client.force_login(ann)
    page = client.get(reverse("review:call", args=[call_id])).content.decode()
    assert page.count("A later pre-fill proposes otherwise") == 1
    assert differing_rows(call_id) == ()
    assert recheck() == 0


def recheck() -> int:
    found = recheck_verdicts.Command(stdout=StringIO())
    found.handle()
    return found.exit_code


def asks(chance: random.Random, count: int) -> Iterator[tuple[Ask, int]]:
    """Yield random decisions, most of which make sense, with the index of the person."""
    for _ in range(count):
        phase = chance.choice(["PID", "CSV", "DFV", "DRC", "DCC", "CRN"])
        key = chance.choice(["fictorol", "imaginumab"]) if phase in ("DFV", "DRC") else None
        turn = chance.randint(1, 110)
        points: list[Point] = [turn, turn, turn, NEVER, UNKNOWN]
        point = PointValue(chance.choice(points))
        item = {"PID": "payer_match", "CSV": "plan", "DFV": "tier"}.get(phase, "reference")
        kind, value = chance.choice(
            [
                (Kind.CONFIRM, None),
                (Kind.DOUBT, None),
                (Kind.COMMENT, None),
                (Kind.SET_START, point),
                (Kind.SET_FINISH, point),
                (Kind.SET_VERDICT, VerdictValue(chance.choice(list(Verdict)))),
                (Kind.SET_ITEM, ItemValue(item, chance.choice([True, False, None]), turn)),
                (Kind.SET_EVIDENCE, Span(item, turn, 0, 1)),
                (Kind.SET_FACT, FactValue(chance.choice([True, False, None]))),
                (Kind.UNDO, None),
            ]
        )
        who = chance.randrange(3)
        if kind is Kind.SET_FACT:
            yield Ask(kind, fact="restrictions", value=value, reason=WHY), who
        else:
            yield Ask(kind, phase, key=key, value=value, reason=WHY), who


def decide_at_random(call_id: UUID, people: list[User], seed: int, count: int) -> int:
    """Send random decisions, and return how many were taken; the rest makes no sense."""
    chance = random.Random(seed)  # noqa: S311 - a test's own dice
    taken = 0
    for drawn, who in asks(chance, count):
        asked = drawn
        if asked.kind is Kind.UNDO:
            number = chance.randint(max(1, taken - 4), max(1, taken))
            found = Decision.objects.filter(call=call_id, number=number).first()
            if found is None:
                continue
            asked = Ask(Kind.UNDO, found.phase or None, found.fact or None, value=UndoValue(number))
        about = asked.phase or ""
        there = Decision.objects.filter(call=call_id, fact=asked.fact or "-")
        seen = revision_of(call_id, about) if about else 1 + there.count()
        try:
            take(
                call_id,
                people[who],
                asked.kind,
                asked.value,
                asked.phase,
                fact=asked.fact,
                key=asked.key,
                seen=seen,
                reason=asked.reason,
            )
        except UnableToDecide:
            continue
        taken += 1
    return taken


def test_rows_built_anew_equal_the_stored_ones(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    taken = decide_at_random(call_id, [ann, ben, sue], seed=5, count=30)
    assert taken >= 10
    assert differing_rows(call_id) == ()
    assert recheck() == 0


def test_a_row_that_was_damaged_is_found_and_put_right(call_id: UUID, ann: User) -> None:
    take(call_id, ann, Kind.SET_START, PointValue(60), "CSV", reason=WHY)
    PhaseRow.objects.filter(call=call_id, phase="CSV").update(start_turn=1)
    out = StringIO()
    found = command.Command(stdout=out)
    found.handle(calls=[], repair=False)
    assert (found.exit_code, out.getvalue().splitlines()) == (
        1,
        [f"{call_id}: differs CSV", "1 calls built anew, 1 differ"],
    )
    assert rebuild_rows(call_id=call_id, by="test", at=NOON) == ("CSV",)
    assert row_of(call_id, "CSV").start_turn == 60
    assert last_entry(call_id)["type"] == "rows.rebuild"
    found.handle(calls=[str(call_id)], repair=True)
    assert found.exit_code == 0
