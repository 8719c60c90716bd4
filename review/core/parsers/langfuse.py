"""Reader of Langfuse traces (a trace with its observations).

Generations are told in the order of their starts, each repeating the story so far; one inside of
another is the same step again. Where no generation holds words, the trace's own input and output
do. Times are of machines, not of speech, and are not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.histories import Step, tell
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    objects_in,
    read_json_calls,
)
from review.core.transcript.moments import moment_of
from review.core.transcript.trace_messages import acts_in

NAME = "langfuse"
TITLE = "Langfuse"

_SPEAKERS = ("user", "assistant")
# A trace is a tree of a few levels; one that goes in circles must end as well.
_DEEPEST = 100


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    is_pair = isinstance(at_path(head, "trace"), Mapping) and _observations(head) is not None
    first = at_path(head, "observations", 0)
    return is_pair or (isinstance(first, Mapping) and {"type", "traceId"} <= first.keys())


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every trace of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _observations(value: object) -> object:
    listed = at_path(value, "observations")
    return at_path(value, "trace", "observations") if listed is None else listed


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    trace = at_path(value, "trace") or value
    found, identity = origin.begin(at_path(trace, "id"))
    raw = object_of(trace, found)
    draft = Draft(found, frozenset(_SPEAKERS))
    listed = objects_in({"observations": _observations(value)}, "observations", found=found)
    steps = _steps(listed, found)
    if not any((*step.inputs, *step.outputs) for step in steps):
        steps = [_step(raw, found)]
    if not any((*step.inputs, *step.outputs) for step in steps):
        text = "The trace holds no words that are read. Export it with inputs and outputs."
        found.refuse("no_content_captured", "", text)
    tell(steps, {}, draft)
    title = raw.get("name")
    about = About(
        source=origin.source(NAME, identity), title=title if isinstance(title, str) else None
    )
    return draft.finish(about), found


def _steps(observations: list[Mapping[str, Any]], found: CallFindings) -> list[Step]:
    generations = [one for one in observations if str(one.get("type")).upper() == "GENERATION"]
    parents = {str(one.get("id")): str(one.get("parentObservationId")) for one in observations}
    told: set[str] = set()
    steps = []
    for one in sorted(generations, key=_start):
        if _is_inside(one, parents, told):
            continue
        step = _step(one, found)
        if step.inputs:
            told.add(str(one.get("id")))
        steps.append(step)
    return steps


def _step(one: Mapping[str, Any], found: CallFindings) -> Step:
    inputs = acts_in(one.get("input"), "user", found)
    return Step(inputs, acts_in(one.get("output"), "assistant", found))


def _is_inside(one: Mapping[str, Any], parents: Mapping[str, str], told: set[str]) -> bool:
    place = parents.get(str(one.get("id")))
    for _ in range(_DEEPEST):
        if place is None:
            return False
        if place in told:
            return True
        place = parents.get(place)
    return False


def _start(one: Mapping[str, Any]) -> Decimal:
    moment = moment_of(one.get("startTime"))
    return Decimal(0) if moment is None else moment.seconds
