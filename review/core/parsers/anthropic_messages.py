"""Reader of Anthropic messages: content in blocks, tool results inside of user messages.

Every text block is an utterance; the results in a message come before its words. There are no
times. The instructions stand outside of the messages and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.acts import acts_of, acts_of_blocks, has_tool_blocks, play
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    each_of,
    objects_in,
    read_found,
    read_json_calls,
)
from review.core.transcript.records import read_records

NAME = "anthropic-messages"
TITLE = "Anthropic messages"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    messages = head if isinstance(head, list) else at_path(head, "messages")
    if not isinstance(messages, list) or not messages:
        return False
    if isinstance(messages[0], Mapping) and isinstance(messages[0].get("messages"), list):
        return recognise(messages[0])
    if not all(isinstance(one, Mapping) and one.get("role") in _SPEAKERS for one in messages):
        return False
    is_outside = isinstance(head, Mapping) and isinstance(head.get("system"), (str, list))
    return is_outside or any(has_tool_blocks(one.get("content")) for one in messages)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every conversation of a file. Never raises."""
    records, findings = read or read_records(data, name=name)
    if len(records) == 1 and _is_message(at_path(records[0].value, 0)):
        found: list[Found] = [(name, {"messages": records[0].value})]
        return read_found(data, found, name=name, read_call=_read_call, findings=findings)
    read = (records, findings)
    return read_json_calls(data, name=name, read=read, read_call=_read_call, find=each_of)


def _is_message(value: object) -> bool:
    return isinstance(value, Mapping) and "role" in value and "content" in value


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id") or at_path(value, "conversation_id"))
    raw = value if isinstance(value, Mapping) else {}
    draft = Draft(found, frozenset(_SPEAKERS))
    for k, message in enumerate(objects_in(raw, "messages", found=found), 1):
        content = message.get("content")
        is_split = isinstance(content, list) and message.get("role") in _SPEAKERS
        acts = (
            acts_of_blocks(message["role"], content, f"message {k}", found)
            if is_split
            else acts_of(message, f"message {k}", found)
        )
        for act in acts:
            play(act, draft)
    if raw.get("system"):
        text = "The instructions to the assistant are no turn and were left out."
        found.note("system_message_dropped", "system", text)
    return draft.finish(About(source=origin.source(NAME, identity))), found
