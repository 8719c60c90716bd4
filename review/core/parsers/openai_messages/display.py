"""Few-shot displays: one text with a line for each message; tool calls print as \"assistant:
None\".
"""

from __future__ import annotations

import re

from review.core.transcript import normalise_newlines
from review.core.transcript.acts import Said, play
from review.core.transcript.drafting import Draft

_DISPLAY_LINE = re.compile(r"(user|assistant|tool|system): ?(.*)\Z", re.DOTALL)


def read_display(display: str, draft: Draft) -> None:
    for role, text in _display_lines(normalise_newlines(display)):
        if role == "system":
            draft.found.note(
                "system_message_dropped", "", "The instructions to the assistant are no turn."
            )
        elif role == "assistant" and text == "None":
            draft.call_tool(None, None, None)
        elif role == "tool":
            draft.answer(text, None)
        else:
            play(Said(role, text), draft)


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
