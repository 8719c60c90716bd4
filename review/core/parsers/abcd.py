"""Reader of ABCD conversations: words of agent and customer, and buttons that the agent pressed.

A button is a tool call that the line itself says was done; its name and values stand in the second,
plain copy of the conversation. There are no times. Turns count from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records, ToolCall, TurnKind
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    each_of,
    object_of,
    read_json_calls,
)

NAME = "abcd"
TITLE = "ABCD conversations"

_SPEAKERS = ("agent", "customer")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping):
        return False
    if isinstance(head.get("train"), list) or isinstance(head.get("dev"), list):
        return any(recognise(one) for one in head.values())
    return "convo_id" in head and isinstance(head.get("original"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every conversation of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call, find=_find)


def _find(value: object, where: str) -> Iterator[Found]:
    if isinstance(value, Mapping) and "original" not in value:
        for key, listed in value.items():
            yield from each_of(listed, f"{where}, {key}"[:300])
    else:
        yield from each_of(value, where)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "convo_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    lines = raw.get("original")
    for k, line in enumerate(lines if isinstance(lines, list) else []):
        speaker, text = at_path(line, 0), at_path(line, 1)
        if not isinstance(speaker, str) or not isinstance(text, str):
            found.refuse("bad_value", f"original[{k}]", "A line must be a speaker and words.")
        if speaker == "action":
            _press(raw, k, text, draft)
        else:
            draft.say(speaker, text)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _press(raw: Mapping[str, Any], k: int, text: str, draft: Draft) -> None:
    targets = at_path(raw, "delexed", k, "targets") or at_path(raw, "delex", k, "targets")
    name, values = at_path(targets, 2), at_path(targets, 3)
    number = draft.say("", text, kind=TurnKind.TOOL_CALL)
    if not isinstance(name, str) or not name:
        name = ""
        draft.report_nameless(number)
    args = {"values": values} if isinstance(values, list) else {}
    draft.calls.append(ToolCall(number, name, args, f"action {number}", ok=True))
