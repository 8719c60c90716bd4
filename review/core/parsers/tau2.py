"""Reader of tau2-bench results (``simulations``): messages with flat tool calls and times.

The user may call tools too; a tool call's turn names who did. An answer has the id of its call as
its own. Turns count from 1 over everything in sequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.acts import acts_of, play
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
)
from review.core.transcript.moments import first_of, moment_of, since, utc_text

NAME = "tau2"
TITLE = "tau2-bench"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    return isinstance(at_path(head, "simulations", 0, "messages"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every simulation of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call, find=_find)


def _find(value: object, where: str) -> Iterator[Found]:
    listed = at_path(value, "simulations")
    yield from each_of(value if listed is None else listed, where)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    messages = list(_flat(objects_in(raw, "messages", found=found)))
    zero = first_of(moment_of(message.get("timestamp")) for message in messages)
    for k, message in enumerate(messages, 1):
        draft.caller = "user" if message.get("role") == "user" else "assistant"
        start = since(zero, moment_of(message.get("timestamp")))
        for act in acts_of(_as_openai(message), f"message {k}", found):
            play(act, draft, start=start)
    if zero is not None and zero.is_naive:
        text = "The times do not say their offset from UTC; the start of the call is unknown."
        found.warn("naive_timestamp", "", text)
    return draft.finish(
        About(
            source=origin.source(NAME, identity),
            started_at=utc_text(zero),
            ended=ended_by(raw.get("termination_reason"), found),
        )
    ), found


def _flat(messages: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield messages; several answers of tools may stand inside of one."""
    for message in messages:
        inner = message.get("tool_messages")
        if isinstance(inner, list):
            yield from (one for one in inner if isinstance(one, Mapping))
        else:
            yield message


def _as_openai(message: Mapping[str, Any]) -> Mapping[str, Any]:
    if message.get("role") != "tool":
        return message
    tie = message.get("tool_call_id") or message.get("id")
    return {**message, "tool_call_id": tie, "is_error": message.get("error")}
