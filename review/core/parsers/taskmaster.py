"""Reader of Taskmaster conversations: utterances, and calls of an API annotated on them.

The parts of a call and of its answer are tied by their context; both stand behind the utterance
that led to them. There are no times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    label_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)

NAME = "taskmaster"
TITLE = "Taskmaster"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    first = at_path(head, "utterances", 0)
    is_turn = isinstance(first, Mapping) and {"index", "speaker", "text"} <= first.keys()
    return is_turn and at_path(head, "conversation_id") is not None


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every conversation of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "conversation_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    for utterance in objects_in(raw, "utterances", found=found):
        draft.say(label_of(utterance.get("speaker")).lower(), text_in(utterance, "text"))
        _add_calls(objects_in(utterance, "annotations", found=found), draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _add_calls(annotations: list[Mapping[str, Any]], draft: Draft) -> None:
    held: dict[str, dict[str, Any]] = {}
    for one in annotations:
        held.setdefault(str(one.get("context")), {})[str(one.get("name"))] = one.get("value")
    # Contexts begin again with each utterance; the place makes the tie its own.
    place = draft.next_number
    for context, parts in held.items():
        tie = f"{place} {context.rpartition('_')[2]}"
        if "api_call" in parts:
            draft.call_tool(parts["api_call"], parts.get("request"), tie)
        if "api_response" in parts:
            draft.answer(parts.get("response"), tie)
