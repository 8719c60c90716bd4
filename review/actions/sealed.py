"""Between a call as a value and its sealed rows. Slots: turn:N, turn_nonce:N, event:POSITION;
of what people write note:N and decision:N, each with its nonce.

1. From transcript revision 2 on a slot names it (``turn:r2:N``): a turn of one revision does not
   open as that of another.
2. Reading here leaves no trace; `opening` is the door that people and workers go through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Max, Model
from psycopg.types.json import Jsonb

from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.record import new_nonce, new_nonces
from oipsce_site.people.models import User
from oipsce_site.sealing import CallSealer
from review.core.transcript import Call as CallValue
from review.core.transcript import Event as EventValue
from review.core.transcript import EventSource, Source, TurnKind
from review.core.transcript import Turn as TurnValue
from review.core.transcript.storing import (
    attributes_from_plain,
    event_from_text,
    event_to_text,
    speakers_from_plain,
)
from review.models import Call, CallNote, Decision, Event, NoteKind, Turn


def sealer_of(call: Call) -> CallSealer:
    """Return the sealer of a stored call. Raises SealBroken or SealingKeyError."""
    return CallSealer(call.site_id, call.id, call.wrapped_key)


def copy_turns(calls: Iterable[tuple[Call, CallValue]]) -> None:
    """Seal and store the turns of calls by one COPY, inside the caller's transaction.

    They become those of the transcript revision that each call names.
    """
    with connection.cursor() as cursor, cursor.copy(_copying(Turn, _TURN_COLUMNS)) as copy:
        copy.set_types(list(_TURN_COLUMNS.values()))
        for stored, call in calls:
            for row in _turn_rows(stored, call):
                copy.write_row(row)


def copy_events(calls: Iterable[tuple[Call, CallValue]]) -> None:
    """Seal and store the events of calls, as `copy_turns` does their turns."""
    with connection.cursor() as cursor, cursor.copy(_copying(Event, _EVENT_COLUMNS)) as copy:
        copy.set_types(list(_EVENT_COLUMNS.values()))
        for stored, call in calls:
            for row in _event_rows(stored, call):
                copy.write_row(row)


def _copying(model: type[Model], columns: Iterable[str]) -> str:
    return f"COPY {model._meta.db_table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)"


def slot(kind: str, revision: int, name: int) -> str:
    """Return where a text of a transcript revision is sealed.

    >>> slot("turn", 1, 14), slot("turn", 2, 14)
    ('turn:14', 'turn:r2:14')
    """
    return f"{kind}:{name}" if revision == 1 else f"{kind}:r{revision}:{name}"


def unseal_call(stored: Call, number: int | None = None) -> CallValue:
    """Return the whole call with its words: the current transcript, or the one of this number.

    Raises SealBroken, SealingKeyError, or TranscriptRevision.DoesNotExist.
    """
    [call] = _unseal([(stored, stored.transcript_revision if number is None else number)])
    return call


def unseal_calls(stored: Sequence[Call]) -> list[CallValue]:
    """Return whole calls with the words of their current transcripts, as `unseal_call` does."""
    return _unseal([(one, one.transcript_revision) for one in stored])


def _unseal(wanted: Sequence[tuple[Call, int]]) -> list[CallValue]:
    asked = ([stored.pk for stored, _ in wanted], [number for _, number in wanted])
    turns: dict[UUID, list[tuple[Any, ...]]] = {stored.pk: [] for stored, _ in wanted}
    events: dict[UUID, list[tuple[Any, ...]]] = {stored.pk: [] for stored, _ in wanted}
    with connection.cursor() as cursor:
        for statement, found in ((_READ_TURNS, turns), (_READ_EVENTS, events)):
            cursor.execute(statement, asked)
            for call_id, *row in cursor.fetchall():
                found[call_id].append(row)
    return [_opened(one, number, turns[one.pk], events[one.pk]) for one, number in wanted]


def _opened(
    stored: Call,
    number: int,
    turn_rows: Iterable[tuple[Any, ...]],
    event_rows: Iterable[tuple[Any, ...]],
) -> CallValue:
    sealer = sealer_of(stored)
    # A call repeats the columns of its current transcript, but the digest of its first bytes.
    is_repeated = number == stored.transcript_revision == 1
    transcript = stored if is_repeated else stored.transcripts.get(number=number)
    turns = tuple([_turn(*row, revision=number, sealer=sealer) for row in turn_rows])
    events = tuple([_event(*row, revision=number, sealer=sealer) for row in event_rows])
    return CallValue(
        id=stored.external_id,
        title=stored.title,
        attributes=attributes_from_plain(transcript.attributes),
        speakers=speakers_from_plain(transcript.speakers),
        turns=turns,
        events=events,
        ended=transcript.ended,
        source=Source(stored.source, stored.external_id, transcript.source_sha256),
        started_at=stored.started_at,
        language=stored.language,
        flags=tuple(transcript.flags),
        revision=number,
    )


def nonces_of(stored: Call, numbers: set[int]) -> dict[int, bytes]:
    """Return the commitment nonces of these turns of the current transcript.

    Raises SealBroken or SealingKeyError.
    """
    return nonces_of_calls([(stored, numbers)])[stored.pk]


def nonces_of_calls(wanted: Sequence[tuple[Call, set[int]]]) -> dict[UUID, dict[int, bytes]]:
    """Return by call what `nonces_of` does for one, in one query."""
    sealers = {stored.pk: (sealer_of(stored), stored.transcript_revision) for stored, _ in wanted}
    asked = [
        (stored.pk, stored.transcript_revision, number)
        for stored, numbers in wanted
        for number in numbers
    ]
    found: dict[UUID, dict[int, bytes]] = {call_id: {} for call_id in sealers}
    if not asked:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_READ_NONCES, [list(column) for column in zip(*asked, strict=True)])
        for call_id, number, sealed in cursor.fetchall():
            sealer, revision = sealers[call_id]
            nonce = sealer.open(slot("turn_nonce", revision, number), sealed)
            found[call_id][number] = bytes.fromhex(nonce)
    return found


def seal_note(stored: Call, kind: NoteKind, reason: str, writer: User, at: datetime) -> str:
    """Store the reason that a person typed, and return the commitment to it for the log.

    The caller holds the lock of the call. Raises SealBroken, SealingKeyError, or Unsealable.
    """
    sealer = sealer_of(stored)
    number = 1 + (stored.notes.aggregate(last=Max("number"))["last"] or 0)
    nonce = new_nonce()
    CallNote.objects.create(
        call=stored,
        number=number,
        kind=kind,
        sealed=sealer.seal(f"note:{number}", reason),
        sealed_nonce=sealer.seal(f"note_nonce:{number}", nonce.hex()),
        by=writer,
        at=at,
    )
    return commit_text(nonce, reason)


def unseal_notes(stored: Call, notes: Sequence[CallNote]) -> list[str]:
    """Return the reasons of these notes of the call. Raises SealBroken or SealingKeyError."""
    sealer = sealer_of(stored)
    return [sealer.open(f"note:{note.number}", note.sealed) for note in notes]


def seal_words(stored: Call, number: int, words: str) -> tuple[bytes, bytes, str]:
    """Seal the words of a decision: the words, their nonce, and the commitment for the log.

    Raises SealBroken, SealingKeyError, or Unsealable.
    """
    sealer = sealer_of(stored)
    nonce = new_nonce()
    return (
        sealer.seal(f"decision:{number}", words),
        sealer.seal(f"decision_nonce:{number}", nonce.hex()),
        commit_text(nonce, words),
    )


def unseal_words(stored: Call, decisions: Iterable[Decision]) -> dict[int, str]:
    """Return the words of these decisions of the call, by number, where there are any.

    Raises SealBroken or SealingKeyError.
    """
    sealer = sealer_of(stored)
    return {
        one.number: sealer.open(f"decision:{one.number}", one.sealed)
        for one in decisions
        if one.sealed is not None
    }


# With their types: sealed bytes go to the database as they are, not as digits of them.
_TURN_COLUMNS = {
    "call_id": "uuid",
    "revision": "int4",
    "number": "int4",
    "position": "int4",
    "kind": "varchar",
    "speaker": "text",
    "role": "text",
    "start_ms": "int8",
    "end_ms": "int8",
    "flags": "jsonb",
    "sealed": "bytea",
    "sealed_nonce": "bytea",
}


def _turn_rows(stored: Call, call: CallValue) -> list[tuple[object, ...]]:
    sealer, revision, turns = sealer_of(stored), call.revision, call.turns
    words = sealer.seal_all([(slot("turn", revision, one.number), one.text) for one in turns])
    nonces = [
        (slot("turn_nonce", revision, one.number), nonce.hex())
        for one, nonce in zip(turns, new_nonces(len(turns)), strict=True)
    ]
    return [
        (
            *(stored.id, revision, turn.number, position, turn.kind.name, turn.speaker, turn.role),
            *(turn.start_ms, turn.end_ms, Jsonb(turn.flags)),
            *sealed,
        )
        for position, (turn, *sealed) in enumerate(
            zip(turns, words, sealer.seal_all(nonces), strict=True)
        )
    ]


_EVENT_COLUMNS = {
    "call_id": "uuid",
    "revision": "int4",
    "position": "int4",
    "event_id": "text",
    "source": "varchar",
    "name": "text",
    "turn": "int4",
    "at_ms": "int8",
    "result_turn": "int4",
    "ok": "bool",
    "call_key": "text",
    "sealed": "bytea",
}


def _event_rows(stored: Call, call: CallValue) -> list[tuple[object, ...]]:
    revision = call.revision
    texts = [
        (slot("event", revision, position), event_to_text(event))
        for position, event in enumerate(call.events)
    ]
    return [
        (
            *(stored.id, revision, position, event.id, event.source.name, event.name, event.turn),
            *(event.at_ms, event.result_turn, event.ok, event.call_id, sealed),
        )
        for position, (event, sealed) in enumerate(
            zip(call.events, sealer_of(stored).seal_all(texts), strict=True)
        )
    ]


# Rows and not instances, and no nonce: a long call is opened by every look at its page.
#
# OFFSET 0 has each call looked up by the index: a join would read the whole table for a few calls,
# for all that the planner knows of a table that has just been filled.
_OF_CALLS = (
    "FROM unnest(%s::uuid[], %s::integer[]) AS asked(call_id, revision), LATERAL ("
    "SELECT * FROM {table} AS own WHERE own.call_id = asked.call_id "
    "AND own.revision = asked.revision OFFSET 0) AS one ORDER BY one.position"
)
_READ_TURNS = (
    "SELECT one.call_id, number, speaker, role, kind, sealed, start_ms, end_ms, flags "
    + _OF_CALLS.format(table=Turn._meta.db_table)
)
_READ_NONCES = (
    "SELECT one.call_id, one.number, one.sealed_nonce "  # noqa: S608 - our names
    "FROM unnest(%s::uuid[], %s::integer[], %s::integer[]) AS asked(call_id, revision, number), "
    f"LATERAL (SELECT * FROM {Turn._meta.db_table} AS own WHERE own.call_id = asked.call_id "
    "AND own.revision = asked.revision AND own.number = asked.number OFFSET 0) AS one"
)
_READ_EVENTS = (
    "SELECT one.call_id, event_id, source, name, turn, at_ms, result_turn, ok, call_key, "
    "position, sealed " + _OF_CALLS.format(table=Event._meta.db_table)
)


def _turn(  # noqa: PLR0913 - one parameter for each column
    number: int,
    speaker: str,
    role: str | None,
    kind: str,
    sealed: bytes,
    start_ms: int | None,
    end_ms: int | None,
    flags: str,
    *,
    revision: int,
    sealer: CallSealer,
) -> TurnValue:
    return TurnValue(
        number=number,
        speaker=speaker,
        role=role,
        kind=TurnKind[kind],
        text=sealer.open(slot("turn", revision, number), sealed),
        start_ms=start_ms,
        end_ms=end_ms,
        flags=() if flags == "[]" else tuple(json.loads(flags)),
    )


def _event(  # noqa: PLR0913 - one parameter for each column
    event_id: str,
    source: str,
    name: str,
    turn: int | None,
    at_ms: int | None,
    result_turn: int | None,
    ok: bool | None,  # noqa: FBT001 - a column
    call_key: str | None,
    position: int,
    sealed: bytes,
    *,
    revision: int,
    sealer: CallSealer,
) -> EventValue:
    args, result = event_from_text(sealer.open(slot("event", revision, position), sealed))
    return EventValue(
        id=event_id,
        source=EventSource[source],
        name=name,
        args=args,
        turn=turn,
        at_ms=at_ms,
        result_turn=result_turn,
        result=result,
        ok=ok,
        call_id=call_key,
    )
