"""What a message of a chat holds: words, tool calls and answers, whoever wrote the message down.

Read are the messages of OpenAI (chat and Responses), Anthropic (blocks), OpenTelemetry and Gemini
(parts) and LangChain. System prompts and hidden reasoning are no part of a call; that they were
left out is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from review.core.transcript.drafting import Draft
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import TurnKind

#: Roles of messages that are said, that instruct, and that answer.
SAID = ("user", "assistant")
PROMPTS = ("system", "developer")
RESULTS = ("tool", "function")

_HIDDEN = ("reasoning", "thinking", "redacted_thinking")
_HIDDEN_KEYS = ("reasoning", "reasoning_content", "thinking")
_TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_CALL_BLOCKS = ("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "server_tool_call")
_RESULT_ENDINGS = ("tool_result", "tool_call_response")
_ROLE_OF_CLASS = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a role (empty: the message names none)."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call: its name, its arguments as the source has them, and the id that ties it."""

    name: object
    arguments: object
    call_id: object


@dataclass(frozen=True, slots=True)
class Answered:
    """A tool's answer, and whether the source itself says that the call worked."""

    content: object
    call_id: object
    ok: bool | None = None


Act = Said | Called | Answered


def acts_of(message: object, place: str, found: CallFindings) -> Iterator[Act]:
    """Yield what a message holds, words before tool calls. Raises RefusedInput for what is none."""
    message = _unwrapped(message)
    if not isinstance(message, Mapping):
        found.refuse("bad_value", place, "A message must be an object with a role.")
    if any(message.get(key) for key in _HIDDEN_KEYS):
        _note_hidden(place, found)
    kind, role, content = message.get("type"), message.get("role"), message.get("content")
    if kind == "function_call":
        yield Called(message.get("name"), message.get("arguments"), message.get("call_id"))
    elif kind == "function_call_output":
        yield _answered(message.get("output"), message.get("call_id"), message, place, found)
    elif kind in _HIDDEN:
        _note_hidden(place, found)
    elif role in PROMPTS:
        text = "The instructions to the assistant are no turn and were left out."
        found.note("system_message_dropped", place, text)
    elif isinstance(message.get("parts"), list):
        yield from acts_of_blocks(role, message["parts"], place, found)
    elif has_tool_blocks(content):
        yield from acts_of_blocks(role, content, place, found)
    elif role in RESULTS:
        yield _answered(content, message.get("tool_call_id"), message, place, found)
    else:
        yield from _utterance(message, role if isinstance(role, str) else "", place, found)


def acts_of_blocks(role: object, blocks: object, place: str, found: CallFindings) -> Iterator[Act]:
    """Yield what the blocks or parts of a message hold: answers first, then the rest in order;
    every text is an utterance of its own.
    """
    if not isinstance(blocks, list):
        found.refuse("bad_value", f"{place}.content", "The content must be a text or a list.")
    speaker = role if isinstance(role, str) else ""
    later: list[Act] = []
    for block in blocks:
        for act in _block(block, _alias(speaker), place, found):
            if isinstance(act, Answered):
                yield act
            else:
                later.append(act)
    yield from later


def play(act: Act, draft: Draft, *, start: object = None) -> int:
    """Add an act to a draft as a turn and return the turn's number.

    A role of words that is none of the draft's stated ones is reported (``missing_speaker``).
    """
    match act:
        case Called(name, arguments, call_id):
            return draft.call_tool(name, arguments, call_id, start=start)
        case Answered(content, call_id, ok):
            return draft.answer(content, call_id, ok=ok, start=start)
        case Said(speaker, text):
            number = draft.say(speaker, text, start=start, kind=TurnKind.SPEECH)
            if speaker not in SAID and speaker not in draft.stated:
                said = f"has the unknown role {speaker[:40]!r}" if speaker else "has no role"
                sentence = (
                    f"Turn {number} {said}; only user and assistant speak here. Say who speaks."
                )
                draft.found.warn("missing_speaker", f"turn {number}", sentence, turn=number)
            return number


def text_of(content: object, place: str, found: CallFindings) -> str:
    """Return the words of a message; parts that are no text are reported and left out."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        found.refuse(
            "bad_value",
            f"{place}.content",
            "The content of a message must be a text, a list of parts or null.",
        )
    return "\n".join(text for part in content if (text := _part_text(part, place, found)))


def has_tool_blocks(content: object) -> bool:
    """Say whether the content of a message keeps tool calls or answers in blocks."""
    return isinstance(content, list) and any(
        isinstance(block, Mapping) and (_is_call(block) or _is_result(block)) for block in content
    )


def _utterance(
    message: Mapping[str, object], role: str, place: str, found: CallFindings
) -> Iterator[Act]:
    text = text_of(message.get("content"), place, found)
    if not text and isinstance(message.get("refusal"), str):
        text = str(message["refusal"])
    calls = _tool_calls_of(message, place, found)
    if text or not calls:
        yield Said(_alias(role), text)
    for call in calls:
        function = call.get("function", call)
        if not isinstance(function, Mapping):
            found.refuse(
                "bad_value", place, "A tool call needs a function with name and arguments."
            )
        arguments = function.get("arguments", function.get("args"))
        yield Called(function.get("name"), arguments, call.get("id"))


def _tool_calls_of(
    message: Mapping[str, object], place: str, found: CallFindings
) -> list[Mapping[str, object]]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        found.refuse("bad_value", f"{place}.tool_calls", "tool_calls must be a list of objects.")
    if message.get("function_call"):
        calls = [*calls, {"function": message["function_call"]}]
    return calls


def _answered(
    content: object, call_id: object, holder: Mapping[str, object], place: str, found: CallFindings
) -> Answered:
    is_plain = isinstance(content, Mapping)
    ok = False if holder.get("is_error") is True else None
    return Answered(content if is_plain else text_of(content, place, found), call_id, ok)


def _block(block: object, role: str, place: str, found: CallFindings) -> Iterator[Act]:
    if isinstance(block, str):
        yield Said(role, block)
        return
    if not isinstance(block, Mapping):
        found.refuse("bad_value", place, "A part of a message must be an object with a type.")
    if _is_call(block):
        inner = block.get("functionCall") or block.get("function_call") or block
        inner = inner if isinstance(inner, Mapping) else {}
        arguments = inner.get("input", inner.get("arguments", inner.get("args")))
        yield Called(inner.get("name"), arguments, _tie(inner))
    elif _is_result(block):
        inner = block.get("functionResponse") or block.get("function_response") or block
        inner = inner if isinstance(inner, Mapping) else {}
        content = inner.get("content", inner.get("response", inner.get("result")))
        yield _answered(content, _tie(inner), block, place, found)
    elif isinstance(block.get("text", block.get("content")), str) and block.get("type") in (
        None,
        *_TEXT_PARTS,
    ):
        yield Said(role, str(block.get("text", block.get("content"))))
    else:
        _part_text(block, place, found)


def _is_call(block: Mapping[str, object]) -> bool:
    return block.get("type") in _CALL_BLOCKS or bool(
        block.get("functionCall") or block.get("function_call")
    )


def _is_result(block: Mapping[str, object]) -> bool:
    kind = block.get("type")
    return (isinstance(kind, str) and kind.endswith(_RESULT_ENDINGS)) or bool(
        block.get("functionResponse") or block.get("function_response")
    )


def _tie(block: Mapping[str, object]) -> object:
    # An example of the specification has a blank in front of the id of one side.
    tie = block.get("tool_use_id") or block.get("id")
    return tie.strip() if isinstance(tie, str) else tie


def _part_text(part: object, place: str, found: CallFindings) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type") if isinstance(part, Mapping) else None
    if isinstance(part, Mapping) and isinstance(kind, str):
        text = part.get(_TEXT_PARTS.get(kind, ""))
        if isinstance(text, str):
            return text
    if kind in _HIDDEN or "Reasoning" in str(kind):
        _note_hidden(place, found)
    else:
        text = (
            f"A part of type {str(kind)[:40]} is no text and was left out; its words are missing."
        )
        found.warn("non_text_part", place, text)
    return ""


def _note_hidden(place: str, found: CallFindings) -> None:
    text = "Hidden reasoning was left out; it was not said to anybody."
    found.note("hidden_reasoning_dropped", place, text)


def _alias(role: str) -> str:
    return "assistant" if role == "model" else role


def _unwrapped(message: object) -> object:
    """Return a LangChain message as one with a role; any other as it is."""
    if not isinstance(message, Mapping):
        return message
    path, inner = message.get("id"), message.get("kwargs")
    if isinstance(inner, Mapping) and isinstance(path, list) and path:
        kind = str(path[-1]).removesuffix("Chunk").removesuffix("Message").lower()
        extra = inner.get("additional_kwargs")
        more = extra if isinstance(extra, Mapping) and not inner.get("tool_calls") else {}
        return {**more, **inner, "type": None, "role": _ROLE_OF_CLASS.get(kind, kind)}
    plain = message.get("type")
    if "role" not in message and isinstance(plain, str) and plain in _ROLE_OF_CLASS:
        return {**message, "type": None, "role": _ROLE_OF_CLASS[plain]}
    return message
