"""A call written as a vCon 0.3.0: read again it is the same call.

Words are text dialogs, so that any program of vCons shows them. What the standard has no place for
(turn numbers, tool calls, events, facts) is an attachment of the type ``oip-call/1`` that refers to
the dialogs. A time nobody knows is left out, although the standard wants one for each dialog.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from uuid import UUID

from review.core.transcript.model import Call, Turn, TurnKind
from review.core.transcript.moments import Moment, moment_of, utc_text
from review.core.transcript.neutral.about import NAME
from review.core.transcript.neutral.writing import Json, call_to_json
from review.core.transcript.storing import json_text

VERSION = "0.3.0"

_SAID = (TurnKind.SPEECH, TurnKind.IVR)


def call_to_vcon(call: Call, *, created_at: str) -> Json:
    """Write a call as the JSON object of an unsigned vCon.

    `created_at` is RFC 3339: when this vCon is made. The uuid is the call's own: the same call
    gives the same.
    """
    said = [turn for turn in call.turns if turn.kind in _SAID]
    places = {key: k for k, key in enumerate(call.speakers)}
    zero = moment_of(call.started_at)
    own = call_to_json(call)
    numbers: dict[object, int] = {turn.number: k for k, turn in enumerate(said)}
    own["turns"] = [_referring(turn, numbers) for turn in _objects(own["turns"])]
    return {
        "vcon": VERSION,
        "uuid": str(_uuid(call)),
        "created_at": created_at,
        "subject": call.title,
        "parties": [
            {"name": speaker.label, **({"role": speaker.role} if speaker.role else {})}
            for speaker in call.speakers.values()
        ],
        "dialog": [_dialog(turn, places, zero) for turn in said],
        "analysis": [],
        "attachments": [
            {
                "type": NAME,
                "mediatype": "application/json",
                "encoding": "json",
                "body": json_text(own),
            }
        ],
    }


def _objects(turns: object) -> list[Mapping[str, object]]:
    return turns if isinstance(turns, list) else []


def _referring(turn: Mapping[str, object], numbers: Mapping[object, int]) -> Json:
    if turn["n"] not in numbers:
        return dict(turn)
    kept = {key: value for key, value in turn.items() if key != "text"}
    return {**kept, "dialog": numbers[turn["n"]]}


def _dialog(turn: Turn, places: Mapping[str, int], zero: Moment | None) -> Json:
    written: Json = {"type": "text"}
    if zero is not None and turn.start_ms is not None:
        at = Moment(zero.seconds + Decimal(turn.start_ms) / 1000, zero.is_naive)
        if (start := utc_text(at)) is not None:
            written["start"] = start
        if turn.end_ms is not None:
            written["duration"] = Decimal(turn.end_ms - turn.start_ms) / 1000
    if turn.speaker in places:
        written["parties"] = [places[turn.speaker]]
        written["originator"] = places[turn.speaker]
    return {**written, "mediatype": "text/plain", "encoding": "none", "body": turn.text}


def _uuid(call: Call) -> UUID:
    """Return a uuid of version 8 (made of a digest) for a call."""
    name = "\n".join((call.source.format, call.source.external_id, call.source.sha256))
    number = int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:16], "big")
    number &= ~(0xF000 << 64) & ~(0xC000 << 48)
    return UUID(int=number | (0x8000 << 64) | (0x8000 << 48))
