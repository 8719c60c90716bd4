"""Reader of Vapi calls: the end-of-call report or a call object, with ``artifact.messages``.

Times are seconds from the start where a message has them, else counts from 1970 against the start
of the call. The same messages in OpenAI's form are not read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft, ended_by
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import (
    Moment,
    epoch_of,
    first_of,
    moment_of,
    number_of,
    since,
    utc_text,
)

NAME = "vapi"
TITLE = "Vapi"

_SPEAKERS = ("user", "bot", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return at_path(head, "message", "type") == "end-of-call-report" or isinstance(
        at_path(_report(head), "artifact", "messages"), list
    )


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every call of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _report(value: object) -> object:
    inner = at_path(value, "message")
    return inner if isinstance(inner, Mapping) else value


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    report = _report(value)
    found, identity = origin.begin(at_path(report, "call", "id") or at_path(report, "id"))
    raw = object_of(report, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    messages = objects_in(raw, "artifact", "messages", found=found)
    zero = moment_of(raw.get("startedAt")) or first_of(
        epoch_of(message.get("time")) for message in messages
    )
    for message in messages:
        _add(message, zero, draft)
    return draft.finish(
        About(
            source=origin.source(NAME, identity),
            started_at=utc_text(moment_of(raw.get("startedAt"))),
            ended=ended_by(raw.get("endedReason"), found),
        )
    ), found


def _add(message: Mapping[str, Any], zero: Moment | None, draft: Draft) -> None:
    role = message.get("role")
    start = number_of(message.get("secondsFromStart"))
    if start is None:
        start = since(zero, epoch_of(message.get("time")))
    if role in ("system", "developer"):
        text = "The instructions to the assistant are no turn and were left out."
        draft.found.note("system_message_dropped", "", text)
    elif role == "tool_calls":
        for call in objects_in(message, "toolCalls", found=draft.found):
            function = call.get("function")
            name, arguments = at_path(function, "name"), at_path(function, "arguments")
            draft.call_tool(name, arguments, call.get("id"), start=start)
    elif role == "tool_call_result":
        draft.answer(message.get("result"), message.get("toolCallId"), start=start)
    else:
        # Where a filter replaced the words, what was said stands beside them.
        text = text_in(message, "originalMessage", "message", "content")
        speaker = role if isinstance(role, str) else ""
        draft.say(speaker, text, start=start, end=_end(message, start))


def _end(message: Mapping[str, Any], start: Decimal | None) -> Decimal | None:
    length = since(epoch_of(message.get("time")), epoch_of(message.get("endTime")))
    return None if start is None or length is None else start + length
