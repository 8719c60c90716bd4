"""The turns of one conversation while they are read, with its tool calls and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from review.core.parsers.openai_messages.contents import text_of
from review.core.transcript import (
    CallFindings,
    RefusedInput,
    ToolCall,
    ToolResult,
    Turn,
    TurnKind,
    parse_json,
    refuse_too_many_turns,
    refuse_unstorable,
    stored_text,
)

LABELS = {"user": "User", "assistant": "Assistant", "tool": "Tool"}


@dataclass(slots=True)
class Sequence:
    """The turns of one conversation while they are read, with the tool calls and results among
    them.
    """

    found: CallFindings
    turns: list[Turn] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)

    @property
    def next_number(self) -> int:
        return len(self.turns) + 1

    def add(self, speaker: str, kind: TurnKind, text: str) -> int:
        """Add a turn and return its number. Raises RefusedInput at a limit."""
        number = self.next_number
        role = speaker if speaker in LABELS else None
        self.turns.append(
            Turn(
                number,
                speaker,
                role,
                kind,
                stored_text(text, number=number, kind=kind, found=self.found),
            )
        )
        refuse_too_many_turns(self.turns, self.found)
        return number


def add_call(function: object, call_id: object, place: str, sequence: Sequence) -> None:
    if not isinstance(function, Mapping):
        sequence.found.refuse(
            "bad_value", place, "A tool call needs a function with name and arguments."
        )
    arguments = function.get("arguments")
    shown = arguments if isinstance(arguments, str) else _plain(arguments)
    number = sequence.add("assistant", TurnKind.TOOL_CALL, shown)
    name = function.get("name")
    if not isinstance(name, str) or not name:
        name = ""
        report_nameless(number, sequence.found)
    args = _arguments(arguments, number, sequence.found)
    sequence.calls.append(
        ToolCall(number, name, args, call_id if isinstance(call_id, str) else None)
    )


def _plain(arguments: object) -> str:
    return (
        ""
        if arguments is None
        else ", ".join(f"{k}: {v}" for k, v in arguments.items())
        if isinstance(arguments, Mapping)
        else str(arguments)
    )


def _arguments(arguments: object, number: int, found: CallFindings) -> Mapping[str, object]:
    value = _parsed(arguments) if isinstance(arguments, str) and arguments.strip() else arguments
    if isinstance(value, Mapping):
        return value
    if value not in (None, ""):
        text = (
            f"The arguments of the tool call at turn {number} are no JSON object; rules cannot "
            "test them."
        )
        found.warn("unparsable_arguments", f"turn {number}", text, turn=number)
    return {}


def add_result(
    content: object, call_id: object, message: Mapping[str, object], place: str, sequence: Sequence
) -> None:
    text = content if isinstance(content, str) else text_of(content, place, sequence.found)
    number = sequence.add("tool", TurnKind.TOOL_RESULT, text)
    result = _parsed(text) if text.lstrip()[:1] in ("{", "[") else text
    ok = False if message.get("is_error") is True else None
    sequence.results.append(
        ToolResult(number, result, call_id if isinstance(call_id, str) else None, ok)
    )


def _parsed(text: str) -> object:
    """Return the JSON value a text holds, or the text itself if it holds none (or none that can be
    stored).
    """
    try:
        value, _ = parse_json(text, where="")
        refuse_unstorable(value, where="")
    except RefusedInput:
        return text
    return value


def report_nameless(number: int, found: CallFindings) -> None:
    text = (
        f"The tool call at turn {number} has lost its name and arguments; no catalog can "
        "recognise it."
    )
    found.warn("call_without_name", f"turn {number}", text, turn=number)
