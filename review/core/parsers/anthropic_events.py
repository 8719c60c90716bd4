"""Reader of the events of Anthropic's managed agents, one on a line or in a list.

A line may be the event itself, or what a client sent or received with the name of the method in
front. What was sent comes back in the stream: it is one event and is read once. An explicit yes or
no of a person to a tool call is an event that names the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.acts import text_of
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    objects_in,
    read_found,
)
from review.core.transcript.moments import Moment, first_of, moment_of, since, utc_text
from review.core.transcript.records import read_records
from review.core.transcript.storing import json_text

NAME = "anthropic-events"
TITLE = "Anthropic managed-agent events"

_METHOD = "client.beta.sessions"
_KINDS = ("user.", "agent.", "session.", "span.")
_TIES = ("tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        is_line = bool(head) and isinstance(head[0], str) and head[0].startswith(_METHOD)
        return is_line or (bool(head) and recognise(head[0]))
    if isinstance(at_path(head, "events"), list):
        return _is_event(at_path(head, "events", 0))
    return _is_event(head)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read the events of a file as one call. Never raises."""
    records, findings = read or read_records(data, name=name)
    session: dict[str, Any] = {"id": None, "title": None}
    streamed: list[Mapping[str, Any]] = []
    sent: list[tuple[int, Mapping[str, Any]]] = []
    for value in _lines([record.value for record in records]):
        payload = value[1] if _is_call(value) else value
        if _is_event(payload):
            streamed.append(payload)
        elif isinstance(at_path(payload, 1, "events"), list):
            session["id"] = session["id"] or at_path(payload, 0)
            sent += [(len(streamed), one) for one in payload[1]["events"] if _is_event(one)]
        elif at_path(payload, "type") == "session":
            session |= {key: payload.get(key) for key in ("id", "title")}
    events = _united(streamed, sent)
    found = [(name, {**session, "events": events})] if records else []
    return read_found(data, found, name=name, read_call=_read_call, findings=findings)


def _lines(values: list[Any]) -> Iterator[Any]:
    for value in values:
        listed = at_path(value, "events")
        if isinstance(listed, list):
            yield from listed
        elif isinstance(value, list) and not _is_call(value):
            yield from value
        else:
            yield value


def _is_call(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _is_event(value: object) -> bool:
    kind = at_path(value, "type")
    return isinstance(kind, str) and kind.startswith(_KINDS)


def _united(
    streamed: list[Mapping[str, Any]], sent: list[tuple[int, Mapping[str, Any]]]
) -> list[Mapping[str, Any]]:
    """Return the events of the stream, and where they were sent those that never came back."""
    echoes = {_content(event) for event in streamed}
    lost: dict[int, list[Mapping[str, Any]]] = {}
    for place, event in sent:
        if _content(event) not in echoes:
            lost.setdefault(place, []).append(event)
    united: list[Mapping[str, Any]] = []
    for k, event in enumerate(streamed):
        united += [*lost.get(k, []), event]
    return [*united, *lost.get(len(streamed), [])]


def _content(event: Mapping[str, Any]) -> str:
    kept = ("type", "content", "result", "deny_message", *_TIES)
    return json_text({key: event[key] for key in kept if key in event}, in_order=True)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    draft = Draft(found, frozenset({"user", "agent"}))
    raw = value if isinstance(value, Mapping) else {}
    events = objects_in(raw, "events", found=found)
    zero = first_of(moment_of(event.get("processed_at")) for event in events)
    seen: set[str] = set()
    for k, event in enumerate(events, 1):
        tie = event.get("id")
        if not (isinstance(tie, str) and tie in seen):
            _add(event, f"event {k}", zero, draft)
        seen |= {tie} if isinstance(tie, str) else set()
    title = at_path(value, "title")
    return draft.finish(
        About(
            source=origin.source(NAME, identity),
            title=title if isinstance(title, str) and title else None,
            started_at=utc_text(zero),
        )
    ), found


def _add(event: Mapping[str, Any], place: str, zero: Moment | None, draft: Draft) -> None:
    side, _, what = str(event.get("type")).partition(".")
    start = since(zero, moment_of(event.get("processed_at")))
    if what == "message" and side in ("user", "agent"):
        draft.say(side, text_of(event.get("content"), place, draft.found), start=start)
    elif what.endswith("tool_use"):
        draft.call_tool(event.get("name"), event.get("input"), event.get("id"), start=start)
    elif what.endswith("tool_result"):
        tie = next((event[key] for key in _TIES if key in event), None)
        text = text_of(event.get("content"), place, draft.found)
        ok = False if event.get("is_error") is True else None
        draft.answer(text, tie, ok=ok, start=start)
    elif what == "thinking":
        text = "Hidden reasoning was left out; it was not said to anybody."
        draft.found.note("hidden_reasoning_dropped", place, text)
    elif side == "user" and what:
        args = {key: event[key] for key in event.keys() - {"id", "type", "processed_at"}}
        draft.log(what[:100], args, start=start)
