"""One message: words, parts, tool calls, results, and what is left out of the turns."""

from __future__ import annotations

from collections.abc import Mapping

from review.core.parsers.openai_messages.contents import HIDDEN_PARTS, text_of
from review.core.parsers.openai_messages.sequence import Sequence, add_call, add_result
from review.core.transcript import (
    CallFindings,
    TurnKind,
)

SAID = ("user", "assistant")


PROMPTS = ("system", "developer")


RESULTS = ("tool", "function")


_HIDDEN_KEYS = ("reasoning", "reasoning_content", "thinking")


def read_message(message: object, place: str, sequence: Sequence) -> None:
    found = sequence.found
    if not isinstance(message, Mapping):
        found.refuse("bad_value", place, "A message must be an object with a role.")
    if any(message.get(key) for key in _HIDDEN_KEYS):
        found.note(
            "hidden_reasoning_dropped",
            place,
            "Hidden reasoning was left out; it was not said to anybody.",
        )
    kind, role = message.get("type"), message.get("role")
    if kind == "function_call":
        add_call(message, message.get("call_id"), place, sequence)
    elif kind == "function_call_output":
        add_result(message.get("output"), message.get("call_id"), message, place, sequence)
    elif kind in HIDDEN_PARTS:
        found.note(
            "hidden_reasoning_dropped",
            place,
            "Hidden reasoning was left out; it was not said to anybody.",
        )
    elif role in PROMPTS:
        found.note(
            "system_message_dropped",
            place,
            "The instructions to the assistant are no turn and were left out.",
        )
    elif role in RESULTS:
        add_result(message.get("content"), message.get("tool_call_id"), message, place, sequence)
    else:
        read_utterance(message, role if isinstance(role, str) else "", place, sequence)


def read_utterance(
    message: Mapping[str, object], role: str, place: str, sequence: Sequence
) -> None:
    text = text_of(message.get("content"), place, sequence.found)
    if not text and isinstance(message.get("refusal"), str):
        text = str(message["refusal"])
    calls = _tool_calls_of(message, place, sequence.found)
    if text or not calls:
        number = sequence.add(role, TurnKind.SPEECH, text)
        if role not in SAID:
            said = f"has the unknown role {role[:40]!r}" if role else "has no role"
            sentence = f"Turn {number} {said}; only user and assistant speak here. Say who speaks."
            sequence.found.warn("missing_speaker", f"turn {number}", sentence, turn=number)
    for call in calls:
        add_call(call.get("function", call), call.get("id"), place, sequence)


def _tool_calls_of(
    message: Mapping[str, object], place: str, found: CallFindings
) -> list[Mapping[str, object]]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        found.refuse("bad_value", f"{place}.tool_calls", "tool_calls must be a list of objects.")
    if message.get("function_call"):
        calls = [*calls, {"function": message["function_call"]}]
    return calls
