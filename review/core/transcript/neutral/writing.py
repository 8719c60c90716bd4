"""A call written as ``oip-call/1``: what is read from it again is the same call.

Every event is listed, so that nothing is made of the tool turns anew. What is not known is null.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from review.core.transcript.model import Attribute, Call, Event, Speaker, Turn
from review.core.transcript.neutral.about import NAME

Json = dict[str, object]


def call_to_json(call: Call) -> Json:
    """Write a call as a JSON object of ``oip-call/1``; fractions of seconds are Decimals."""
    # Where the file said nothing of the end, this one says nothing either.
    ended = {} if "end_assumed" in call.flags else {"ended": call.ended}
    return {
        "format": NAME,
        "id": call.id,
        "title": call.title,
        "started_at": call.started_at,
        **ended,
        "language": call.language,
        "call": {name: _attribute(value) for name, value in call.attributes.items()},
        "speakers": {key: _speaker(speaker) for key, speaker in call.speakers.items()},
        "turns": [_turn(turn) for turn in call.turns],
        "events": [_event(event) for event in call.events],
        "source": {
            "format": call.source.format,
            "sha256": call.source.sha256,
            "external_ids": {"call_id": call.source.external_id},
        },
    }


def _attribute(value: Attribute) -> object:
    if isinstance(value, tuple):
        return [{"id": item.id, "names": list(item.names)} for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _speaker(speaker: Speaker) -> Json:
    return {"role": speaker.role, "label": speaker.label}


def _turn(turn: Turn) -> Json:
    times = {"t0": _seconds(turn.start_ms), "t1": _seconds(turn.end_ms)}
    known = {key: value for key, value in times.items() if value is not None}
    who = {"speaker": turn.speaker} if turn.speaker else {}
    return {"n": turn.number, "kind": turn.kind.value, **who, **known, "text": turn.text}


def _event(event: Event) -> Json:
    written: Json = {
        "id": event.id,
        "source": event.source.value,
        "name": event.name,
        "args": event.args,
        "turn": event.turn,
        "t": _seconds(event.at_ms),
        "result_turn": event.result_turn,
        "result": event.result,
        "call_id": event.call_id,
    }
    kept = {key: value for key, value in written.items() if value is not None}
    return {**kept, "ok": event.ok}


def _seconds(ms: int | None) -> Decimal | None:
    return None if ms is None else Decimal(ms) / 1000
