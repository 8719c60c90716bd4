"""Disputes of signed calls: who may file, answer and withdraw, what the log has, and erasure."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import override_settings

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.disputing import (
    DisputeWish,
    UnableToDispute,
    answer_dispute,
    file_dispute,
    withdraw_dispute,
)
from review.actions.reopening import ask_to_reopen, reopen_call
from review.actions.sealed import sealer_of
from review.models import Call, Dispute, DisputedResult, DisputeEnd, DisputeKind, SignOff
from review.permissions import NotAllowed
from tests.disputed import WORDS, dispute, signed_call
from tests.factories import NOON, make_person, make_site, prefilled, raw_micro, read
from tests.integration.review.retention_acts import erase

pytestmark = pytest.mark.django_db

KINDS = ("dispute.file", "dispute.answer", "dispute.withdraw", "dispute.end")


@pytest.fixture
def signer() -> User:
    return make_person(Role.SENIOR_REVIEWER)


@pytest.fixture
def call_id(signer: User) -> UUID:
    return signed_call(signer)


def filer() -> User:
    return make_person(Role.REVIEWER)


def officer() -> User:
    return make_person(Role.COMPLIANCE_OFFICER)


def answer(dispute_id: UUID, by: User, end: DisputeEnd = DisputeEnd.UPHELD) -> None:
    answer_dispute(dispute_id=dispute_id, end=end, words="it was, in turn 2", by=by, at=NOON)


def logged(call_id: UUID) -> list[Any]:
    bodies: list[Any] = [read_body(entry.body) for entry in entries_of(call_id)]
    return [one for one in bodies if one["type"] in KINDS]


def test_the_log_has_what_is_disputed_and_a_commitment_to_the_words(call_id: UUID) -> None:
    by = filer()
    dispute_id = dispute(call_id, by)
    [entry] = logged(call_id)
    facts, found = entry["facts"], Dispute.objects.get()
    note = Call.objects.get().notes.get(number=found.note)
    sealer = sealer_of(Call.objects.get())
    nonce = bytes.fromhex(sealer.open(f"note_nonce:{note.number}", note.sealed_nonce))
    assert sealer.open(f"note:{note.number}", note.sealed) == WORDS
    # The action's time is not the entry's: these disputes are filed in the past.
    facts.pop("stated_at_us")
    assert facts == {
        "dispute_id": str(dispute_id),
        "signature": SignOff.objects.get().digest,
        "kind": "EVIDENCE",
        "of": "PID",
        "due": (NOON + timedelta(days=14)).isoformat(),
        "words_commitment": commit_text(nonce, WORDS),
    }
    assert entry["actor"]["id"] == str(by.pk)
    assert verify(call_id) == []


@override_settings(DISPUTE_DAYS=3)
def test_the_limit_is_a_setting_and_fixed_when_it_is_filed(call_id: UUID) -> None:
    dispute(call_id, filer())
    assert Dispute.objects.get().due == NOON + timedelta(days=3)


@pytest.mark.parametrize("role", [Role.SENIOR_REVIEWER, Role.COMPLIANCE_OFFICER])
def test_who_neither_signed_nor_filed_it_answers(role: Role, call_id: UUID) -> None:
    by, asks = make_person(role), filer()
    dispute_id = dispute(call_id, asks)
    answer(dispute_id, by, DisputeEnd.OVERTURNED)
    found = Dispute.objects.get()
    assert (found.end, found.ended_by, found.ended_at) == ("OVERTURNED", by, NOON)
    facts = logged(call_id)[-1]["facts"]
    assert (facts["answer"], facts["filed_by"], facts["late"]) == (
        "OVERTURNED",
        str(asks.pk),
        False,
    )
    # Nothing is undone by it.
    assert Call.objects.get().state == "SIGNED"
    assert SignOff.objects.get().void_at is None


def test_an_answer_past_the_limit_is_late_in_the_log(call_id: UUID) -> None:
    dispute_id = dispute(call_id, filer(), NOON - timedelta(days=15))
    answer(dispute_id, officer())
    assert logged(call_id)[-1]["facts"]["late"] is True


def test_neither_who_signed_nor_who_filed_it_answers(call_id: UUID, signer: User) -> None:
    own = officer()
    dispute_id = dispute(call_id, own)
    for by, words in ((own, "You filed"), (signer, "You signed"), (filer(), "Only senior")):
        with pytest.raises(NotAllowed, match=words):
            answer(dispute_id, by)
    assert Dispute.objects.get().end == ""


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.ADMINISTRATOR, Role.CATALOG_AUTHOR])
def test_who_only_reads_disputes_nothing(role: Role, call_id: UUID) -> None:
    with pytest.raises(NotAllowed):
        dispute(call_id, make_person(role))


def test_another_sites_people_neither_file_nor_answer(call_id: UUID) -> None:
    away = make_person(Role.SENIOR_REVIEWER, site=make_site("south"))
    with pytest.raises(NotAllowed):
        dispute(call_id, away)
    dispute_id = dispute(call_id, filer())
    with pytest.raises(NotAllowed):
        answer(dispute_id, away)


def test_who_filed_it_withdraws_it_and_nobody_else(call_id: UUID) -> None:
    by = filer()
    dispute_id = dispute(call_id, by)
    with pytest.raises(NotAllowed, match="Who filed"):
        withdraw_dispute(dispute_id=dispute_id, by=officer(), at=NOON)
    withdraw_dispute(dispute_id=dispute_id, by=by, at=NOON)
    assert Dispute.objects.get().end == "WITHDRAWN"
    with pytest.raises(UnableToDispute, match="is over"):
        withdraw_dispute(dispute_id=dispute_id, by=by, at=NOON)
    with pytest.raises(UnableToDispute, match="is over"):
        answer(dispute_id, officer())
    # Another one may follow.
    dispute(call_id, by)
    assert [one["type"] for one in logged(call_id)] == [
        *("dispute.file", "dispute.withdraw", "dispute.file"),
    ]


def test_one_waits_at_a_time_and_the_same_form_twice_files_once(call_id: UUID) -> None:
    by, dispute_id = filer(), uuid4()
    wish = DisputeWish(DisputeKind.VERDICT, "", DisputedResult.CALL_SUCCESS, WORDS)
    for _ in range(2):
        file_dispute(dispute_id=dispute_id, call_id=call_id, wish=wish, by=by, at=NOON)
    assert Dispute.objects.count() == 1
    with pytest.raises(UnableToDispute, match="disputes this signature already"):
        dispute(call_id, officer())


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        (DisputeWish(DisputeKind.VERDICT, "NONE", None, WORDS), "about"),
        (DisputeWish(DisputeKind.VERDICT, "", None, WORDS), "about"),
        (DisputeWish(DisputeKind.VERDICT, "PID", DisputedResult.COVERAGE, WORDS), "about"),
        (DisputeWish(DisputeKind.VERDICT, "PID", None, " \n"), "words"),
        (DisputeWish(DisputeKind.VERDICT, "PID", None, "x" * 2001), "words"),
    ],
)
def test_a_dispute_that_makes_no_sense_is_refused(
    wish: DisputeWish, field: str, call_id: UUID
) -> None:
    with pytest.raises(UnableToDispute) as refused:
        file_dispute(dispute_id=uuid4(), call_id=call_id, wish=wish, by=filer(), at=NOON)
    assert refused.value.field == field
    assert (Dispute.objects.count(), logged(call_id)) == (0, [])


def test_only_what_is_signed_is_disputed(call_id: UUID) -> None:
    waits = prefilled(read(raw_micro(id="waits")))
    with pytest.raises(UnableToDispute, match="a signed one is disputed"):
        dispute(waits, filer())
    ask_to_reopen(call_id=call_id, reason="why", by=officer(), at=NOON)
    reopen_call(call_id=call_id, reason="why", by=make_person(Role.SENIOR_REVIEWER), at=NOON)
    with pytest.raises(UnableToDispute, match="reopened"):
        dispute(call_id, filer())


def test_an_erasure_takes_the_words_and_ends_what_waits(call_id: UUID) -> None:
    first = dispute(call_id, filer(), words=f"{WORDS} first")
    answer(first, officer())
    dispute(call_id, filer())
    notes = [bytes(one) for one in Call.objects.get().notes.values_list("sealed", flat=True)]
    erase(call_id)
    assert Call.objects.get().notes.count() == 0
    assert set(Dispute.objects.values_list("end", flat=True)) == {"UPHELD", "ERASED"}
    assert logged(call_id)[-1]["type"] == "dispute.end"
    with connection.cursor() as cursor:
        cursor.execute("select string_agg(one::text, '') from review_dispute as one")
        left = cursor.fetchone()[0]
    assert not any(one.hex() in left for one in notes)
    with pytest.raises(UnableToDispute, match="erased"):
        dispute(call_id, filer())


UPHELD = """update review_dispute set "end" = 'UPHELD', answer_note = 1, ended_at = at"""
GUARDED = [
    "delete from review_dispute",
    "update review_dispute set kind = 'VERDICT'",
    "update review_dispute set due = due + interval '1 day'",
    "update review_dispute set note = 99",
    f"{UPHELD}, ended_by_id = {{signer}}",
    f"{UPHELD}, ended_by_id = by_id",
    UPHELD,
]


@pytest.mark.parametrize("statement", GUARDED)
def test_the_database_refuses_what_no_act_does(statement: str, call_id: UUID, signer: User) -> None:
    dispute(call_id, filer())
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(signer=f"'{signer.pk}'"))


def test_a_dispute_that_ended_is_not_opened_again(call_id: UUID) -> None:
    answer(dispute(call_id, filer()), officer())
    again = """update review_dispute
        set "end" = '', answer_note = null, ended_by_id = null, ended_at = null"""
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(again)
