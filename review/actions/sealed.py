"""Between a call as a value and its sealed rows. Slots: turn:N, turn_nonce:N, event:POSITION.

Reading here leaves no trace; `opening` is the door that people and workers go through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.db import connection

from oipsce_site.ledger.record import new_nonce
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
from review.models import Call, Event, Turn


def sealer_of(call: Call) -> CallSealer:
    """Return the sealer of a stored call. Raises SealBroken or SealingKeyError."""
    return CallSealer(call.site_id, call.id, call.wrapped_key)


def copy_turns(calls: Iterable[tuple[Call, CallValue]]) -> None:
    """Seal and store the turns of calls by one COPY, inside the caller's transaction."""
    statement = f"COPY {Turn._meta.db_table} ({', '.join(_TURN_COLUMNS)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for stored, call in calls:
            sealer = sealer_of(stored)
            for position, turn in enumerate(call.turns):
                copy.write_row(_turn_columns(stored, position, turn, sealer))


def seal_events(stored: Call, call: CallValue) -> list[Event]:
    """Return the rows of a call's events, sealed and not yet stored."""
    sealer = sealer_of(stored)
    return [
        Event(
            call=stored,
            position=position,
            event_id=event.id,
            source=event.source.name,
            name=event.name,
            turn=event.turn,
            at_ms=event.at_ms,
            result_turn=event.result_turn,
            ok=event.ok,
            call_key=event.call_id,
            sealed=sealer.seal(f"event:{position}", event_to_text(event)),
        )
        for position, event in enumerate(call.events)
    ]


def unseal_call(stored: Call) -> CallValue:
    """Return the whole call with its words. Raises SealBroken or SealingKeyError."""
    sealer = sealer_of(stored)
    return CallValue(
        id=stored.external_id,
        title=stored.title,
        attributes=attributes_from_plain(stored.attributes),
        speakers=speakers_from_plain(stored.speakers),
        turns=tuple(
            _turn(*row, sealer=sealer)
            for row in stored.turns.order_by("position").values_list(*_READ_COLUMNS)
        ),
        events=tuple(_event(row, sealer) for row in stored.events.order_by("position")),
        ended=stored.ended,
        source=Source(stored.source, stored.external_id, stored.source_sha256),
        started_at=stored.started_at,
        language=stored.language,
        flags=tuple(stored.flags),
    )


def nonces_of(stored: Call, numbers: set[int]) -> dict[int, bytes]:
    """Return the commitment nonces of these turns. Raises SealBroken or SealingKeyError."""
    sealer = sealer_of(stored)
    rows = stored.turns.filter(number__in=numbers).values_list("number", "sealed_nonce")
    return {
        number: bytes.fromhex(sealer.open(f"turn_nonce:{number}", sealed))
        for number, sealed in rows
    }


_TURN_COLUMNS = (
    *("call_id", "number", "position", "kind", "speaker", "role", "start_ms", "end_ms", "flags"),
    *("sealed", "sealed_nonce"),
)


def _turn_columns(
    stored: Call, position: int, turn: TurnValue, sealer: CallSealer
) -> tuple[object, ...]:
    return (
        *(stored.id, turn.number, position, turn.kind.name, turn.speaker, turn.role),
        *(turn.start_ms, turn.end_ms, json.dumps(turn.flags)),
        sealer.seal(f"turn:{turn.number}", turn.text),
        sealer.seal(f"turn_nonce:{turn.number}", new_nonce().hex()),
    )


# Rows and not instances, and no nonce: a long call is opened by every look at its page.
_READ_COLUMNS = ("number", "speaker", "role", "kind", "sealed", "start_ms", "end_ms", "flags")


def _turn(  # noqa: PLR0913 - one parameter for each column
    number: int,
    speaker: str,
    role: str | None,
    kind: str,
    sealed: bytes | memoryview,
    start_ms: int | None,
    end_ms: int | None,
    flags: list[str],
    *,
    sealer: CallSealer,
) -> TurnValue:
    return TurnValue(
        number=number,
        speaker=speaker,
        role=role,
        kind=TurnKind[kind],
        text=sealer.open(f"turn:{number}", sealed),
        start_ms=start_ms,
        end_ms=end_ms,
        flags=tuple(flags),
    )


def _event(row: Event, sealer: CallSealer) -> EventValue:
    args, result = event_from_text(sealer.open(f"event:{row.position}", row.sealed))
    return EventValue(
        id=row.event_id,
        source=EventSource[row.source],
        name=row.name,
        args=args,
        turn=row.turn,
        at_ms=row.at_ms,
        result_turn=row.result_turn,
        result=result,
        ok=row.ok,
        call_id=row.call_key,
    )
