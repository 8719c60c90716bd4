"""Reader of Schema-Guided Dialogues: utterances with frames.

A service that was called, and what it gave back, stand in the frames of the utterance that tells of
it: they come before its words. The side called SYSTEM is the assistant. There are no times.
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

NAME = "sgd"
TITLE = "Schema-Guided Dialogues"

_SIDES = {"USER": "user", "SYSTEM": "assistant"}


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    turn = at_path(head, "turns", 0)
    return isinstance(turn, Mapping) and {"frames", "utterance"} <= turn.keys()


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every dialogue of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "dialogue_id"))
    raw = object_of(value, found)
    draft = Draft(found, frozenset(_SIDES.values()))
    for turn in objects_in(raw, "turns", found=found):
        for frame in objects_in(turn, "frames", found=found):
            _add_service(frame, draft)
        label = label_of(turn.get("speaker"))
        draft.say(_SIDES.get(label, label), text_in(turn, "utterance"))
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _add_service(frame: Mapping[str, Any], draft: Draft) -> None:
    call = frame.get("service_call")
    if not isinstance(call, Mapping):
        return
    tie = f"service {draft.next_number}"
    draft.call_tool(call.get("method"), call.get("parameters"), tie)
    if "service_results" in frame:
        draft.answer(frame["service_results"], tie)
