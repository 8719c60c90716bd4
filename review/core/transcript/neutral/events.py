"""The events of a call: those the file lists, and one for each tool call among the turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from review.core.transcript import (
    CallFindings,
    Event,
    EventSource,
    ToolCall,
    ToolResult,
    Turn,
    milliseconds,
    outcome,
    pair_tool_events,
)
from review.core.transcript.fields import (
    list_field,
    object_field,
    optional_flag,
    optional_text,
    report_unknown,
    required_text,
)

EVENT_KEYS = frozenset(
    ["id", "turn", "t", "source", "name", "args", "result", "ok", "call_id", "result_turn"]
)


def read_events(
    raw: Mapping[str, object],
    turns: tuple[Turn, ...],
    calls: list[ToolCall],
    results: list[ToolResult],
    found: CallFindings,
) -> tuple[Event, ...]:
    """Read the listed events and add one for each tool-call turn that no listed event stands at."""
    numbers = {turn.number for turn in turns}
    listed: list[Event] = []
    for k, item in enumerate(list_field(raw, "events", found)):
        if not isinstance(item, Mapping):
            found.refuse(
                "bad_value",
                f"events[{k}]",
                "An event must be an object with source, name and turn or t.",
            )
        report_unknown(item, EVENT_KEYS, "events", found)
        listed.append(_event(item, k, numbers, found))
    at = {event.turn for event in listed if event.source is EventSource.TOOL}
    answered = {event.result_turn for event in listed}
    own = [call for call in calls if call.turn not in at]
    for call in own:
        if not call.name:
            text = (
                f"The tool call at turn {call.turn} has no name; no catalog can recognise it. "
                "Name it."
            )
            found.warn("call_without_name", f"turn {call.turn}", text, turn=call.turn)
    sequenced = pair_tool_events(
        own, [result for result in results if result.turn not in answered], found
    )
    return _with_own_ids(listed, sequenced, found)


def _event(item: Mapping[str, object], k: int, numbers: set[int], found: CallFindings) -> Event:
    place = f"events[{k}]"
    try:
        source = EventSource(item.get("source"))
    except ValueError:
        found.refuse("bad_value", place, "The source of an event must be tool or ui.")
    at_ms = milliseconds(item.get("t"), place=place, found=found)
    turn = _event_turn(item, "turn", place, numbers, found)
    if turn is None and at_ms is None:
        found.refuse(
            "event_without_place",
            place,
            "The event has neither a turn of this call nor a time t. Give one.",
        )
    result_turn = _event_turn(item, "result_turn", place, numbers, found)
    if turn is not None and result_turn is not None and result_turn < turn:
        text = "The result is listed before its call; it counts at the call. Check the turns."
        found.warn("result_before_call", place, text, turn=turn)
    result = item.get("result")
    # `ok: null` says that nobody knows; without the key, a logged event happened.
    unsaid = "ok" in item and item["ok"] is None and result is None
    return Event(
        id=optional_text(item, "id", place, found) or f"ev{k + 1:02d}",
        source=source,
        name=required_text(item, "name", place, found),
        args=object_field(item, "args", place, found),
        turn=turn,
        at_ms=at_ms,
        result_turn=result_turn,
        result=result,
        ok=None if unsaid else outcome(result, said=optional_flag(item, "ok", place, found)),
        call_id=optional_text(item, "call_id", place, found),
    )


def _event_turn(
    item: Mapping[str, object], key: str, place: str, numbers: set[int], found: CallFindings
) -> int | None:
    value = item.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value in numbers:
        return value
    found.warn(
        "unknown_turn",
        f"{place}.{key}",
        f"{str(value)[:40]!r} is no turn of this call; it was left out.",
    )
    return None


def _with_own_ids(
    listed: list[Event], sequenced: tuple[Event, ...], found: CallFindings
) -> tuple[Event, ...]:
    """Join both kinds of events; the made ids of sequenced ones give way to the file's own."""
    seen: set[str] = set()
    for event in listed:
        if event.id in seen:
            found.warn(
                "duplicate_id",
                f"event {event.id}",
                f"The event id {event.id!r} occurs twice. Number events once.",
            )
        seen.add(event.id)
    renamed = [_renamed(event, f"turn-{event.turn}", seen) for event in sequenced]
    return (*listed, *renamed)


def _renamed(event: Event, wish: str, taken: set[str]) -> Event:
    while wish in taken:
        wish += "+"
    taken.add(wish)
    return replace(event, id=wish)
