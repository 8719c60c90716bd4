"""Events that come after a call was handed in whole: attached until somebody has read it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from oipsce_site.ledger.queries import verify
from oipsce_site.people.models import Scope
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.actions.opening import work_on
from review.core.decisions import Ask, Kind
from review.models import Call, PhaseRow, State
from tests.factories import (
    NOON,
    catalog_source,
    fill_all,
    make_person,
    make_site,
    publish,
    raw_micro,
)
from tests.programs import Program, program
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db

EVENT = {"source": "tool", "name": "open_record", "turn": 2, "args": {"id": 7}, "ok": True}


@pytest.fixture
def dialler() -> Program:
    publish(catalog_source("micro"))
    return program()


def handed_in(dialler: Program, *, filled: bool = True) -> UUID:
    """Hand a call in and have it filled."""
    [line] = dialler.post("calls", raw_micro()).body["calls"]
    if filled:
        fill_all()
    return UUID(line["id"])


def test_events_become_a_new_transcript_and_the_call_is_filled_anew(dialler: Program) -> None:
    call_id = handed_in(dialler)
    before = work_on(call_id=call_id).call
    got = dialler.post(f"calls/{call_id}/events", {"events": [EVENT, {**EVENT, "turn": 3}]})
    assert (got.status, got.body["outcome"], got.body["state"]) == (200, "changed", "prefilling")
    fill_all()
    after = work_on(call_id=call_id).call
    assert [event.name for event in after.events[len(before.events) :]] == ["open_record"] * 2
    assert len({event.id for event in after.events}) == len(after.events)
    assert [turn.text for turn in after.turns] == [turn.text for turn in before.turns]
    assert after.revision == before.revision + 1
    assert Call.objects.get(pk=call_id).state == State.AWAITING_REVIEW
    assert dialler.get(f"calls/{call_id}").body["verdict"] is not None
    assert not verify(call_id)


def test_the_same_events_are_attached_once(dialler: Program) -> None:
    call_id, part = handed_in(dialler), {"events": [EVENT]}
    first = dialler.post(f"calls/{call_id}/events", part, once="k1")
    again = dialler.post(f"calls/{call_id}/events", part, once="k1")
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"
    fill_all()
    other_key = dialler.post(f"calls/{call_id}/events", part, once="k2")
    assert (other_key.status, other_key.body["outcome"]) == (200, "unchanged")
    more = dialler.post(f"calls/{call_id}/events", {"events": [{**EVENT, "turn": 4}]})
    assert more.body["outcome"] == "changed"
    assert dialler.post(f"calls/{call_id}/events", part).body["outcome"] == "unchanged"
    assert Call.objects.get(pk=call_id).transcript_revision == 3


def test_what_was_read_or_signed_or_is_being_filled_takes_no_event(dialler: Program) -> None:
    call_id, part = handed_in(dialler, filled=False), {"events": [EVENT]}
    filling = dialler.post(f"calls/{call_id}/events", part)
    assert (filling.status, filling.body["code"]) == (409, "conflict")
    assert "pre-fill" in filling.body["detail"]
    fill_all()
    reviewer = make_person(Role.SENIOR_REVIEWER)
    row = PhaseRow.objects.filter(call=call_id).order_by("position")[0]
    decide(
        call_id=call_id,
        decision=Ask(Kind.CONFIRM, row.phase),
        expected_revision=row.revision,
        key=uuid4(),
        by=reviewer,
        at=NOON,
    )
    assert dialler.post(f"calls/{call_id}/events", part).status == 409
    sign_stored(call_id, reviewer)
    signed = dialler.post(f"calls/{call_id}/events", part)
    assert (signed.status, signed.headers["Content-Type"]) == (409, "application/problem+json")
    assert "signed" in signed.body["detail"]
    assert Call.objects.get(pk=call_id).transcript_revision == 1


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({}, "nothing_told"),
        ({"events": []}, "nothing_told"),
        ({"events": [{"source": "tool", "name": "x"}]}, "event_without_place"),
        ({"events": [{"source": "mind", "name": "x", "turn": 2}]}, "bad_value"),
        ({"events": "all"}, "bad_value"),
        ([1], "not_an_object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    dialler: Program, part: object, code: str
) -> None:
    call_id = handed_in(dialler)
    got = dialler.post(f"calls/{call_id}/events", part)
    assert (got.status, got.body["code"]) == (422, code)
    assert Call.objects.get(pk=call_id).transcript_revision == 1


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ('{"source": "tool", "name": "x", "turn": 2, "args": {"a": NaN}}', 422),
        ('{"source": "tool", "name": "x", "turn": 2, "args": {"a": 1e999}}', 422),
        ('{"source": "tool", "name": "x\\u0000", "turn": 2}', 422),
        ('{"source": "tool", "name": "x\\ud800", "turn": 2}', 422),
        ('{"source": "tool", "name": "x", "turn": 2, "id": "%s"}' % ("i" * 300_000), 200),
        ('{"source": "tool", "name": "%s", "turn": 2}' % ("n" * 300_000), 200),
        ('{"source": "tool", "name": "x", "t": 1e30}', 422),
        ('{"source": "tool", "name": "x", "t": -5}', 422),
        ('{"source": "tool", "name": "x", "turn": 1%s}' % ("0" * 40), 422),
        ('{"source": "tool", "name": "x", "turn": 2, "args": {"a": 1%s}}' % ("0" * 40), 200),
    ],
)
def test_odd_events_are_refused_in_a_sentence_or_stored(
    dialler: Program, event: str, status: int
) -> None:
    call_id = handed_in(dialler)
    got = dialler.post(f"calls/{call_id}/events", f'{{"events": [{event}]}}'.encode())
    assert got.status == status, got.body
    assert got.body.get("detail") or got.body["outcome"] == "changed"
    fill_all()
    assert Call.objects.get(pk=call_id).state == State.AWAITING_REVIEW


def test_another_sites_call_is_not_there_and_a_reading_key_attaches_nothing(
    dialler: Program,
) -> None:
    call_id, part = handed_in(dialler), {"events": [EVENT]}
    elsewhere = program(make_site("south"))
    assert elsewhere.post(f"calls/{call_id}/events", part).status == 404
    assert dialler.post(f"calls/{uuid4()}/events", part).status == 404
    reading = program(None, Scope.READ_VERDICTS)
    assert reading.post(f"calls/{call_id}/events", part).status == 403
