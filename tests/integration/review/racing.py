"""Two people at one row at the same time, round after round: what each got, and what is stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import connection

from oipsce_site.people.models import User
from review.actions.decisions import Conflict, HeldElsewhere, decide
from review.core.decisions import Ask, Kind
from review.models import Call, Decision, PhaseRow
from tests.factories import NOON


class Round(NamedTuple):
    """Decisions applied in a round, how often one was told of the other, and what is stored."""

    applied: int
    conflicts: int
    stored: int


def race(call_id: UUID, people: tuple[User, User], *, rounds: int, again: int = 2) -> list[Round]:
    """Have two people comment and confirm one row at once; each sends its form `again` times.

    A writer who meets the other's hold of the call lets its time be over, one who meets the other's
    decision reads the row's new revision; both send once more.
    """
    return [_round(call_id, people, again) for _ in range(rounds)]


def _round(call_id: UUID, people: tuple[User, User], again: int) -> Round:
    Call.objects.filter(pk=call_id, held_by__isnull=False).update(held_until=NOON)
    before = Decision.objects.filter(call_id=call_id).count()
    revision = PhaseRow.objects.get(call_id=call_id, phase="PID").revision
    gate = Barrier(len(people))

    def write(person: User) -> tuple[int, int]:
        gate.wait()
        try:
            return _send(call_id, person, revision, again)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as pool:
        done = list(pool.map(write, people))
    after = Decision.objects.filter(call_id=call_id).count()
    return Round(sum(one for one, _ in done), sum(two for _, two in done), after - before)


def _send(call_id: UUID, person: User, revision: int, again: int) -> tuple[int, int]:
    key, conflicts = uuid4(), 0
    numbers = set()
    for _ in range(again):
        while True:
            try:
                taken = decide(
                    call_id=call_id,
                    decision=Ask(Kind.CONFIRM, "PID"),
                    expected_revision=revision,
                    key=key,
                    by=person,
                    at=NOON,
                )
            except HeldElsewhere:
                Call.objects.filter(pk=call_id).update(held_until=NOON)
                continue
            except Conflict as conflict:
                revision, conflicts = conflict.revision, conflicts + 1
                continue
            numbers.add(taken.number)
            break
    return len(numbers), conflicts
