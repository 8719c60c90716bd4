"""Reader of LangSmith runs: a list of them, or a bulk file of ``post`` and ``patch``.

The two halves of a run are joined by its id; runs of one trace are one call, in the order of their
``dotted_order``. Runs of models carry the conversation, each repeating the story so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.histories import Step, tell
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    read_found,
)
from review.core.transcript.records import read_records
from review.core.transcript.trace_messages import acts_in

NAME = "langsmith"
TITLE = "LangSmith"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping):
        return False
    is_bulk = isinstance(head.get("post"), list) or isinstance(head.get("patch"), list)
    return is_bulk or isinstance(head.get("dotted_order"), str)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every trace of a file, over all its lines. Never raises."""
    records, findings = read or read_records(data, name=name)
    runs: dict[str, dict[str, Any]] = {}
    for record in records:
        for run in _runs(record.value):
            known = runs.setdefault(str(run.get("id")), {})
            known |= {key: value for key, value in run.items() if value not in (None, {}, [])}
    traces: dict[str, list[dict[str, Any]]] = {}
    for run in runs.values():
        traces.setdefault(str(run.get("trace_id") or run.get("id")), []).append(run)
    found: list[Found] = [
        (f"{name}, {identity}"[:300], {"id": identity, "runs": group})
        for identity, group in traces.items()
    ]
    return read_found(data, found, name=name, read_call=_read_call, findings=findings)


def _runs(value: object) -> list[Mapping[str, Any]]:
    listed = value if isinstance(value, list) else [value]
    for key in ("post", "patch"):
        more = at_path(value, key)
        listed = [*listed, *more] if isinstance(more, list) else listed
    return [one for one in listed if isinstance(one, Mapping) and "id" in one]


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    draft = Draft(found, frozenset(_SPEAKERS))
    runs = sorted(at_path(value, "runs"), key=lambda run: str(run.get("dotted_order")))
    models = [run for run in runs if run.get("run_type") == "llm"]
    steps = [
        Step(
            acts_in(run.get("inputs"), "user", found),
            acts_in(run.get("outputs"), "assistant", found),
        )
        for run in models or runs[:1]
    ]
    if not any((*step.inputs, *step.outputs) for step in steps):
        text = "The runs hold no words that are read. Export them with inputs and outputs."
        found.refuse("no_content_captured", "", text)
    tell(steps, {}, draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _step(run: Mapping[str, Any], found: CallFindings) -> Step:
    inputs = acts_in(run.get("inputs"), "user", found)
    return Step(inputs, acts_in(run.get("outputs"), "assistant", found))
