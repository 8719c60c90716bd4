"""Blind readings: each action as the table of `test_every_action_records` does it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.opening import open_blind
from review.actions.readings import (
    answer_reading,
    call_reading_off,
    finish_reading,
    give_reading_back,
    take_next_reading,
    take_reading,
)
from review.actions.settling import Settling, settle_difference
from review.actions.shares import set_reading_shares
from review.core.readings import Shares
from review.models import Call, PhaseRow, Reading
from tests.blind import CANNOT_TELL, answer_all, read_first, read_twice
from tests.factories import NOON, case, catalog_source, make_person, make_site, prefilled, publish

Act = Callable[[], object]


def _read_first() -> tuple[UUID, User]:
    """Have a call read once; returns it with who may read it blind."""
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    read_first(call_id, make_person(Role.REVIEWER))
    return call_id, make_person(Role.SENIOR_REVIEWER)


def _taken() -> tuple[UUID, User]:
    call_id, reader = _read_first()
    take_reading(call_id=call_id, by=reader, at=NOON)
    return call_id, reader


def _take() -> Act:
    call_id, reader = _read_first()
    return lambda: take_reading(call_id=call_id, by=reader, at=NOON)


def _take_next() -> Act:
    _, reader = _read_first()
    return lambda: take_next_reading(site=None, by=reader, at=NOON)


def _open() -> Act:
    call_id, reader = _taken()
    reading = Reading.objects.get()
    return lambda: open_blind(call_id=call_id, reading_id=reading.pk, by=reader, at=NOON)


def _answer() -> Act:
    call_id, by = _taken()
    said = {"phase": "PID", "answer": CANNOT_TELL, "key": uuid4()}
    return lambda: answer_reading(call_id=call_id, **said, by=by, at=NOON)  # type: ignore[arg-type]


def _finish() -> Act:
    call_id, reader = _read_first()
    answer_all(call_id, reader)
    return lambda: finish_reading(call_id=call_id, by=reader, at=NOON)


def _give_back() -> Act:
    call_id, reader = _taken()
    return lambda: give_reading_back(call_id=call_id, by=reader, at=NOON)


def _call_off() -> Act:
    call_id, senior = _read_first()
    return lambda: call_reading_off(call_id=call_id, reason="nobody left", by=senior, at=NOON)


def _settle() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    read_twice(call_id, make_person(Role.REVIEWER), make_person(Role.REVIEWER), PID=CANNOT_TELL)
    Call.objects.update(held_by=None, held_until=None)
    settling = Settling(
        "PID", "first", "as it was said", PhaseRow.objects.get(phase="PID").revision
    )
    by = make_person(Role.SENIOR_REVIEWER)
    return lambda: settle_difference(
        call_id=call_id, settling=settling, key=uuid4(), by=by, at=NOON
    )


def _shares() -> Act:
    officer, site = make_person(Role.COMPLIANCE_OFFICER), make_site()
    return lambda: set_reading_shares(site_id=site.pk, shares=Shares(9, 8, 7), by=officer, at=NOON)


READINGS: dict[str, tuple[str, Callable[[], Act]]] = {
    "take_reading": ("reading.take", _take),
    "take_next_reading": ("reading.take", _take_next),
    "open_blind": ("call.open", _open),
    "answer_reading": ("reading.answer", _answer),
    "finish_reading": ("reading.done", _finish),
    "give_reading_back": ("reading.draw reading.end", _give_back),
    "call_reading_off": ("reading.end", _call_off),
    "set_reading_shares": ("reading.shares", _shares),
    "settle_difference": ("row.decide", _settle),
}

PARTS_OF_READINGS = {
    "write_line_again": "finish_reading",
    "is_blind": "decide",
    "follow_decision": "decide",
    "settle_again": "finish_reading",
    "set_second": "finish_reading",
    "draw_signed": "sign_call",
    "ask_for_reading": "give_reading_back",
    "end_readings": "reopen_call",
    "end_reading": "give_reading_back",
    "record_reading": "finish_reading",
}
