"""Reader of Bland calls (``transcripts`` beside ``concatenated_transcript``).

A line has one time, its start; lengths in the file are minutes or seconds and are not used. What
the agent did stands among the words as text: a key pressed is an event, a tool has only its name,
and the second line of a name counts as the answer to the first, which is noted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import Moment, first_of, moment_of, since, utc_text

NAME = "bland"
TITLE = "Bland"

_SPEAKERS = ("user", "assistant", "robot")
_KEY = re.compile(r"Pressed Buttons?: *(\S{1,40})")
_TOOL = re.compile(r"(?:Custom tool|Tool|Used tool):? +(\S{1,100})")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return isinstance(at_path(head, "transcripts"), list) and isinstance(
        at_path(head, "concatenated_transcript"), str
    )


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every call of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "call_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    lines = objects_in(raw, "transcripts", found=found)
    started = moment_of(raw.get("started_at"))
    zero = started or first_of(moment_of(line.get("created_at")) for line in lines)
    waiting: dict[str, str] = {}
    for line in lines:
        _add(line, zero, waiting, draft)
    done = raw.get("completed")
    return draft.finish(
        About(
            source=origin.source(NAME, identity),
            started_at=utc_text(started),
            ended=done if isinstance(done, bool) else "assumed",
        )
    ), found


def _add(
    line: Mapping[str, Any], zero: Moment | None, waiting: dict[str, str], draft: Draft
) -> None:
    user, text = line.get("user"), text_in(line, "text")
    start = since(zero, moment_of(line.get("created_at")))
    if user != "agent-action":
        draft.say(user if isinstance(user, str) else "", text, start=start)
    elif key := _KEY.match(text):
        draft.log("dtmf", {"digit": key[1]}, text=text, start=start)
    elif tool := _TOOL.match(text):
        _add_tool(tool[1], text, start, waiting, draft)
    else:
        draft.log("agent-action", {"text": text}, text=text, start=start)


def _add_tool(name: str, text: str, start: object, waiting: dict[str, str], draft: Draft) -> None:
    sentence = (
        "The file does not say whether a tool's line is its call or its answer; the second of a "
        "name counts as the answer."
    )
    draft.found.note("tool_phase_assumed", f"turn {draft.next_number}", sentence)
    if name in waiting:
        draft.answer(None, waiting.pop(name), start=start)
    else:
        waiting[name] = f"{name} {draft.next_number}"
        draft.call_tool(name, None, waiting[name], start=start)
