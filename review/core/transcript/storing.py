"""A call's plain parts as JSON and back, and the digest that names its transcript.

1. Both ways lose nothing: a date and a Decimal are written as one-key objects, lists by id and
   names, and the arguments and results of events as JSON text whose numbers keep their digits.
2. The digest covers everything that judging reads: ended, attributes, turns with roles and flags,
   events. Titles, labels and where the call came from are not part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from catalogs.core.canonical import is_plain
from review.core.digests import canonical_bytes, digest
from review.core.transcript.model import Attribute, Call, Event, ListItem, Speaker, Turn

DOMAIN = "oip-sce/transcript/v1"
# Made once: the functions of the module would make one for each text of a call.
_READER = json.JSONDecoder(parse_float=Decimal)
_AS_GIVEN = json.JSONEncoder(separators=(",", ":"))
_IN_ORDER = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


def attributes_to_plain(attributes: Mapping[str, Attribute]) -> dict[str, object]:
    """Write the call's own facts as JSON values.

    >>> attributes_to_plain({"type": "x", "date": date(2026, 3, 10)})
    {'type': 'x', 'date': {'date': '2026-03-10'}}
    """
    return {name: _attribute_to_plain(value) for name, value in attributes.items()}


def attributes_from_plain(plain: Mapping[str, Any]) -> dict[str, Attribute]:
    """Read the call's own facts back. Raises KeyError or TypeError for what was not written so."""
    return {name: _attribute_from_plain(value) for name, value in plain.items()}


def speakers_to_plain(speakers: Mapping[str, Speaker]) -> list[dict[str, str | None]]:
    """Write the speakers as JSON values, in their order."""
    return [
        {"key": one.key, "role": one.role, "label": one.label}
        | ({} if one.stated is None else {"stated": one.stated})
        for one in speakers.values()
    ]


def speakers_from_plain(plain: list[dict[str, Any]]) -> dict[str, Speaker]:
    """Read the speakers back. Raises KeyError for what was not written so."""
    return {
        one["key"]: Speaker(one["key"], one["role"], one["label"], one.get("stated"))
        for one in plain
    }


def event_to_text(event: Event) -> str:
    """Write what a tool was told and answered as JSON text, to be sealed."""
    return json_text({"args": event.args, "result": event.result})


def event_from_text(text: str) -> tuple[Mapping[str, object], object]:
    """Read an event's arguments and result back. Raises ValueError for text that is not JSON."""
    value = _READER.decode(text)
    return value["args"], value["result"]


def transcript_digest(call: Call) -> str:
    """Return the SHA-256 (hex) that names what is judged; part of every result's identity.

    A later transcript revision never has the digest of an earlier one, even where it says the same
    again: what was read of the one is not what was read of the other.
    """
    return digest(_transcript(call))


def transcript_bytes(call: Call) -> bytes:
    """Return the canonical bytes that the digest is over; they hold the words of the call."""
    return canonical_bytes(_transcript(call))


def _transcript(call: Call) -> dict[str, object]:
    later = {} if call.revision == 1 else {"revision": call.revision}
    return {
        "domain": DOMAIN,
        **later,
        "ended": call.ended,
        "attributes": attributes_to_plain(call.attributes),
        "turns": [_turn(turn) for turn in call.turns],
        "events": [_event(event) for event in call.events],
    }


def _attribute_to_plain(value: Attribute) -> object:
    if isinstance(value, tuple):
        return [{"id": item.id, "names": list(item.names)} for item in value]
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    return {"date": value.isoformat()} if isinstance(value, date) else value


def _attribute_from_plain(value: Any) -> Attribute:
    match value:
        case list():
            return tuple(ListItem(item["id"], tuple(item["names"])) for item in value)
        case {"decimal": text}:
            return Decimal(text)
        case {"date": text}:
            return date.fromisoformat(text)
        case None | bool() | int() | str():
            return value
        case _:
            raise TypeError(f"an attribute is stored as {type(value).__name__}")


def _turn(turn: Turn) -> list[object]:
    return [
        *(turn.number, turn.speaker, turn.role, turn.kind.value, turn.text),
        *(turn.start_ms, turn.end_ms, list(turn.flags)),
    ]


def _event(event: Event) -> list[object]:
    # As text: canonical JSON would write the number 1.5 and the text "1.5" alike.
    return [
        *(event.id, event.source.value, event.name, event.turn, event.at_ms, event.result_turn),
        *(event.ok, event.call_id, json_text({"args": event.args, "result": event.result}, True)),
    ]


def json_text(value: object, in_order: bool = False) -> str:
    """Write JSON whose Decimals are numbers with their own digits; `in_order` sorts the keys.

    Raises TypeError for what no call holds.
    """
    if is_plain(value):
        return (_IN_ORDER if in_order else _AS_GIVEN).encode(value)
    match value:
        case Decimal():
            return str(value)
        case Mapping():
            pairs = sorted(value.items()) if in_order else value.items()
            inner = (f"{json.dumps(str(key))}:{json_text(item, in_order)}" for key, item in pairs)
            return "{" + ",".join(inner) + "}"
        case list() | tuple():
            return "[" + ",".join(json_text(item, in_order) for item in value) + "]"
        case None | bool() | int() | str():
            return json.dumps(value)
        case date():
            return json.dumps(value.isoformat())
        case _:
            raise TypeError(f"an event holds a {type(value).__name__}")
