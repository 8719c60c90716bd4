"""Where the conversations of a file are: one list, many objects, or one message on each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from review.core.transcript.acts import PROMPTS, RESULTS, SAID

LIST_KEYS = ("messages", "traj")


_ROLES = (*SAID, *PROMPTS, *RESULTS)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation as found in a file: its place, its id, the JSON it came from and its list of
    messages.
    """

    where: str
    identity: str
    raw: object
    messages: object


def find_conversations(values: list[tuple[str, object]], name: str) -> Iterator[Conversation]:
    """Yield the conversations of a file's JSON values (each with its place in the file).

    A list, or lines, whose first element is a message is one conversation.
    """
    stem = _stem(name)
    if len(values) == 1 and isinstance(values[0][1], list):
        where, inner = values[0][0], values[0][1]
        values = [(f"{where}, item {k}", item) for k, item in enumerate(inner, 1)]
    if values and is_message(values[0][1]):
        messages = [value for _, value in values]
        yield Conversation(name, stem, messages, messages)
        return
    for k, (where, value) in enumerate(values, 1):
        default = stem if len(values) == 1 else f"{stem}-{k}"
        yield Conversation(where, _identity(value, default), value, _messages_of(value))


def _messages_of(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    if "messages_display" in value:
        return value["messages_display"]
    return next((value[key] for key in LIST_KEYS if key in value), None)


def _identity(value: object, default: str) -> str:
    if not isinstance(value, Mapping):
        return default
    for key in ("id", "conversation_id"):
        if isinstance(value.get(key), str) and value[key]:
            return str(value[key])
    if isinstance(value.get("task_id"), (int, str)):
        return f"task-{value['task_id']}-trial-{value.get('trial', 0)}"
    return default


def _stem(name: str) -> str:
    last = re.split(r"[/\\]", name)[-1]
    return last.partition(".")[0] or last or "call"


def is_message(value: object) -> bool:
    """Say whether a value is one message of this format."""
    if not isinstance(value, Mapping):
        return False
    if value.get("role") in _ROLES:
        return "content" in value or "tool_calls" in value or "function_call" in value
    return value.get("type") in ("function_call", "function_call_output")


def is_foreign(messages: list[object]) -> bool:
    """Say whether messages keep tool calls in content blocks: a format this reader would lose."""
    return any(
        isinstance(part, Mapping) and part.get("type") in ("tool_use", "tool_result")
        for message in messages
        if isinstance(message, Mapping) and isinstance(message.get("content"), list)
        for part in message["content"]
    )
