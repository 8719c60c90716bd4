"""Messages inside of what a trace keeps as input or output, in whatever shape a framework left it.

Seen are lists of messages, answers of providers (choices, generations, candidates, output items),
JSON inside of a text, once or twice, texts with a role at the start of lines, and plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from review.core.transcript.acts import Act, Said, acts_of
from review.core.transcript.drafting import parsed
from review.core.transcript.gathering import CallFindings

_LINE = re.compile(r"^(system|developer|user|assistant|tool): ?", re.MULTILINE)
_INNER = ("messages", "message", "contents", "content", "output", "response", "input", "args")
_MOST_NESTED = 8


def acts_in(value: object, role: str, found: CallFindings) -> list[Act]:
    """Return what an input or output holds; `role` is who says words that name nobody.

    An empty text that goes with nothing is left out. Raises RefusedInput for a broken message.
    """
    acts = [
        act
        for k, message in enumerate(_messages(value, role, 0), 1)
        for act in acts_of(message, f"{role} message {k}", found)
    ]
    return [act for act in acts if not isinstance(act, Said) or act.text.strip()]


def _messages(value: object, role: str, depth: int) -> Iterator[object]:
    if depth > _MOST_NESTED:
        return
    if isinstance(value, str):
        inner = parsed(value) if value.lstrip()[:1] in ("{", "[", '"') else value
        if inner == value:
            yield from _of_text(value, role)
        else:
            yield from _messages(inner, role, depth + 1)
    elif isinstance(value, list):
        for item in value:
            # A text inside of a list is a framework's own print of a message.
            if not isinstance(item, str):
                yield from _messages(item, role, depth + 1)
    elif isinstance(value, Mapping):
        yield from _of_object(value, role, depth)


def _of_text(text: str, role: str) -> Iterator[object]:
    openings = list(_LINE.finditer(text))
    if not openings or openings[0].start() > 0:
        if text.strip():
            yield {"role": role, "content": text}
        return
    ends = [one.start() for one in openings[1:]] + [len(text)]
    for opening, end in zip(openings, ends, strict=True):
        words = text[opening.end() : end].strip()
        if words and words != "None":
            yield {"role": opening[1], "content": words}


def _of_object(value: Mapping[str, object], role: str, depth: int) -> Iterator[object]:
    if _is_message(value):
        yield value
        return
    for key in ("choices", "generations", "candidates"):
        listed = value.get(key)
        if isinstance(listed, list) and listed:
            first = listed[0][0] if isinstance(listed[0], list) and listed[0] else listed[0]
            yield from _messages(first, role, depth + 1)
            return
    if isinstance(value.get("parts"), list):
        yield {**value, "role": role}
        return
    for key in _INNER:
        if value.get(key):
            inner = value[key]
            if key == "args" and isinstance(inner, list) and len(inner) == 1:
                inner = inner[0]
            yield from _messages(inner, role, depth + 1)
            return
    if isinstance(value.get("text"), str):
        yield {"role": role, "content": value["text"]}


def _is_message(value: Mapping[str, object]) -> bool:
    if isinstance(value.get("kwargs"), Mapping) and isinstance(value.get("id"), list):
        return True
    kind = value.get("type")
    if kind in ("function_call", "function_call_output", "reasoning"):
        return True
    has_words = "content" in value or "parts" in value or "tool_calls" in value
    return has_words and (isinstance(value.get("role"), str) or kind in ("human", "ai", "tool"))
