"""Reader of OpenTelemetry traces of language models (OTLP JSON, GenAI conventions), and of lists of
messages with ``parts``.

Spans of one conversation, else of one trace, are one call, in the order of their starts. Content is
opt-in: spans without it are refused with that reason. Speech has no times here: a span says how
long a machine worked, not when somebody spoke.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
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
from review.core.transcript.moments import number_of
from review.core.transcript.records import read_records
from review.core.transcript.trace_messages import acts_in

NAME = "otel-genai"
TITLE = "OpenTelemetry GenAI"

_SPEAKERS = ("user", "assistant")
_WRAPPERS = ("invoke_agent", "create_agent")
_ID = "gen_ai.conversation.id"
_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and (recognise(head[0]) or _is_message(head[0]))
    return isinstance(at_path(head, "resourceSpans"), list)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every conversation of a file, over all its lines. Never raises."""
    records, findings = read or read_records(data, name=name)
    spans: dict[str, list[Mapping[str, Any]]] = {}
    every = [span for record in records for span in _spans(record.value)]
    named = {str(one["traceId"]): one["attributes"][_ID] for one in every if _has_id(one)}
    for span in every:
        # The span of a tool names its trace only, and the trace its conversation.
        trace = str(span["traceId"])
        identity = span["attributes"][_ID] if _has_id(span) else named.get(trace, trace)
        spans.setdefault(identity, []).append(span)
    found: list[Found] = [
        (f"{name}, {identity}"[:300], {"id": identity, "spans": _ordered(group)})
        for identity, group in spans.items()
    ]
    lists = [one for one in records if _is_message(at_path(one.value, 0))]
    found += [(one.where, {"id": None, "messages": one.value}) for one in lists]
    return read_found(data, found, name=name, read_call=_read_call, findings=findings)


def _ordered(spans: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return spans in the order of their starts (texts of nanoseconds)."""
    return sorted(spans, key=lambda one: number_of(one.get("startTimeUnixNano")) or Decimal(0))


def _is_message(value: object) -> bool:
    return isinstance(at_path(value, "parts"), list) and isinstance(at_path(value, "role"), str)


def _spans(value: object) -> Iterator[Mapping[str, Any]]:
    for resource in _objects(at_path(value, "resourceSpans")):
        for scope in _objects(resource.get("scopeSpans")):
            for span in _objects(scope.get("spans")):
                attributes = _attributes(span.get("attributes"))
                for event in _objects(span.get("events")):
                    attributes |= _attributes(event.get("attributes"))
                kept = ("traceId", "startTimeUnixNano", "name")
                yield {**{key: span.get(key) for key in kept}, "attributes": attributes}


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _attributes(value: object) -> dict[str, object]:
    return {str(one.get("key")): _value(one.get("value")) for one in _objects(value)}


def _value(value: object) -> object:
    """Return an attribute's value without the envelope of its type."""
    if not isinstance(value, Mapping):
        return value
    if "arrayValue" in value:
        return [_value(one) for one in _objects(at_path(value, "arrayValue", "values"))]
    if "kvlistValue" in value:
        return _attributes(at_path(value, "kvlistValue", "values"))
    return next(iter(value.values()), None)


def _has_id(span: Mapping[str, Any]) -> bool:
    return isinstance(span["attributes"].get(_ID), str)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "id"))
    draft = Draft(found, frozenset(_SPEAKERS))
    listed = at_path(value, "messages")
    spans = at_path(value, "spans") or []
    steps = (
        [Step(acts_in(listed, "user", found), [])] if listed is not None else _steps(spans, found)
    )
    if not any((*step.inputs, *step.outputs) for step in steps):
        text = (
            "The spans hold no content: capturing it is switched off where they come from. Switch "
            "on the capture of message content and export again."
        )
        found.refuse("no_content_captured", "", text)
    tell(steps, _answers(spans), draft)
    return draft.finish(About(source=origin.source(NAME, identity))), found


def _steps(spans: list[Mapping[str, Any]], found: CallFindings) -> list[Step]:
    """Return the steps of models; those of agents around them only where there are no others."""
    inner: list[Step] = []
    outer: list[Step] = []
    for span in spans:
        attributes = span["attributes"]
        given = acts_in(attributes.get(_INPUT), "user", found)
        gave = acts_in(attributes.get(_OUTPUT), "assistant", found)
        if given or gave:
            is_outer = attributes.get("gen_ai.operation.name") in _WRAPPERS
            (outer if is_outer else inner).append(Step(given, gave))
    return inner or outer


def _answers(spans: list[Mapping[str, Any]]) -> dict[str, object]:
    answers: dict[str, object] = {}
    for span in spans:
        tie = span["attributes"].get("gen_ai.tool.call.id")
        result = span["attributes"].get("gen_ai.tool.call.result")
        if isinstance(tie, str) and result is not None:
            answers[tie.strip()] = result
    return answers
