"""What stands beside the dialogs of a vCon: tool calls and screen events, and our own call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from review.core.parsers.vcon.dialogs import body_text
from review.core.transcript import (
    CallFindings,
    Event,
    EventSource,
    RefusedInput,
    milliseconds,
    outcome,
    parse_json,
)
from review.core.transcript.drafting import parsed
from review.core.transcript.json_files import at_path, objects_in, text_in
from review.core.transcript.moments import Moment, moment_of, since
from review.core.transcript.neutral import NAME


def embedded_call(
    raw: Mapping[str, Any], dialogs: list[Mapping[str, Any]], found: CallFindings
) -> Mapping[str, Any] | None:
    """Return the call that this product wrote into a vCon, with the words of its dialogs, or None.

    Raises RefusedInput where its parts do not fit together any more.
    """
    for attachment in objects_in(raw, "attachments", found=found):
        if attachment.get("type") != NAME and attachment.get("purpose") != NAME:
            continue
        body = attachment.get("body")
        try:
            call, _ = parse_json(body, where="") if isinstance(body, str) else (body, ())
        except RefusedInput:
            call = None
        if not isinstance(call, Mapping) or not isinstance(call.get("turns"), list):
            text = "The attachment with the call is no oip-call/1. Remove it to read the dialogs."
            found.refuse("bad_value", "attachments", text)
        turns = [_with_words(turn, dialogs, found) for turn in call["turns"]]
        return {**call, "turns": turns}
    return None


def _with_words(turn: object, dialogs: list[Mapping[str, Any]], found: CallFindings) -> object:
    if not isinstance(turn, Mapping) or "dialog" not in turn:
        return turn
    place = turn["dialog"]
    dialog = at_path(dialogs, place) if isinstance(place, int) and place >= 0 else None
    if not isinstance(dialog, Mapping):
        text = f"The call names a dialog {str(place)[:20]} that the vCon does not have."
        found.refuse("bad_value", "attachments", text)
    return {**{key: turn[key] for key in turn if key != "dialog"}, "text": body_text(dialog)}


def events_beside(
    attachments: list[Mapping[str, Any]], zero: Moment | None, found: CallFindings
) -> tuple[Event, ...]:
    """Return the tool calls, with their answers, and screen events of the attachments."""
    events: list[Event] = []
    for k, attachment in enumerate(attachments):
        body = attachment.get("body")
        value = parsed(body) if isinstance(body, str) else body
        if not isinstance(value, Mapping):
            continue
        place = f"attachments[{k}]"
        at_ms = milliseconds(
            since(zero, moment_of(attachment.get("start"))), place=place, found=found
        )
        if value.get("kind") == "tool_event":
            _add_tool(value, at_ms, place, events, found)
        elif value.get("kind") == "ui_log" and at_ms is not None:
            args = value.get("value")
            events.append(
                Event(
                    f"ev{len(events) + 1:02d}",
                    EventSource.UI,
                    text_in(value, "event") or "event",
                    args if isinstance(args, Mapping) else {"value": args},
                    at_ms=at_ms,
                )
            )
    return tuple(events)


def _add_tool(
    value: Mapping[str, Any],
    at_ms: int | None,
    place: str,
    events: list[Event],
    found: CallFindings,
) -> None:
    tie = text_in(value, "call_id") or None
    if value.get("phase") == "result":
        open_calls = [k for k, one in enumerate(events) if one.call_id == tie and one.ok is None]
        if tie is None or not open_calls:
            text = "The result answers no tool call of this vCon. It supports nothing."
            found.warn("orphan_tool_result", place, text)
            return
        said = value.get("ok")
        result = value.get("result")
        ok = outcome(result, said=said if isinstance(said, bool) else None)
        events[open_calls[-1]] = replace(events[open_calls[-1]], result=result, ok=ok)
    elif at_ms is not None:
        args = value.get("arguments")
        events.append(
            Event(
                f"ev{len(events) + 1:02d}",
                EventSource.TOOL,
                text_in(value, "tool") or "tool",
                args if isinstance(args, Mapping) else {},
                at_ms=at_ms,
                ok=None,
                call_id=tie,
            )
        )
