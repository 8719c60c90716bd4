"""Calls that are read blind, for tests: drawn, read first, and answered row by row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

from django.test import override_settings

from oipsce_site.people.models import User
from review.actions.opening import open_for_review
from review.actions.readings import answer_reading, finish_reading, take_reading
from review.core.decisions import Ask, Kind
from review.core.readings import Answer
from review.core.rows import UNKNOWN, Verdict
from review.models import PhaseRow, Reading
from review.queries.folded import load_folded
from review.queries.readings import first_answers
from tests.factories import NOON
from tests.signers import act

#: What a reader says who cannot tell.
CANNOT_TELL = Answer(None, UNKNOWN, UNKNOWN, Verdict.UNKNOWN)


@contextmanager
def shares(double: int = 0, critical: int = 0, drift: int = 0) -> Iterator[None]:
    """Have so many of a hundred read blind while this lasts."""
    with override_settings(READING_SHARES=(double, critical, drift)):
        yield


def read_first(call_id: UUID, by: User, *, double: int = 100, critical: int = 0) -> None:
    """Let somebody open a call and confirm its every row; the draw takes it."""
    open_for_review(call_id=call_id, by=by, at=NOON)
    with shares(double, critical):
        for row in PhaseRow.objects.filter(call=call_id).order_by("position"):
            act(call_id, Ask(Kind.CONFIRM, row.phase, reason="kumquat words of the first"), by)


def as_first(call_id: UUID) -> dict[str, Answer]:
    """Return the rows of a call as they stand, as a blind reader would have to say them."""
    reading = Reading.objects.select_related("call__catalog_version").filter(call=call_id).first()
    assert reading is not None
    folded = load_folded(reading.call)
    assert folded is not None
    return first_answers(call_id, folded)


def answer_all(call_id: UUID, by: User, **said: Answer) -> None:
    """Take a reading and answer every row: as `said`, else as the first reader has it."""
    take_reading(call_id=call_id, by=by, at=NOON)
    reading = Reading.objects.get(call=call_id, state="OPEN")
    for phase in reading.phases:
        answer_reading(
            call_id=call_id,
            phase=phase,
            answer=said.get(phase) or as_first(call_id)[phase],
            key=uuid4(),
            by=by,
            at=NOON,
        )


def read_twice(call_id: UUID, first: User, second: User, **said: Answer) -> None:
    """Let two people read a call, the second blind, and close the reading."""
    read_first(call_id, first)
    answer_all(call_id, second, **said)
    finish_reading(call_id=call_id, by=second, at=NOON)
