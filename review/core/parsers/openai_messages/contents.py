"""The words of a message: plain content or a list of parts; parts that are no text are reported."""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import (
    CallFindings,
)

HIDDEN_PARTS = ("reasoning", "thinking", "redacted_thinking")
_TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}


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


def _part_text(part: object, place: str, found: CallFindings) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type") if isinstance(part, Mapping) else None
    if isinstance(part, Mapping) and isinstance(kind, str):
        text = part.get(_TEXT_PARTS.get(kind, ""))
        if isinstance(text, str):
            return text
    if kind in HIDDEN_PARTS:
        found.note(
            "hidden_reasoning_dropped",
            place,
            "Hidden reasoning was left out; it was not said to anybody.",
        )
    else:
        shown = str(kind)[:40]
        found.warn(
            "non_text_part",
            place,
            f"A part of type {shown} is no text and was left out; its words are missing.",
        )
    return ""
