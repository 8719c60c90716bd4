"""Traces of language models: one story out of many steps, and what each format keeps of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review.core.parsers import parse_calls
from review.core.transcript import Call, TurnKind
from tests.unit.review.parsers.call_files import SHARED, written

USER = {"role": "user", "content": "Hi."}
ANSWER = {"role": "assistant", "content": "Hello."}
CALL = {"role": "assistant", "tool_calls": [{"id": "k", "function": {"name": "find"}}]}
RESULT = {"role": "tool", "tool_call_id": "k", "content": "found"}
MORE = {"role": "user", "content": "And?"}
SAID = [("speech", "Hi."), ("tool_call", ""), ("tool_result", "found"), ("speech", "Hello.")]


def read(raw: object, form: str) -> tuple[Call, set[str]]:
    """Read a file of one call that must not be refused."""
    result = parse_calls(written(raw), name="trace.json")
    assert (result.format, result.refused) == (form, ())
    (call,) = result.calls
    return call, {finding.code for finding in result.findings} - {"no_times", "end_assumed"}


def told(call: Call) -> list[tuple[str, str]]:
    """Return the kinds and words of the turns."""
    return [(turn.kind.value, turn.text) for turn in call.turns]


def generation(k: int, inputs: object, output: object, **more: object) -> dict[str, Any]:
    """Return a generation of Langfuse."""
    start = f"2026-03-09T14:05:{k:02d}Z"
    return {
        "id": f"g{k}",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": start,
        "input": inputs,
        "output": output,
        **more,
    }


def run(k: int, inputs: object, output: object) -> dict[str, Any]:
    """Return a model's run of LangSmith."""
    return {
        "id": f"r{k}",
        "trace_id": "t",
        "run_type": "llm",
        "dotted_order": f"20260309T14050{k}Z",
        "inputs": {"messages": inputs},
        "outputs": {"choices": [{"message": output}]},
    }


def span(k: int, inputs: object, output: object) -> dict[str, Any]:
    """Return a span of a model with its messages as JSON text."""
    texts = {"gen_ai.input.messages": inputs, "gen_ai.output.messages": [output]}
    return {
        "traceId": "t",
        "startTimeUnixNano": f"177306510{k}000000000",
        "attributes": [
            {"key": key, "value": {"stringValue": json.dumps(value)}}
            for key, value in texts.items()
        ],
    }


def langfuse(*steps: tuple[Any, Any]) -> tuple[object, str]:
    """Return a trace of Langfuse, its observations in no order, and its format."""
    listed = [generation(k, given, gave) for k, (given, gave) in enumerate(steps)]
    return {"trace": {"id": "t"}, "observations": listed[::-1]}, "langfuse"


def langsmith(*steps: tuple[Any, Any]) -> tuple[object, str]:
    """Return the bulk file of LangSmith, and its format."""
    runs = [run(k, given, gave) for k, (given, gave) in enumerate(steps)]
    post = [{**one, "outputs": {}} for one in runs]
    patch = [{"id": one["id"], "outputs": one["outputs"], "inputs": {}} for one in runs]
    return {"post": post[::-1], "patch": patch}, "langsmith"


def otel(*steps: tuple[Any, Any]) -> tuple[object, str]:
    """Return spans of OpenTelemetry, and their format."""
    spans = [span(k, given, gave) for k, (given, gave) in enumerate(steps)]
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans[::-1]}]}]}, "otel-genai"


WAYS = [langfuse, langsmith, otel]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize(
    ("steps", "wanted", "found"),
    [
        ([([USER], CALL), ([USER, CALL, RESULT], ANSWER)], SAID, set()),
        ([([USER], CALL), ([RESULT], ANSWER)], SAID, set()),
        ([([USER], ANSWER), ([USER], ANSWER)], [SAID[0], SAID[3]], set()),
        (
            [([USER], ANSWER), ([USER, ANSWER, MORE], ANSWER)],
            [SAID[0], SAID[3], ("speech", "And?"), SAID[3]],
            set(),
        ),
        (
            [([USER], ANSWER), ([MORE], {"role": "assistant", "content": "So."})],
            [SAID[0], SAID[3], ("speech", "And?"), ("speech", "So.")],
            {"history_rewritten"},
        ),
        (
            [([USER], ANSWER), ([ANSWER, MORE], {"role": "assistant", "content": "So."})],
            [SAID[0], SAID[3], ("speech", "And?"), ("speech", "So.")],
            {"history_rewritten"},
        ),
        (
            [([USER], ANSWER), ([MORE], ANSWER)],
            [SAID[0], SAID[3], ("speech", "And?"), SAID[3]],
            {"history_rewritten"},
        ),
    ],
    ids=[
        *("extends", "only the answer", "the same twice", "goes on", "another story"),
        *("a moving window", "the same words again"),
    ],
)
def test_a_story_is_told_once(
    way: Any, steps: list[Any], wanted: list[tuple[str, str]], found: set[str]
) -> None:
    raw, form = way(*steps)
    call, codes = read(raw, form)
    assert (call.id, told(call)) == ("t", wanted)
    assert codes == found


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_trace_without_words_is_refused(way: Any) -> None:
    raw, form = way(([], {}))
    result = parse_calls(written(raw), name="trace.json")
    assert (result.format, [f.code for _, f in result.refused]) == (form, ["no_content_captured"])


@pytest.mark.parametrize(
    ("inputs", "output", "wanted"),
    [
        (json.dumps(json.dumps([USER])), json.dumps(ANSWER), ["Hi.", "Hello."]),
        ({"args": ["Hi."]}, "Hello.", ["Hi.", "Hello."]),
        ("developer: Be kind.\nuser: Hi.\nassistant: None", "Hello.", ["Hi.", "Hello."]),
        (
            {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]},
            {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello."}]}}]},
            ["Hi.", "Hello."],
        ),
        (
            [{"type": "human", "content": "Hi."}],
            {"generations": [[{"text": "Hello."}]]},
            ["Hi.", "Hello."],
        ),
        (
            {"input": [USER]},
            {"output": [{"type": "reasoning"}, {"type": "message", **ANSWER}]},
            ["Hi.", "Hello."],
        ),
        (
            [{"id": ["x", "HumanMessage"], "kwargs": {"content": "Hi."}}],
            {"id": ["x", "AIMessage"], "kwargs": {"content": "Hello."}},
            ["Hi.", "Hello."],
        ),
    ],
    ids=["json twice", "args", "display", "gemini", "langchain", "responses", "constructor"],
)
def test_messages_are_found_in_what_frameworks_leave(
    inputs: object, output: object, wanted: list[str]
) -> None:
    raw, form = langfuse((inputs, output))
    call, _ = read(raw, form)
    assert [(turn.role, turn.text) for turn in call.turns] == list(
        zip(("user", "assistant"), wanted, strict=True)
    )


def test_a_step_inside_of_another_is_the_same_step() -> None:
    outer = generation(0, [USER], ANSWER)
    inner = generation(1, "user: Hi!", "Hello!", parentObservationId="s")
    between = {"id": "s", "traceId": "t", "type": "SPAN", "parentObservationId": "g0"}
    raw = {"trace": {"id": "t"}, "observations": [outer, between, inner]}
    assert told(read(raw, "langfuse")[0]) == [("speech", "Hi."), ("speech", "Hello.")]


def test_an_answer_that_only_its_span_keeps_is_told_behind_the_call() -> None:
    raw, form = otel(([USER], CALL))
    tool = {
        "traceId": "t",
        "startTimeUnixNano": "1773065105000000000",
        "attributes": [
            {"key": "gen_ai.tool.call.id", "value": {"stringValue": "k"}},
            {"key": "gen_ai.tool.call.result", "value": {"stringValue": "found"}},
        ],
    }
    assert isinstance(raw, dict)
    raw["resourceSpans"][0]["scopeSpans"][0]["spans"].append(tool)
    call, _ = read(raw, form)
    assert told(call) == SAID[:3]
    assert (call.events[0].name, call.events[0].result, call.events[0].ok) == (
        "find",
        "found",
        True,
    )


FOLDER = SHARED / "data" / "llm-traces"
#: The observation whose own reading holds the whole conversation.
BEARING = {
    "csharp-agent-with-gemini-2026-03-09": "",
    "google-gemini-2025-08-01": "",
    "langgraph-js-2025-10-30": "0856a1825ccee968",
    "microsoft-agent-2025-12-17": "4cd6caa32861956a",
    "openai-agents-2025-09-30": "",
    "pydantic-ai-with-gemini-2025-12-24": "",
    "vertex-ai-2025-08-01": "",
}


def of_langfuse(name: str, chosen: str) -> list[tuple[str, str]]:
    """Return what Langfuse's own reader makes of the conversation: speech, calls and answers."""
    path = FOLDER / "langfuse" / f"{name}.chatml.json"
    read_by_them: dict[str, Any] = json.loads(path.read_text("utf-8"))
    sizes = {
        key: len(one["input"]["data"]) + len(one["output"]["data"])
        for key, one in read_by_them.items()
        if one.get("input", {}).get("success") and one.get("output", {}).get("success")
    }
    one = read_by_them[chosen or max(sizes, key=lambda key: sizes[key])]
    found: list[tuple[str, str]] = []
    for message in [*one["input"]["data"], *one["output"]["data"]]:
        role, content = message.get("role"), message.get("content")
        if role in ("system", "developer"):
            continue
        if role not in ("user", "assistant", "model"):
            found.append(("tool_result", ""))
        elif content:
            found.append(("speech", content))
        found += [("tool_call", call["name"]) for call in message.get("tool_calls", [])]
    return found


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
@pytest.mark.parametrize(("name", "chosen"), BEARING.items(), ids=lambda item: str(item)[:20])
def test_a_real_trace_is_read_as_langfuse_reads_it(name: str, chosen: str) -> None:
    path = FOLDER / "langfuse" / f"{name}.trace.json"
    (call,) = parse_calls(path.read_bytes(), name=path.name).calls
    names = {event.turn: event.name for event in call.events}
    seen = [
        (turn.kind.value, turn.text if turn.kind is TurnKind.SPEECH else names.get(turn.number, ""))
        for turn in call.turns
    ]
    assert seen == of_langfuse(name, chosen)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
@pytest.mark.parametrize(
    ("name", "turns", "events"),
    [
        ("builtin_tools", ["user", "bash", "result", "agent"], [("bash", True)]),
        ("custom_tools", ["user", "get_weather", "result", "agent"], [("get_weather", True)]),
        (
            "mcp_tools",
            ["user", "web_search_exa", "tool_confirmation", "result", "agent"],
            [("web_search_exa", True), ("tool_confirmation", True)],
        ),
    ],
)
def test_events_of_agents_are_read_once_with_the_yes_of_a_person(
    name: str, turns: list[str], events: list[tuple[str, bool]]
) -> None:
    path = FOLDER / "langsmith" / f"anthropic_managed_{name}.jsonl"
    (call,) = parse_calls(path.read_bytes(), name=path.name).calls
    named = {event.turn: event.name for event in call.events}
    assert [
        "result" if t.kind is TurnKind.TOOL_RESULT else named.get(t.number, t.speaker)
        for t in call.turns
    ] == turns
    assert [(event.name, event.ok) for event in call.events] == events
    assert call.id.startswith("sesn_")


def test_events_of_agents_that_never_came_back_stay() -> None:
    lines = [
        ["client.beta.sessions.events.send", ["s1", {"events": [user_said("Hi.")]}]],
        ["client.beta.sessions.events.stream", {**user_said("Hi."), "id": "a"}],
        ["client.beta.sessions.events.stream", {**user_said("Hi."), "id": "a"}],
        ["client.beta.sessions.events.send", ["s1", {"events": [user_said("Lost.")]}]],
    ]
    data = "\n".join(json.dumps(line) for line in lines).encode()
    (call,) = parse_calls(data, name="x.jsonl").calls
    assert [turn.text for turn in call.turns] == ["Hi.", "Lost."]


def user_said(text: str) -> dict[str, Any]:
    """Return an event of the user."""
    return {"type": "user.message", "content": [{"type": "text", "text": text}]}
