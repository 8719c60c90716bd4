"""Reader of Retell calls (``transcript_with_tool_calls``), also as the body of a webhook.

The list is the order of the call. Speech has the times of its words, in seconds of the recording;
tool calls have none. Keys pressed, changes of node, short messages and injected context are events.
The plain transcript of the same file is the same speech once more and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft, ended_by
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    each_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import epoch_of, number_of, utc_text

NAME = "retell"
TITLE = "Retell"

_SPEAKERS = ("agent", "user", "transfer_target")
_LISTS = (
    "transcript_with_tool_calls",
    "scrubbed_transcript_with_tool_calls",
    "transcript_object",
)
_RUNNING = ("registered", "ongoing")
_EVENT_KEYS = frozenset({"role", "words", "time_sec"})


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    call = _call_of(head)
    return isinstance(at_path(call, _LISTS[0]), list) or (
        isinstance(at_path(call, "call_id"), str) and isinstance(at_path(call, _LISTS[2]), list)
    )


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every call of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call, find=_find)


def _find(value: object, where: str) -> Iterator[Found]:
    for place, one in each_of(value, where):
        yield place, _call_of(one)


def _call_of(value: object) -> object:
    """Return the call of a webhook, or the value itself."""
    inner = at_path(value, "call")
    return inner if isinstance(inner, Mapping) and "call_id" in inner else value


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "call_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    listed = next((key for key in _LISTS if raw.get(key)), _LISTS[0])
    for item in objects_in(raw, listed, found=found):
        _add(item, draft)
    is_running = raw.get("call_status") in _RUNNING
    return draft.finish(
        About(
            source=origin.source(NAME, identity),
            started_at=utc_text(epoch_of(raw.get("start_timestamp"))),
            ended=False if is_running else ended_by(raw.get("disconnection_reason"), found),
        )
    ), found


def _add(item: Mapping[str, Any], draft: Draft) -> None:
    role = item.get("role")
    if role == "tool_call_invocation":
        draft.call_tool(item.get("name"), item.get("arguments"), item.get("tool_call_id"))
    elif role == "tool_call_result":
        said = item.get("successful")
        ok = said if isinstance(said, bool) else None
        draft.answer(item.get("content"), item.get("tool_call_id"), ok=ok)
    elif role in _SPEAKERS or "words" in item:
        words = objects_in(item, "words", found=draft.found)
        start = number_of(words[0].get("start")) if words else None
        end = number_of(words[-1].get("end")) if words else None
        speaker = role if isinstance(role, str) else ""
        draft.say(speaker, text_in(item, "content"), start=start, end=end)
    else:
        args = {key: value for key, value in item.items() if key not in _EVENT_KEYS}
        name = role if isinstance(role, str) and role else "event"
        draft.log(name, args, text=text_in(item, "content"), start=number_of(item.get("time_sec")))
