"""Reader of LiveKit session reports (``chat_history.items``).

The list is the order. When an item was made says nothing about when it was said: speech has a time
only where its metrics say when somebody started to speak. Words of an interrupted turn may never
have been spoken, and that is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.acts import PROMPTS, text_of
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    objects_in,
    read_json_calls,
)
from review.core.transcript.moments import Moment, epoch_of, first_of, since, utc_text

NAME = "livekit"
TITLE = "LiveKit"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return isinstance(at_path(head, "chat_history", "items"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every session of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "job_id") or at_path(value, "room_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    items = objects_in(raw, "chat_history", "items", found=found)
    recorded = epoch_of(raw.get("audio_recording_started_at"))
    zero = recorded or first_of(epoch_of(at_path(i, "metrics", _STARTED)) for i in items)
    for k, item in enumerate(items, 1):
        _add(item, f"item {k}", zero, draft)
    source = origin.source(NAME, identity)
    return draft.finish(About(source=source, started_at=utc_text(recorded))), found


_STARTED = "started_speaking_at"


def _add(item: Mapping[str, Any], place: str, zero: Moment | None, draft: Draft) -> None:
    kind, role = item.get("type"), item.get("role")
    made = since(zero, epoch_of(item.get("created_at")))
    if kind == "function_call":
        draft.call_tool(item.get("name"), item.get("arguments"), item.get("call_id"), start=made)
    elif kind == "function_call_output":
        ok = False if item.get("is_error") is True else None
        draft.answer(item.get("output"), item.get("call_id"), ok=ok, start=made)
    elif kind == "agent_config_update" or role in PROMPTS:
        text = "The instructions to the assistant are no turn and were left out."
        draft.found.note("system_message_dropped", place, text)
    elif kind not in (None, "message"):
        args = {key: item[key] for key in item.keys() - {"id", "type", "created_at"}}
        draft.log(str(kind)[:100] or "event", args, start=made)
    else:
        _say(item, place, zero, draft)


def _say(item: Mapping[str, Any], place: str, zero: Moment | None, draft: Draft) -> None:
    role, metrics = item.get("role"), item.get("metrics")
    number = draft.say(
        role if isinstance(role, str) else "",
        text_of(item.get("content"), place, draft.found),
        start=since(zero, epoch_of(at_path(metrics, _STARTED))),
        end=since(zero, epoch_of(at_path(metrics, "stopped_speaking_at"))),
    )
    if item.get("interrupted") is True:
        text = f"Turn {number} was interrupted; its last words may never have been spoken."
        draft.found.warn("text_not_spoken_possible", place, text, turn=number)
