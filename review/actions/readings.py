"""A blind reading: taken, answered row by row, done, given back, called off.

1. Until it is done its reader sees nothing of what others found (`queries.readings.hidden_from`).
2. Who has decided on the call, or had its rows before their eyes, cannot take it.
3. It is held by the clock, as a call is; a reading that was left is ended when somebody takes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.core.canonical import digest
from catalogs.queries import document_of
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.drawing import (
    ask_for_reading,
    end_reading,
    record_reading,
    set_second,
    settle_again,
)
from review.actions.holds import HeldByAnother, UnableToHold, check_words, drop_hold, keep_hold
from review.actions.sealed import seal_note, unseal_call
from review.core.queue import OPEN_STATES, QueueClass, Second
from review.core.readings import (
    READING_HOLD,
    Answer,
    Drawn,
    ReadingKind,
    Refused,
    answer_to_json,
    check_answer,
    compared_to_json,
)
from review.models import Call, NoteKind, Reading, ReadingAnswer, ReadingEnd, ReadingState, State
from review.permissions import (
    NotAllowed,
    check_can_assign,
    check_can_decide,
    deciding_at,
)
from review.queries.folded import load_folded
from review.queries.readings import (
    answers_of,
    compare_now,
    has_decided,
    has_seen,
    live_reading,
    open_readings_of,
    readings_to_take,
)

_OPEN = frozenset(state.value for state in OPEN_STATES)
_MOST_TRIED = 50


class UnableToRead(Exception):
    """The act on a reading is refused; `field` names what to correct, `status` is the answer's."""

    def __init__(self, sentence: str, field: str = "", status: int = 422) -> None:
        super().__init__(sentence)
        self.field = field
        self.status = status


@dataclass(frozen=True, slots=True)
class _Own:
    """A reading that its reader is at, its call locked."""

    stored: Call
    reading: Reading
    by: User
    role: Role


def take_reading(*, call_id: UUID, by: User, at: datetime) -> UUID:
    """Take the blind reading of a call, or go on with one's own; returns the reading's id.

    Raises NotAllowed, or UnableToRead for a call that asks for none, that somebody else reads, or
    that the person knows already.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_decide(by, stored.site)
        reading = _asked_for(stored, by, role, at)
        if reading.state == ReadingState.OPEN:
            if reading.reader_id == by.pk:
                return reading.pk
            reading = _taken_from(stored, reading, by, role, at)
        _check_blind(stored, by)
        _hold(stored, reading, by, role, at)
        reading.state, reading.reader, reading.opened_at = ReadingState.OPEN, by, at
        reading.save(update_fields=["state", "reader", "opened_at", "held_until"])
        set_second(stored, Second.OPEN)
        facts: dict[str, Value] = {"kind": reading.kind, "rows": len(reading.phases)}
        record_reading("reading.take", reading, person(by, role), at, facts)
        return reading.pk


def take_next_reading(*, site: str | None, by: User, at: datetime) -> UUID | None:
    """Take the oldest second reading that waits for somebody like `by`; returns its call's id.

    A reading that they have open comes first. `site` is a slug. Raises NotAllowed.
    """
    deciding = deciding_at(by)
    if not deciding.sites:
        raise NotAllowed("Only reviewers and senior reviewers read calls.")
    own = open_readings_of(by).filter(held_until__gt=at).first()
    if own is not None:
        return own.call_id
    waiting = readings_to_take(deciding.sites, by, at)
    if site is not None:
        waiting = waiting.filter(call__site__slug=site)
    for call_id in list(waiting.values_list("call_id", flat=True)[:_MOST_TRIED]):
        try:
            take_reading(call_id=call_id, by=by, at=at)
        except UnableToRead:
            # Somebody was quicker, or they know the call: the next one may be theirs.
            continue
        return call_id
    return None


def answer_reading(
    *, call_id: UUID, phase: str, answer: Answer, key: UUID, by: User, at: datetime
) -> int:
    """Keep what the reader says of one row; returns the number of the answer.

    The same `key` twice is kept once. Raises NotAllowed, or UnableToRead with the field to correct.
    """
    with transaction.atomic():
        own = _lock_own(call_id, by, at)
        reading = own.reading
        again = reading.answers.filter(key=key).first()
        if again is not None:
            return again.number
        if phase not in reading.phases:
            raise UnableToRead("This row is not read here. Load the page again.")
        _check(own, phase, answer)
        value = answer_to_json(answer)
        number = reading.answers.count() + 1
        ReadingAnswer.objects.create(
            reading=reading, number=number, phase=phase, value=value, key=key, at=at
        )
        _hold(own.stored, reading, by, own.role, at)
        reading.save(update_fields=["held_until"])
        facts: dict[str, Value] = {
            "number": number,
            "phase": phase,
            "value_digest": digest(value),
        }
        record_reading("reading.answer", reading, person(by, own.role), at, facts)
        return number


def finish_reading(*, call_id: UUID, by: User, at: datetime) -> None:
    """Close a reading whose every row is answered: from now on both readings are shown.

    Closed twice is closed once. Raises NotAllowed, or UnableToRead while a row is open.
    """
    with transaction.atomic():
        if _is_done_by(call_id, by):
            return
        own = _lock_own(call_id, by, at)
        stored, reading = own.stored, own.reading
        said = answers_of(reading)
        missing = [phase for phase in reading.phases if phase not in said]
        if missing:
            raise UnableToRead(f"Not every row is answered yet: {', '.join(missing)}.")
        folded = load_folded(stored)
        if folded is None:
            raise UnableToRead("The call has no rows any more. Give the reading back.", status=409)
        compared = compare_now(reading, unseal_call(stored), folded, said)
        reading.state, reading.done_at = ReadingState.DONE, at
        reading.decisions = len(folded.made)
        reading.compared = compared_to_json(compared)
        reading.save(update_fields=["state", "done_at", "decisions", "compared"])
        if stored.state == State.AWAITING_SECOND_READER:
            stored.state = State.IN_REVIEW
            stored.save(update_fields=["state"])
        settle_again(stored, folded)
        differing: list[Value] = list(compared.differing)
        facts: dict[str, Value] = {
            "rows": len(compared.pairs),
            "differing": differing,
            "decisions": reading.decisions,
            "compared_digest": digest(reading.compared),
        }
        record_reading("reading.done", reading, person(by, own.role), at, facts)


def give_reading_back(*, call_id: UUID, by: User, at: datetime) -> None:
    """Give a reading back: somebody else begins it anew. Raises NotAllowed or UnableToRead."""
    with transaction.atomic():
        own = _lock_own(call_id, by, at, stale=True)
        actor = person(by, own.role)
        end_reading(own.reading, ReadingEnd.GIVEN_BACK, actor, at)
        if own.reading.kind == ReadingKind.SAMPLE.value:
            drop_hold(own.stored)
            set_second(own.stored, Second.NONE)
            return
        if _why_stale(own.stored, own.reading):
            set_second(own.stored, Second.NONE)
            return
        _again(own.stored, own.reading, by, own.role, at)
        is_drift = own.reading.kind == ReadingKind.DRIFT.value
        set_second(own.stored, Second.NONE if is_drift else Second.WAITING)


def call_reading_off(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Call the second reading of a call off: it is signed on its first reading alone.

    A senior reviewer who has decided nothing on the call does so, with a reason. Raises NotAllowed,
    or UnableToRead without a reason and for a call that is not read twice.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_assign(by, stored.site)
        reading = live_reading(stored.pk)
        if reading is None or reading.kind == ReadingKind.SAMPLE.value:
            raise UnableToRead("No second reading of this call is asked for.", status=409)
        if has_decided(stored.pk, by):
            raise NotAllowed(
                "You have decided on this call: another senior reviewer calls its reading off."
            )
        try:
            words = check_words(reason)
        except UnableToHold as refusal:
            raise UnableToRead(str(refusal), refusal.field) from None
        commitment = seal_note(stored, NoteKind.NOT_READ_TWICE, words, by, at)
        facts: dict[str, Value] = {"reason_commitment": commitment}
        end_reading(reading, ReadingEnd.CALLED_OFF, person(by, role), at, facts)
        if stored.state == State.AWAITING_SECOND_READER:
            stored.state = State.IN_REVIEW
            stored.save(update_fields=["state"])
        set_second(stored, Second.NONE)


def _lock(call_id: UUID) -> Call:
    found = Call.objects.select_for_update(of=("self",)).select_related("site", "catalog_version")
    stored = found.filter(pk=call_id).first()
    if stored is None:
        raise UnableToRead("There is no such call.", status=404)
    return stored


def _asked_for(stored: Call, reader: User, role: Role, at: datetime) -> Reading:
    """Return the reading that a call asks for; of a sampled call it is made when it is taken."""
    reading = live_reading(stored.pk)
    if reading is not None and _why_stale(stored, reading):
        raise UnableToRead(_why_stale(stored, reading), status=409)
    if reading is not None:
        return reading
    is_sample = stored.queue_class == QueueClass.SAMPLE and stored.state in _OPEN
    if not is_sample or stored.catalog_version is None:
        raise UnableToRead("No blind reading of this call is asked for now.", status=409)
    document = document_of(stored.catalog_version.digest)
    drawn = Drawn(ReadingKind.SAMPLE, tuple(phase.id for phase in document.phases))
    return ask_for_reading(stored, drawn, document.digest, person(reader, role), at)


def _taken_from(stored: Call, reading: Reading, reader: User, role: Role, at: datetime) -> Reading:
    """End a reading that its reader has left; returns the one that follows it."""
    if reading.held_until is not None and reading.held_until > at:
        who = "Somebody" if reading.reader is None else reading.reader.printed_name
        raise UnableToRead(
            f"{who} reads this call until {reading.held_until:%H:%M} UTC.", status=409
        )
    end_reading(reading, ReadingEnd.EXPIRED, person(reader, role), at)
    return _again(stored, reading, reader, role, at)


def _again(stored: Call, reading: Reading, actor: User, role: Role, at: datetime) -> Reading:
    drawn = Drawn(ReadingKind(reading.kind), tuple(reading.phases))
    return ask_for_reading(stored, drawn, reading.catalog_digest, person(actor, role), at)


def _check_blind(stored: Call, reader: User) -> None:
    if has_decided(stored.pk, reader):
        raise UnableToRead(
            "You have decided on this call, so you cannot read it blind: somebody else does.",
            status=409,
        )
    if has_seen(stored.pk, reader):
        raise UnableToRead(
            "You have had this call's rows before you, so you cannot read it blind: somebody else "
            "does.",
            status=409,
        )


def _hold(stored: Call, reading: Reading, reader: User, role: Role, at: datetime) -> None:
    """Hold a reading; one of a sampled call holds the call itself, since nobody else is at it."""
    reading.held_until = at + READING_HOLD
    if reading.kind != ReadingKind.SAMPLE.value:
        return
    try:
        keep_hold(stored, reader, role, at)
    except HeldByAnother as held:
        raise UnableToRead(str(held), status=409) from None
    stored.held_until = reading.held_until
    stored.save(update_fields=["held_until"])


def _lock_own(call_id: UUID, reader: User, at: datetime, *, stale: bool = False) -> _Own:
    """Return the reader's own open reading under the lock of its call.

    Raises UnableToRead where it is over, and, unless `stale` will do, where the call is another.
    """
    stored = _lock(call_id)
    role = check_can_decide(reader, stored.site)
    reading = live_reading(stored.pk)
    if reading is None or reading.reader_id != reader.pk:
        raise UnableToRead(_say_over(stored, reader), status=409)
    why = _why_stale(stored, reading)
    if why and not stale:
        raise UnableToRead(why, status=409)
    return _Own(stored, reading, reader, role)


def _say_over(stored: Call, reader: User) -> str:
    ended = stored.readings.filter(reader=reader, state=ReadingState.ENDED).order_by("-ended_at")
    last = ended.first()
    if last is None:
        return "You do not read this call blind. Take it from the queue."
    why = ReadingEnd(last.ended_why).label
    return f"Your reading of this call is over: {why}. What you had answered is kept in the log."


def _why_stale(stored: Call, reading: Reading) -> str:
    """Return why a call is not the one that was to be read any more; empty where it is."""
    version = stored.catalog_version
    now = (stored.revision, stored.transcript_revision, version.digest if version else "")
    if now != (reading.review, reading.transcript_revision, reading.catalog_digest):
        return "The call was changed since it was drawn, so this reading is over. Give it back."
    is_drift = reading.kind == ReadingKind.DRIFT.value
    if stored.state not in ((State.SIGNED,) if is_drift else _OPEN):
        return f"The call is {State(stored.state).label}; it is not read now."
    return ""


def _is_done_by(call_id: UUID, reader: User) -> bool:
    """Say whether the reader's latest reading of a call is done."""
    own = Reading.objects.filter(call=call_id, reader=reader)
    last = own.order_by("-opened_at").values_list("state", flat=True).first()
    return last == ReadingState.DONE


def _check(own: _Own, phase: str, answer: Answer) -> None:
    call = unseal_call(own.stored)
    lengths = {turn.number: len(turn.text) for turn in call.turns}
    spec = document_of(own.reading.catalog_digest).phase(phase)
    items = [one.id for one in spec.accept]
    try:
        check_answer(answer, lengths, items, ended=call.ended is True)
    except Refused as refusal:
        raise UnableToRead(str(refusal), refusal.field) from None
