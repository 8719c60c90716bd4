"""Few-shot displays: one text with a line for each message; tool calls print as \"assistant:
None\".
"""

from __future__ import annotations

import re

from review.core.parsers.openai_messages.messages import read_utterance
from review.core.parsers.openai_messages.sequence import Sequence, add_result, report_nameless
from review.core.transcript import (
    ToolCall,
    TurnKind,
    normalise_newlines,
)

_DISPLAY_LINE = re.compile(r"(user|assistant|tool|system): ?(.*)\Z", re.DOTALL)


def read_display(display: str, sequence: Sequence) -> None:
    for role, text in _display_lines(normalise_newlines(display)):
        if role == "system":
            sequence.found.note(
                "system_message_dropped", "", "The instructions to the assistant are no turn."
            )
        elif role == "assistant" and text == "None":
            number = sequence.add(role, TurnKind.TOOL_CALL, "")
            report_nameless(number, sequence.found)
            sequence.calls.append(ToolCall(number, "", {}))
        elif role == "tool":
            add_result(text, None, {}, "", sequence)
        else:
            read_utterance({"content": text}, role, "", sequence)


def _display_lines(display: str) -> list[tuple[str, str]]:
    """Split at lines that start with a role; other lines belong to the message in front of them."""
    messages: list[tuple[str, str]] = []
    for line in display.split("\n"):
        opening = _DISPLAY_LINE.match(line)
        if opening:
            messages.append((opening[1], opening[2]))
        elif messages:
            messages[-1] = (messages[-1][0], f"{messages[-1][1]}\n{line}")
        elif line.strip():
            messages.append(("", line))
    return messages
