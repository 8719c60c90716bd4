"""Two at one signature at the same time: one signs, the other is told, nothing is signed unseen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from uuid import UUID

import pytest
from django.db import connection

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.roles import Role
from review.actions.decisions import UnableToDecide
from review.actions.opening import open_for_review
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.core.decisions import Ask, Kind
from review.core.signoff.standing import told_signatures
from review.models import Call, SignOff
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signers import (
    Signer,
    act,
    asked_now,
    begin,
    complete,
    read_and_decide,
    sign_by_code,
    with_app,
    with_passkey,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5
REFUSALS = (StaleSigning, UnableToSign, UnableToDecide)


@pytest.fixture(autouse=True)
def catalog() -> None:
    publish(catalog_source("micro"))


def signer() -> Signer:
    return with_passkey(with_app(make_person(Role.SENIOR_REVIEWER)))


def ready(number: int, *people: Signer) -> UUID:
    call_id = prefilled(read(raw_micro(id=f"call-{number}")) if number else case())
    for one in people:
        open_for_review(call_id=call_id, by=one.user, at=NOON)
    read_and_decide(call_id, people[0].user)
    return call_id


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do all at the same time; returns what each returned, or the refusal it met."""
    gate = Barrier(len(acts))

    def one(act: Callable[[], object]) -> object:
        gate.wait()
        try:
            return act()
        except REFUSALS as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def refused(done: list[object]) -> int:
    return sum(isinstance(one, REFUSALS) for one in done)


def test_of_two_signers_one_wins() -> None:
    ann, sue = signer(), signer()
    for number in range(ROUNDS):
        _both_sign(number, ann, sue)


def _both_sign(number: int, ann: Signer, sue: Signer) -> None:
    call_id, at = ready(number, ann, sue), hour(number)
    acts = [_completion(one, call_id, number) for one in (ann, sue)]
    done = at_once(*acts)
    assert refused(done) == 1, done
    assert SignOff.objects.filter(call=call_id, at=at).count() == 1
    assert verify(call_id) == []


def hour(number: int) -> datetime:
    """Each round is later, so that no session goes on and no code counts twice."""
    return NOON + timedelta(hours=number)


def _completion(one: Signer, call_id: UUID, number: int) -> Callable[[], object]:
    """Begin a signing; returns what completes it."""
    begun = begin(one, call_id, at=hour(number))
    answer = one.answer(begun.digest, counter=10 + number)
    return lambda: complete(one, call_id, begun, at=hour(number), assertion=answer)


def test_one_form_sent_twice_at_once_signs_once() -> None:
    ann = signer()
    for number in range(ROUNDS):
        _send_twice(number, ann)


def _send_twice(number: int, ann: Signer) -> None:
    call_id, at = ready(number, ann), hour(number)
    asked = asked_now(call_id)
    # The second is told that its code was used, or gets the first one's signature.
    at_once(*[lambda: sign_by_code(ann.user, call_id, asked, at=at)] * 2)
    assert SignOff.objects.filter(call=call_id).count() == 1


def test_of_a_change_and_a_signature_one_wins() -> None:
    ann, sue = signer(), signer()
    for number in range(ROUNDS):
        _change_and_sign(number, ann, sue)


def _change_and_sign(number: int, ann: Signer, sue: Signer) -> None:
    call_id = ready(number, ann, sue)
    change = Ask(Kind.DOUBT, "PID", reason="wait")
    done = at_once(
        _completion(ann, call_id, number), lambda: act(call_id, change, sue.user, at=hour(number))
    )
    assert refused(done) == 1, done
    signed = Call.objects.get(pk=call_id).state == "SIGNED"
    told = told_signatures(entries_of(call_id))
    assert len(told) == int(signed)
    assert all(one.changed_at is None for one in told)
