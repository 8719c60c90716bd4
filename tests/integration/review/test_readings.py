"""Blind readings: drawn, taken, answered, done, given back, left, called off; and what ends one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import UnableToDecide
from review.actions.drawing import end_readings
from review.actions.mapping import confirm_mapping, send_to_mapping
from review.actions.opening import open_for_review
from review.actions.readings import (
    UnableToRead,
    answer_reading,
    call_reading_off,
    finish_reading,
    give_reading_back,
    take_next_reading,
    take_reading,
)
from review.actions.rebuilding import differing_rows
from review.actions.refused_signing import UnableToSign
from review.actions.settling import Settling, settle_difference
from review.actions.signing_state import read_to_sign
from review.core.decisions import Ask, Kind
from review.core.readings import READING_HOLD, Answer, EvidenceSpan, ReadingKind
from review.core.rows import NEVER, Verdict
from review.models import Call, Decision, PhaseRow, Reading, ReadingAnswer, ReadingEnd
from review.permissions import NotAllowed
from review.queries.readings import compared_readings, two_readings
from tests.blind import CANNOT_TELL, answer_all, as_first, read_first, read_twice, shares
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    read_as,
)
from tests.signers import act, sign_by_code, with_app

pytestmark = pytest.mark.django_db

LATER = NOON + READING_HOLD + timedelta(seconds=1)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case(), north)


@pytest.fixture
def ann(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="ann")


@pytest.fixture
def ben(north: Site) -> User:
    return make_person(Role.REVIEWER, site=north, username="ben")


@pytest.fixture
def sue(north: Site) -> User:
    return make_person(Role.SENIOR_REVIEWER, site=north, username="sue")


def stored(call_id: UUID) -> Call:
    return Call.objects.get(pk=call_id)


def stands(call_id: UUID) -> tuple[str, str, int | None]:
    """Return the state of a call, how it stands with its reading, and its class in the queue."""
    call = stored(call_id)
    return call.state, call.second_reading, call.queue_class


def logged(call_id: UUID) -> list[str]:
    """Return the kinds of the entries about readings."""
    kinds = [str(read_body(entry.body)["type"]) for entry in entries_of(call_id)]
    return [kind.removeprefix("reading.") for kind in kinds if kind.startswith("reading.")]


# --- drawn -------------------------------------------------------------------------------------


def test_a_call_is_drawn_when_its_first_reading_is_done_and_not_before(
    call_id: UUID, ann: User
) -> None:
    rows = list(PhaseRow.objects.filter(call=call_id).order_by("position"))
    with shares(double=100):
        for row in rows[:-1]:
            act(call_id, Ask(Kind.CONFIRM, row.phase), ann)
        assert not Reading.objects.exists()
        act(call_id, Ask(Kind.CONFIRM, rows[-1].phase), ann)
    assert stands(call_id) == ("AWAITING_SECOND_READER", "WAITING", 8)
    [reading] = Reading.objects.all()
    assert (reading.kind, reading.state) == ("DOUBLE", "WAITING")
    assert reading.phases == ["PID", "CSV", "DCC"]
    assert logged(call_id) == ["draw"]
    assert verify(call_id) == []


def test_what_is_not_drawn_is_ready_to_sign(call_id: UUID, ann: User) -> None:
    read_first(call_id, ann, double=0)
    assert stands(call_id) == ("IN_REVIEW", "", 7)
    assert not Reading.objects.exists()


def test_of_safety_critical_rows_only_the_drawn_are_read(call_id: UUID, ann: User) -> None:
    read_first(call_id, ann, double=0, critical=100)
    assert Reading.objects.get().kind == "CRITICAL"
    assert stands(call_id)[0] == "AWAITING_SECOND_READER"


def test_the_line_of_a_call_says_nothing_until_it_was_read_twice(
    call_id: UUID, ann: User, ben: User
) -> None:
    before = stored(call_id)
    assert before.order_safe == "FAIL"
    assert before.row_flags
    read_first(call_id, ann)
    said = ("coverage", "order_safe", "call_success", "focus_turn", "queue_edge")
    blind = stored(call_id)
    assert {name: getattr(blind, name) for name in said} == dict.fromkeys(said)
    assert (blind.flagged, blind.critical, blind.row_flags) == (0, 0, [])
    assert (blind.queue_phase, blind.queue_code) == ("", "")
    assert "pid" not in str(blind.search)
    answer_all(call_id, ben)
    assert stored(call_id).order_safe is None
    finish_reading(call_id=call_id, by=ben, at=NOON)
    assert (stored(call_id).order_safe, stored(call_id).row_flags) == ("FAIL", before.row_flags)


# --- taken -------------------------------------------------------------------------------------


def test_the_first_reader_cannot_take_it(call_id: UUID, ann: User) -> None:
    read_first(call_id, ann)
    with pytest.raises(UnableToRead, match="You have decided on this call"):
        take_reading(call_id=call_id, by=ann, at=NOON)
    assert take_next_reading(site=None, by=ann, at=NOON) is None


def test_who_has_had_the_rows_before_them_cannot_take_it(
    call_id: UUID, ann: User, sue: User
) -> None:
    open_for_review(call_id=call_id, by=sue, at=NOON)
    read_first(call_id, ann)
    with pytest.raises(UnableToRead, match="had this call's rows before you"):
        take_reading(call_id=call_id, by=sue, at=NOON)
    assert take_next_reading(site=None, by=sue, at=NOON) is None


def test_nobody_takes_what_another_reads(call_id: UUID, ann: User, ben: User, sue: User) -> None:
    read_first(call_id, ann)
    assert take_next_reading(site="north", by=ben, at=NOON) == call_id
    # Pressed twice it is the same reading.
    assert take_next_reading(site=None, by=ben, at=NOON) == call_id
    assert take_next_reading(site=None, by=sue, at=NOON) is None
    with pytest.raises(UnableToRead, match="reads this call until"):
        take_reading(call_id=call_id, by=sue, at=NOON)
    assert stands(call_id) == ("AWAITING_SECOND_READER", "OPEN", 8)


def test_people_of_another_site_and_who_only_reads_take_nothing(
    call_id: UUID, ann: User, north: Site
) -> None:
    read_first(call_id, ann)
    for person in (
        make_person(Role.REVIEWER, site=make_site("south")),
        make_person(Role.AUDITOR, site=north),
        make_person(Role.COMPLIANCE_OFFICER, site=north),
    ):
        with pytest.raises(NotAllowed):
            take_reading(call_id=call_id, by=person, at=NOON)
    assert take_next_reading(site=None, by=make_person(Role.REVIEWER), at=NOON) == call_id


def test_a_call_that_asks_for_no_reading_has_none(call_id: UUID, ben: User) -> None:
    with pytest.raises(UnableToRead, match="No blind reading"):
        take_reading(call_id=call_id, by=ben, at=NOON)


# --- answered and done -------------------------------------------------------------------------


def test_a_resent_answer_is_kept_once_and_the_latest_stands(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_first(call_id, ann)
    take_reading(call_id=call_id, by=ben, at=NOON)
    key = uuid4()
    for answer, form in ((CANNOT_TELL, key), (CANNOT_TELL, key), (as_first(call_id)["PID"], None)):
        answer_reading(
            call_id=call_id, phase="PID", answer=answer, key=form or uuid4(), by=ben, at=NOON
        )
    assert ReadingAnswer.objects.count() == 2
    assert logged(call_id) == ["draw", "take", "answer", "answer"]


def test_it_closes_when_every_row_is_answered_and_closes_once(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_first(call_id, ann)
    take_reading(call_id=call_id, by=ben, at=NOON)
    with pytest.raises(UnableToRead, match="PID, CSV, DCC"):
        finish_reading(call_id=call_id, by=ben, at=NOON)
    answer_all(call_id, ben)
    for _ in range(2):
        finish_reading(call_id=call_id, by=ben, at=NOON)
    assert stands(call_id) == ("IN_REVIEW", "DONE", 7)
    assert logged(call_id)[-1] == "done"
    assert differing_rows(call_id) == ()


def test_what_makes_no_sense_is_refused_and_nothing_is_kept(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_first(call_id, ann)
    take_reading(call_id=call_id, by=ben, at=NOON)
    wrong = Answer(True, 9, NEVER, Verdict.FAIL)
    with pytest.raises(UnableToRead) as refused:
        answer_reading(call_id=call_id, phase="PID", answer=wrong, key=uuid4(), by=ben, at=NOON)
    assert refused.value.field == "start"
    with pytest.raises(UnableToRead, match="not read here"):
        answer_reading(
            call_id=call_id, phase="XYZ", answer=CANNOT_TELL, key=uuid4(), by=ben, at=NOON
        )
    assert not ReadingAnswer.objects.exists()


def test_neither_reader_decides_for_the_other_meanwhile(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    take_reading(call_id=call_id, by=ben, at=NOON)
    for person in (ben, sue):
        with pytest.raises(UnableToDecide, match="read blind first"):
            act(call_id, Ask(Kind.CONFIRM, "PID"), person)
    # Who has read it goes on; the call still waits for its second reader.
    act(call_id, Ask(Kind.DOUBT, "PID", reason="was it she?"), ann)
    assert stands(call_id) == ("AWAITING_SECOND_READER", "OPEN", 8)
    assert stored(call_id).queue_phase == ""


# --- over without a result ---------------------------------------------------------------------


def test_one_that_is_given_back_is_begun_anew_by_another(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    give_reading_back(call_id=call_id, by=ben, at=NOON)
    assert stands(call_id) == ("AWAITING_SECOND_READER", "WAITING", 8)
    with pytest.raises(UnableToRead, match="given back"):
        finish_reading(call_id=call_id, by=ben, at=NOON)
    take_reading(call_id=call_id, by=sue, at=NOON)
    with pytest.raises(UnableToRead, match="PID, CSV, DCC"):
        finish_reading(call_id=call_id, by=sue, at=NOON)
    assert [one.state for one in Reading.objects.order_by("drawn_at", "state")] == ["ENDED", "OPEN"]


def test_one_that_was_left_is_anybodys_with_no_worker_running(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    assert take_next_reading(site=None, by=sue, at=LATER - timedelta(seconds=5)) is None
    assert take_next_reading(site=None, by=sue, at=LATER) == call_id
    with pytest.raises(UnableToRead, match="left by its reader"):
        answer_reading(
            call_id=call_id, phase="PID", answer=CANNOT_TELL, key=uuid4(), by=ben, at=LATER
        )
    assert Reading.objects.get(state="ENDED").ended_why == "EXPIRED"
    assert logged(call_id)[-3:] == ["end", "draw", "take"]


def test_who_comes_back_before_anybody_else_goes_on(call_id: UUID, ann: User, ben: User) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    finish_reading(call_id=call_id, by=ben, at=LATER)
    assert stands(call_id)[1] == "DONE"


def test_a_senior_reviewer_calls_it_off_with_a_reason_and_it_is_not_drawn_again(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    with pytest.raises(NotAllowed):
        call_reading_off(call_id=call_id, reason="nobody left", by=ben, at=NOON)
    with pytest.raises(UnableToRead, match="Write down why"):
        call_reading_off(call_id=call_id, reason=" ", by=sue, at=NOON)
    call_reading_off(call_id=call_id, reason="nobody left", by=sue, at=NOON)
    assert stands(call_id) == ("IN_REVIEW", "", 7)
    assert stored(call_id).order_safe == "FAIL"
    with shares(double=100):
        act(call_id, Ask(Kind.CONFIRM, "PID"), ann)
    assert stands(call_id) == ("IN_REVIEW", "", 7)


def test_a_first_reader_does_not_call_their_own_second_reading_off(
    call_id: UUID, sue: User
) -> None:
    read_first(call_id, sue)
    with pytest.raises(NotAllowed, match="another senior reviewer"):
        call_reading_off(call_id=call_id, reason="it is right", by=sue, at=NOON)


def test_a_transcript_that_is_revised_in_the_middle_ends_it(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    send_to_mapping(call_id=call_id, reason="the speakers are swapped", by=sue, at=NOON)
    with pytest.raises(UnableToRead, match="needs mapping"):
        finish_reading(call_id=call_id, by=ben, at=NOON)
    reading = read_as({"agent": "patient", "patient": "agent"}, remember=False)
    confirm_mapping(call_id=call_id, reading=reading, run_id=uuid4(), by=sue, at=NOON)
    assert Reading.objects.get().ended_why == "TRANSCRIPT"
    assert stored(call_id).second_reading == ""
    with pytest.raises(UnableToRead, match="the transcript was revised"):
        answer_reading(
            call_id=call_id, phase="PID", answer=CANNOT_TELL, key=uuid4(), by=ben, at=NOON
        )


def test_a_call_that_was_sent_back_and_stands_is_read_on(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    send_to_mapping(call_id=call_id, reason="is she the patient?", by=sue, at=NOON)
    same = read_as({"agent": "agent", "patient": "patient"}, remember=False)
    confirm_mapping(call_id=call_id, reading=same, run_id=uuid4(), by=sue, at=NOON)
    finish_reading(call_id=call_id, by=ben, at=NOON)
    assert stands(call_id)[1] == "DONE"


# --- differences -------------------------------------------------------------------------------


def settle(call_id: UUID, phase: str, side: str, by: User, key: UUID | None = None) -> None:
    Call.objects.filter(pk=call_id).update(held_by=None, held_until=None, hold_key=None)
    revision = PhaseRow.objects.get(call=call_id, phase=phase).revision
    settling = Settling(phase, side, "the words say so", revision)
    settle_difference(call_id=call_id, settling=settling, key=key or uuid4(), by=by, at=NOON)


def left(call_id: UUID) -> list[str]:
    both = two_readings(call_id)
    assert both is not None
    return [one.pair.phase for one in both.differences if not one.settled]


def obstacles(call_id: UUID, signer: User) -> str:
    review = read_to_sign(call_id)
    assert review is not None
    return " ".join(one.sentence for one in review.obstacles(signer, senior=True, at=NOON))


LATE_START = Answer(True, 3, 4, Verdict.PASS, (EvidenceSpan("told", 4, 0, 5),))


def test_c08_only_rows_that_differ_are_there_and_they_hold_up_the_signature(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_twice(call_id, ann, ben, CSV=LATE_START)
    assert left(call_id) == ["CSV"]
    assert stands(call_id) == ("IN_REVIEW", "DIFFERENT", 9)
    with_app(sue)
    open_for_review(call_id=call_id, by=sue, at=NOON)
    assert "settle every difference" in obstacles(call_id, sue)
    settle(call_id, "CSV", "first", sue)
    assert left(call_id) == []
    assert stands(call_id) == ("IN_REVIEW", "DONE", 7)
    sign_by_code(sue, call_id)
    assert stored(call_id).state == "SIGNED"


def test_c07_a_second_reading_that_is_open_holds_up_the_signature(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_first(call_id, ann)
    with_app(ann)
    assert "drawn for a second reading" in obstacles(call_id, ann)
    take_reading(call_id=call_id, by=ben, at=NOON)
    with pytest.raises(UnableToSign, match="drawn for a second reading"):
        sign_by_code(ann, call_id)


def test_the_blind_reading_is_put_in_by_ordinary_decisions_and_both_must_agree(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_twice(call_id, ann, ben, CSV=LATE_START)
    key = uuid4()
    for _ in range(2):
        settle(call_id, "CSV", "second", ben, key)
    kinds = list(Decision.objects.filter(by=ben).order_by("number").values_list("kind", flat=True))
    assert kinds == ["SET_EVIDENCE", "SET_FINISH", "SET_START", "SET_VERDICT"]
    assert as_first(call_id)["CSV"][:4] == LATE_START[:4]
    assert left(call_id) == ["CSV"]
    act(call_id, Ask(Kind.CONFIRM, "CSV"), ann)
    assert left(call_id) == []
    assert differing_rows(call_id) == ()


def test_a_difference_is_open_again_when_what_settled_it_is_taken_back(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_twice(call_id, ann, ben, CSV=LATE_START)
    settle(call_id, "CSV", "first", sue)
    assert stored(call_id).second_reading == "DONE"
    act(call_id, Ask(Kind.DOUBT, "CSV", reason="was it?"), ann)
    assert stored(call_id).second_reading == "DIFFERENT"


def test_without_a_reason_nothing_is_settled(call_id: UUID, ann: User, ben: User) -> None:
    read_twice(call_id, ann, ben, CSV=LATE_START)
    with pytest.raises(UnableToDecide, match="Write down why"):
        settle_difference(
            call_id=call_id,
            settling=Settling("CSV", "first", " ", 2),
            key=uuid4(),
            by=ben,
            at=NOON,
        )


def test_both_readings_are_kept_for_figures_of_agreement(
    call_id: UUID, ann: User, ben: User, north: Site
) -> None:
    read_twice(call_id, ann, ben, CSV=LATE_START)
    [one] = compared_readings([north.pk])
    assert (one.kind, one.reader, one.call_id) == (ReadingKind.DOUBLE, ben.pk, call_id)
    assert one.compared.differing == ("CSV",)
    assert {edge.child: (edge.first, edge.second) for edge in one.compared.edges} == {
        "CSV": (False, False),
        "DCC": (False, False),
    }
    assert list(compared_readings([north.pk], kinds=[ReadingKind.DRIFT])) == []
    assert list(compared_readings([north.pk], since=LATER)) == []
    assert list(compared_readings([])) == []


# --- drift and sample --------------------------------------------------------------------------


def test_a_share_of_signed_calls_is_read_again_and_the_signature_stands(
    call_id: UUID, sue: User, ben: User
) -> None:
    read_first(call_id, sue, double=0)
    with_app(sue)
    with shares(drift=100):
        sign_by_code(sue, call_id)
    assert stands(call_id)[:2] == ("SIGNED", "")
    assert stored(call_id).order_safe == "FAIL"
    assert take_next_reading(site=None, by=ben, at=NOON) == call_id
    assert stored(call_id).order_safe is None
    answer_all(call_id, ben, CSV=LATE_START)
    finish_reading(call_id=call_id, by=ben, at=NOON)
    assert stands(call_id)[:2] == ("SIGNED", "DIFFERENT")
    assert stored(call_id).order_safe == "FAIL"
    both = two_readings(call_id)
    assert both is not None
    assert (both.kind, both.settles) == (ReadingKind.DRIFT, False)


def test_a_sampled_call_is_read_blind_before_anybody_decides(
    call_id: UUID, ann: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.actions.call_line.is_sampled", lambda *_: True)
    PhaseRow.objects.update(flags=[])
    Call.objects.update(queue_class=4, queue_phase="", queue_code="")
    with pytest.raises(UnableToDecide, match="read blind first"):
        act(call_id, Ask(Kind.CONFIRM, "PID"), ann)
    answer_all(call_id, ben, CSV=LATE_START)
    with pytest.raises(UnableToRead, match="reads this call until"):
        take_reading(call_id=call_id, by=ann, at=NOON)
    finish_reading(call_id=call_id, by=ben, at=NOON)
    assert Reading.objects.get().kind == "SAMPLE"
    assert stands(call_id)[1:] == ("DIFFERENT", 9)
    act(call_id, Ask(Kind.CONFIRM, "CSV"), ben)
    assert left(call_id) == []


def test_a_sampled_call_that_is_given_back_is_in_the_sample_again(
    call_id: UUID, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.actions.call_line.is_sampled", lambda *_: True)
    PhaseRow.objects.update(flags=[])
    Call.objects.update(queue_class=4, queue_phase="", queue_code="")
    take_reading(call_id=call_id, by=ben, at=NOON)
    give_reading_back(call_id=call_id, by=ben, at=NOON)
    assert stands(call_id)[1:] == ("", 4)
    assert stored(call_id).held_by is None


# --- what the database refuses -----------------------------------------------------------------


def test_what_was_said_and_what_is_over_never_changes(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_twice(call_id, ann, ben)
    changes: list[Callable[[], object]] = [
        lambda: ReadingAnswer.objects.update(phase="CSV"),
        lambda: ReadingAnswer.objects.all().delete(),
        lambda: Reading.objects.update(compared={}),
        lambda: Reading.objects.update(state="OPEN"),
        lambda: Reading.objects.update(reader=sue),
    ]
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_a_reopened_call_has_its_open_reading_ended(call_id: UUID, ann: User) -> None:
    read_first(call_id, ann)
    call = Call.objects.select_related("catalog_version", "site").get(pk=call_id)
    with transaction.atomic():
        end_readings(call, ReadingEnd.REOPENED, worker("test"), NOON)
    assert Reading.objects.get().state == "ENDED"
    assert stored(call_id).second_reading == ""


# --- at once -----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_it_at_once_one_reads(
    call_id: UUID, ann: User, ben: User, sue: User
) -> None:
    read_first(call_id, ann)
    start = Barrier(2)

    def take(person: User) -> UUID | None:
        try:
            start.wait()
            return take_next_reading(site=None, by=person, at=NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        taken = list(pool.map(take, (ben, sue)))
    assert sorted(taken, key=str) == sorted([call_id, None], key=str)
    assert Reading.objects.filter(state="OPEN").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_first_reader_decides_while_the_second_closes(
    call_id: UUID, ann: User, ben: User
) -> None:
    read_first(call_id, ann)
    answer_all(call_id, ben)
    start = Barrier(2)

    def at_once(do: str) -> None:
        try:
            start.wait()
            if do == "close":
                finish_reading(call_id=call_id, by=ben, at=NOON)
            else:
                act(call_id, Ask(Kind.DOUBT, "CSV", reason="was it?"), ann)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(at_once, ("close", "doubt")))
    assert Reading.objects.get().state == "DONE"
    assert stored(call_id).state == "IN_REVIEW"
    assert differing_rows(call_id) == ()
    assert verify(call_id) == []
