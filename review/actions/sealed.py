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

from django.db import connection
from django.db.models import Max

from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.record import new_nonce
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
    statement = f"COPY {Turn._meta.db_table} ({', '.join(_TURN_COLUMNS)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for stored, call in calls:
            sealer = sealer_of(stored)
            for position, turn in enumerate(call.turns):
                copy.write_row(_turn_columns(stored, call.revision, position, turn, sealer))


def copy_events(calls: Iterable[tuple[Call, CallValue]]) -> None:
    """Seal and store the events of calls, as `copy_turns` does their turns."""
    statement = f"COPY {Event._meta.db_table} ({', '.join(_EVENT_COLUMNS)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for stored, call in calls:
            sealer = sealer_of(stored)
            for position, event in enumerate(call.events):
                copy.write_row(_event_columns(stored, call.revision, position, event, sealer))


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
    sealer = sealer_of(stored)
    number = stored.transcript_revision if number is None else number
    # A call repeats the columns of its current transcript, but the digest of its first bytes.
    is_repeated = number == stored.transcript_revision == 1
    transcript = stored if is_repeated else stored.transcripts.get(number=number)
    with connection.cursor() as cursor:
        cursor.execute(_READ_TURNS, [stored.pk, number])
        turns = tuple(_turn(*row, revision=number, sealer=sealer) for row in cursor.fetchall())
        cursor.execute(_READ_EVENTS, [stored.pk, number])
        events = tuple(_event(*row, revision=number, sealer=sealer) for row in cursor.fetchall())
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
    sealer = sealer_of(stored)
    revision = stored.transcript_revision
    with connection.cursor() as cursor:
        cursor.execute(_READ_NONCES, [stored.pk, revision, list(numbers)])
        return {
            number: bytes.fromhex(sealer.open(slot("turn_nonce", revision, number), sealed))
            for number, sealed in cursor.fetchall()
        }


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


_TURN_COLUMNS = (
    *("call_id", "revision", "number", "position", "kind", "speaker", "role"),
    *("start_ms", "end_ms", "flags", "sealed", "sealed_nonce"),
)


def _turn_columns(
    stored: Call, revision: int, position: int, turn: TurnValue, sealer: CallSealer
) -> tuple[object, ...]:
    return (
        *(stored.id, revision, turn.number, position, turn.kind.name, turn.speaker, turn.role),
        *(turn.start_ms, turn.end_ms, json.dumps(turn.flags) if turn.flags else "[]"),
        sealer.seal(slot("turn", revision, turn.number), turn.text),
        sealer.seal(slot("turn_nonce", revision, turn.number), new_nonce().hex()),
    )


_EVENT_COLUMNS = (
    *("call_id", "revision", "position", "event_id", "source", "name", "turn", "at_ms"),
    *("result_turn", "ok", "call_key", "sealed"),
)


def _event_columns(
    stored: Call, revision: int, position: int, event: EventValue, sealer: CallSealer
) -> tuple[object, ...]:
    return (
        *(stored.id, revision, position, event.id, event.source.name, event.name, event.turn),
        *(event.at_ms, event.result_turn, event.ok, event.call_id),
        sealer.seal(slot("event", revision, position), event_to_text(event)),
    )


# Rows and not instances, and no nonce: a long call is opened by every look at its page.
_READ_TURNS = (
    "SELECT number, speaker, role, kind, sealed, start_ms, end_ms, flags "  # noqa: S608 - our names
    f"FROM {Turn._meta.db_table} WHERE call_id = %s AND revision = %s ORDER BY position"
)
_READ_NONCES = (
    f"SELECT number, sealed_nonce FROM {Turn._meta.db_table} "  # noqa: S608 - our names
    "WHERE call_id = %s AND revision = %s AND number = ANY(%s::integer[])"
)
_READ_EVENTS = (
    "SELECT event_id, source, name, turn, at_ms, result_turn, ok, call_key, "  # noqa: S608
    f"position, sealed FROM {Event._meta.db_table} "
    "WHERE call_id = %s AND revision = %s ORDER BY position"
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
