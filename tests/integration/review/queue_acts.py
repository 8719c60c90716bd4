"""What people do with calls of the queue, each made ready to be done once: for the table of actions
that must leave their entry.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.holds import (
    claim_call,
    dismiss_notice,
    leave_call,
    release_call,
    renew_hold,
    take_over,
)
from review.actions.queueing import assign_call, claim_next, skip_call
from review.core.queue import HOLD
from review.models import HoldNotice
from review.queries.queue_list import QueueNarrowing
from tests.factories import NOON, case, catalog_source, make_person, prefilled, publish

Act = Callable[[], object]
LATER = NOON + timedelta(minutes=5)


def _call() -> tuple[UUID, User, User]:
    """Fill a call; returns it with a reviewer and a senior reviewer of its site."""
    publish(catalog_source("micro"))
    return prefilled(case()), make_person(Role.REVIEWER), make_person(Role.SENIOR_REVIEWER)


def _held() -> tuple[UUID, User, User, int]:
    call_id, reader, senior = _call()
    return call_id, reader, senior, claim_call(call_id=call_id, by=reader, at=NOON)


def _claim_next() -> Act:
    _, reader, _ = _call()
    return lambda: claim_next(narrowing=QueueNarrowing(), key=uuid4(), by=reader, at=NOON)


def _claim() -> Act:
    call_id, reader, _ = _call()
    return lambda: claim_call(call_id=call_id, by=reader, at=NOON)


def _renew() -> Act:
    call_id, reader, _, number = _held()
    return lambda: renew_hold(call_id=call_id, number=number, by=reader, at=LATER)


def _leave() -> Act:
    call_id, reader, _, number = _held()
    return lambda: leave_call(call_id=call_id, number=number, by=reader, at=LATER)


def _release() -> Act:
    call_id, _, senior, _ = _held()
    return lambda: release_call(call_id=call_id, reason="at lunch", by=senior, at=LATER)


def _take_over() -> Act:
    call_id, _, senior, _ = _held()
    return lambda: take_over(call_id=call_id, reason="at lunch", by=senior, at=LATER)


def _dismiss() -> Act:
    call_id, reader, senior, _ = _held()
    claim_call(call_id=call_id, by=senior, at=NOON + 2 * HOLD)
    [notice] = HoldNotice.objects.all()
    return lambda: dismiss_notice(notice_id=notice.pk, by=reader, at=LATER)


def _skip() -> Act:
    call_id, reader, _ = _call()
    return lambda: skip_call(call_id=call_id, reason="I know her", by=reader, at=NOON)


def _assign() -> Act:
    call_id, reader, senior = _call()
    return lambda: assign_call(call_id=call_id, to=reader.pk, by=senior, at=NOON)


#: A claim of one's own is bookkeeping and leaves none; what is done to another's hold leaves one.
QUEUE: dict[str, tuple[str, Callable[[], Act]]] = {
    "claim_next": ("", _claim_next),
    "claim_call": ("", _claim),
    "renew_hold": ("", _renew),
    "leave_call": ("", _leave),
    "dismiss_notice": ("", _dismiss),
    "release_call": ("hold.release", _release),
    "take_over": ("hold.take_over", _take_over),
    "skip_call": ("call.skip", _skip),
    "assign_call": ("call.assign", _assign),
}

PARTS_OF_QUEUE = {
    "place_again": "decide",
    "sample_key": "store_prefill",
    "keep_hold": "decide",
    "tell_former": "claim_call",
    "drop_hold": "skip_call",
    "check_words": "skip_call",
}
