"""Differences between two readings are settled by ordinary decisions, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import transaction

from oipsce_site.people.models import User
from review.actions.decisions import UnableToDecide, decide
from review.core.decisions import Ask, Kind, PointValue, Span, Value, VerdictValue
from review.core.readings import Answer, Pair, compared_from_json
from review.core.rows import NEVER, Verdict
from review.models import Call, Reading
from review.queries.folded import Folded, load_folded
from review.queries.readings import first_answers, last_done

#: Which reading stands: as the first has it, or as the second.
SIDES = ("first", "second")
#: Evidence of each item, start, finish and verdict.
_MOST_STEPS = 100


class Settling(NamedTuple):
    """Which of two readings stands on a row, why, and which revision of the row the person saw."""

    phase: str
    side: str
    reason: str
    expected_revision: int


def settle_difference(
    *, call_id: UUID, settling: Settling, key: UUID, by: User, at: datetime
) -> None:
    """Let one of two readings stand on a row.

    "first" confirms the row as it stands, "second" decides it as the blind reader has it; the
    decisions go all or none. The same `key` twice applies once. Raises NotAllowed, UnableToDecide,
    HeldElsewhere or Conflict as `decide` does.
    """
    if not settling.reason.strip():
        raise UnableToDecide("Write down why; it is kept with the decision.", "reason")
    with transaction.atomic():
        call = Call.objects.select_for_update(of=("self",)).filter(pk=call_id).first()
        keys = [uuid5(key, f"{settling.side}:{number}") for number in range(_MOST_STEPS)]
        if call is None or call.decisions.filter(key=keys[0]).exists():
            return
        for one, ask in zip(keys, _asks(call_id, settling), strict=False):
            decide(
                call_id=call_id,
                decision=ask,
                expected_revision=settling.expected_revision,
                key=one,
                by=by,
                at=at,
            )


def _asks(call_id: UUID, settling: Settling) -> Sequence[Ask]:
    phase, reason = settling.phase, settling.reason
    if settling.side == "first":
        return (Ask(Kind.CONFIRM, phase, reason=reason),)
    return list(_asks_of_second(call_id, phase, reason))


def _asks_of_second(call_id: UUID, phase: str, reason: str) -> Iterator[Ask]:
    """Yield what makes a row what the blind reader says it is, in an order that makes sense."""
    stored = Call.objects.select_related("catalog_version").get(pk=call_id)
    reading, folded = last_done(call_id), load_folded(stored)
    pair = None if reading is None else _pair(reading, phase)
    if pair is None or folded is None:
        raise UnableToDecide("The readings do not differ on this row. Load the page again.")
    now = first_answers(call_id, folded)[phase]
    _check_can_take(pair, now, folded)
    for kind, value in list(_steps(now, pair.second)) or [(Kind.CONFIRM, None)]:
        yield Ask(kind, phase, value=value, reason=reason)


def _pair(reading: Reading, phase: str) -> Pair | None:
    pairs = compared_from_json(reading.compared or {}).pairs
    return next((pair for pair in pairs if pair.phase == phase and pair.differs_in), None)


def _check_can_take(pair: Pair, now: Answer, folded: Folded) -> None:
    if pair.second.required != now.required:
        raise UnableToDecide(
            "Whether a row is required follows from the catalog and the call's facts: correct the "
            "fact on the call's page, or let the first reading stand."
        )
    if folded.shown.rows[pair.phase].row.instances:
        raise UnableToDecide(
            "This phase is owed per item: decide each of its items on the call's page."
        )


def _steps(now: Answer, said: Answer) -> Iterator[tuple[Kind, Value]]:
    known = set(now.evidence)
    for span in said.evidence:
        if span not in known:
            yield Kind.SET_EVIDENCE, Span(*span)
    fails = said.verdict is Verdict.FAIL and said.finish is NEVER
    start = (Kind.SET_START, PointValue(said.start)) if said.start != now.start else None
    finish = (
        (Kind.SET_FINISH, PointValue(said.finish))
        if said.finish != now.finish and not fails
        else None
    )
    later = isinstance(said.start, int) and isinstance(now.finish, int) and said.start > now.finish
    for step in (finish, start) if later else (start, finish):
        if step is not None:
            yield step
    if (said.verdict, said.finish) != (now.verdict, now.finish):
        yield Kind.SET_VERDICT, VerdictValue(said.verdict)
