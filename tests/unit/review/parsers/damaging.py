"""A small file of every JSON format, and what damage does to one: any value may stand anywhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from review.core.parsers import FORMATS, Head, parse_calls
from tests.unit.review.parsers.call_files import a_call
from tests.unit.review.parsers.test_registry import check_call
from tests.unit.review.parsers.test_traces import (
    ANSWER,
    CALL,
    RESULT,
    USER,
    langfuse,
    langsmith,
    otel,
    user_said,
)
from tests.unit.review.parsers.test_vcon import RICH, a_dialog, a_vcon
from tests.unit.review.parsers.test_vendor_traps import TRAPS

STEPS = (([USER], CALL), ([USER, CALL, RESULT], ANSWER))
LOG = {"kind": "tool_event", "phase": "call", "tool": "x", "call_id": "a", "arguments": {}}
OWN = {"format": "oip-call/1", "id": "c", "turns": [{"n": 1, "dialog": 0, "speaker": "a"}]}
ENTRY = {"start_timestamp_usec": 1675230581000000, "text": "Hi.", "role": "AGENT"}
ANNOTATIONS = [
    {"name": "api_call", "value": "x", "context": "api_call_0"},
    {"name": "response", "value": "{}", "context": "api_response_0"},
]
MORE: list[tuple[str, object]] = [
    ("oip-call/1", RICH),
    ("oip-call/1", {"calls": [a_call()]}),
    *((way[1], way[0]) for way in (langfuse(*STEPS), langsmith(*STEPS), otel(*STEPS))),
    ("langfuse", langfuse(({"args": ["Hi."]}, {"candidates": [{"content": {"parts": []}}]}))[0]),
    ("langfuse", langfuse(([{"id": ["H"], "kwargs": {"content": "Hi."}}], {"choices": [{}]}))[0]),
    ("openai-messages", [USER, CALL, RESULT, ANSWER]),
    ("anthropic-events", [user_said("Hi."), {"type": "agent.tool_use", "id": "a", "name": "x"}]),
    ("anthropic-events", ["client.beta.sessions.events.send", ["s", {"events": [user_said("A")]}]]),
    ("pipecat", [{"role": "user", "content": "Hi.", "timestamp": "2026-03-09T14:05:00Z"}]),
    ("aws-call-analytics", {"Transcript": [{"BeginOffsetMillis": 1, "Content": "Hi."}]}),
    (
        "aws-healthscribe",
        {"Conversation": {"TranscriptSegments": [{"Content": "Hi.", "BeginAudioTime": 1}]}},
    ),
    ("google-insights", {"entries": [ENTRY]}),
    (
        "taskmaster",
        {
            "conversation_id": "d",
            "utterances": [{"index": 0, "speaker": "user", "text": "", "annotations": ANNOTATIONS}],
        },
    ),
    ("meditod", {"d": {"utterances": [{"uttr_id": 0, "speaker": "doctor", "text": "Hi."}]}}),
    (
        "vcon",
        a_vcon(
            a_dialog(start="2026-03-09T14:05:00Z", duration=1, mediatype="multipart/mixed"),
            a_dialog(encoding="base64url"),
            attachments=[{"start": "2026-03-09T14:05:00Z", "body": json.dumps(LOG)}],
        ),
    ),
    ("vcon", a_vcon(a_dialog(), attachments=[{"type": "oip-call/1", "body": OWN}])),
    (
        "vcon",
        a_vcon(analysis=[{"type": "transcript", "body": [{"speaker": "A", "message": "Hi."}]}]),
    ),
]
#: Small files by the format each is of.
SAMPLES: list[tuple[str, object]] = [*((trap.form, trap.raw) for trap in TRAPS), *MORE]
JSON_FORMATS = [name for name, form in FORMATS.items() if form.head is Head.JSON]

ODD: list[Any] = [
    *(None, True, False, 0, -1, 7, 1.5, 10**12, 10**30, -(10**9), 1e-9),
    *("", " ", "Hi.", "1.5", "1e9", "-3", "PT1S", "P", "2026-03-09T14:05:00", "\ud83d", "\x00"),
    *("text", "user", "assistant", "tool", "[", "{}", "[{}]", '"{}"', "text/plain", "base64url"),
    *([], {}, [[]], [None], [{}], {"a": None}, {"type": "text"}, {"role": "user"}, ["a", {}]),
]
#: A place (counted over all of a file's values) and what then stands there; None takes it away.
DAMAGE = st.lists(
    st.tuples(st.integers(0, 200), st.none() | st.sampled_from(ODD)), min_size=1, max_size=3
)


def damaged(raw: object, damage: list[tuple[int, Any]]) -> bytes:
    """Return a file in which other values stand at some places."""
    value: Any = [copy.deepcopy(raw)]
    for number, odd in damage:
        places = list(_places(value))
        holder, key = places[number % len(places)]
        holder[key] = copy.deepcopy(odd)
    return json.dumps(value[0]).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from _places(inner)


def read_damaged(form: str, damage: list[tuple[int, Any]]) -> None:
    """Read each sample of a format, damaged; what comes back keeps the promises of its types."""
    for asked in (form, None):
        for name, raw in SAMPLES:
            if name == form:
                result = parse_calls(damaged(raw, damage), name="x_doctor.json", format=asked)
                assert result.calls or result.refused
                assert all(finding.where and finding.text for finding in result.findings)
                for call in result.calls:
                    check_call(call)
