"""OpenAI-style messages: the order of turns, tool calls and their results, what is left out."""

import json
from typing import Any

import pytest

from review.core.parsers import openai_messages, parse_calls
from tests.unit.review.parsers.call_files import codes, read_messages, written

USER: dict[str, Any] = {"role": "user", "content": "Hi."}
ALWAYS = ["no_times", "end_assumed"]


def a_tool_call(call_id: str = "a", name: str = "find", arguments: object = "{}") -> dict[str, Any]:
    """Return one entry of tool_calls as JSON."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*tool_calls: object, content: object = None) -> dict[str, Any]:
    """Return an assistant message that calls tools."""
    return {"role": "assistant", "content": content, "tool_calls": list(tool_calls)}


def a_result(call_id: str | None = "a", content: object = "done", **more: object) -> dict[str, Any]:
    """Return a tool message."""
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def extra(seen: list[str]) -> list[str]:
    """Return the codes beyond those every conversation gives."""
    return [code for code in seen if code not in ALWAYS]


def test_utterance_first_then_the_call_then_the_result() -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        USER,
        calling(a_tool_call(arguments='{"id": "7"}'), content="One moment."),
        a_result(content='{"ok": true}'),
        {"role": "assistant", "content": "Done."},
    ]
    call, seen = read_messages(messages)
    assert [(t.number, t.speaker, t.kind.value, t.text) for t in call.turns] == [
        (1, "user", "speech", "Hi."),
        (2, "assistant", "speech", "One moment."),
        (3, "assistant", "tool_call", '{"id": "7"}'),
        (4, "tool", "tool_result", '{"ok": true}'),
        (5, "assistant", "speech", "Done."),
    ]
    (event,) = call.events
    assert (event.name, event.args, event.turn, event.result_turn) == ("find", {"id": "7"}, 3, 4)
    assert (event.ok, event.result, event.call_id) == (True, {"ok": True}, "a")
    assert extra(seen) == ["system_message_dropped"]
    assert call.ended is True


def test_parallel_calls_answered_in_another_order() -> None:
    messages = [
        USER,
        calling(a_tool_call("a", "x"), a_tool_call("b", "y")),
        a_result("b"),
        a_result("a"),
    ]
    call, seen = read_messages(messages)
    assert [(e.name, e.turn, e.result_turn) for e in call.events] == [("x", 2, 5), ("y", 3, 4)]
    assert extra(seen) == []


def test_an_id_used_again_belongs_to_the_latest_open_call() -> None:
    messages = [USER, calling(a_tool_call()), a_result(), calling(a_tool_call()), a_result()]
    call, seen = read_messages(messages)
    assert [(e.turn, e.result_turn) for e in call.events] == [(2, 3), (4, 5)]
    assert extra(seen) == ["duplicate_id"]


@pytest.mark.parametrize(
    ("messages", "found", "ok"),
    [
        ([calling(a_tool_call())], ["call_without_result"], None),
        (
            [calling(a_tool_call()), a_result("z")],
            ["orphan_tool_result", "call_without_result"],
            None,
        ),
        ([a_result(), calling(a_tool_call())], ["result_before_call"], True),
        ([calling(a_tool_call(arguments="{oops")), a_result()], ["unparsable_arguments"], True),
        ([calling(a_tool_call(arguments="[1]")), a_result()], ["unparsable_arguments"], True),
        ([calling(a_tool_call(arguments={"id": 7})), a_result()], [], True),
        ([calling(a_tool_call(arguments=None)), a_result()], [], True),
        ([calling({"id": "a", "name": "find", "arguments": {}}), a_result()], [], True),
        ([calling(a_tool_call(name="")), a_result()], ["call_without_name"], True),
        ([calling(a_tool_call()), a_result(content="Error: no user")], [], False),
        ([calling(a_tool_call()), a_result(content='{"error": "no user"}')], [], False),
        ([calling(a_tool_call()), a_result(content="gone", is_error=True)], [], False),
        ([calling(a_tool_call()), a_result(content="")], [], True),
        ([calling(a_tool_call()), a_result(content="{not json")], [], True),
        ([calling(a_tool_call()), a_result(content="[" * 60)], [], True),
        ([calling(a_tool_call()), a_result(content='{"a": "\\u0000"}')], [], True),
        (
            [calling(a_tool_call()), a_result(content=[{"type": "text", "text": "Error"}])],
            [],
            False,
        ),
    ],
)
def test_tool_calls_and_results(messages: list[Any], found: list[str], ok: bool | None) -> None:
    call, seen = read_messages([USER, *messages])
    assert extra(seen) == found
    assert call.events[0].ok is ok


def test_legacy_function_calls_are_paired_in_sequence() -> None:
    messages = [
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "x", "arguments": "{}"}},
        {"role": "function", "name": "x", "content": "Error"},
        {"role": "assistant", "content": None, "function_call": {"name": "y", "arguments": "{}"}},
        {"role": "function", "name": "y", "content": "12.0"},
    ]
    call, seen = read_messages(messages)
    assert [(e.name, e.result_turn, e.ok) for e in call.events] == [("x", 3, False), ("y", 5, True)]
    assert call.events[1].result == "12.0"
    assert extra(seen) == []


def test_items_of_the_responses_kind() -> None:
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi."}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "a", "name": "find", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "ok"},
    ]
    call, seen = read_messages(items)
    assert [(e.turn, e.result_turn) for e in call.events] == [(2, 3)]
    assert extra(seen) == ["hidden_reasoning_dropped"]


@pytest.mark.parametrize(
    ("message", "text", "found"),
    [
        ({"role": "user", "content": [{"type": "text", "text": "A"}, "B"]}, "A\nB", []),
        (
            {"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "A"}]},
            "A",
            ["non_text_part"],
        ),
        ({"role": "user", "content": [7]}, "", ["non_text_part", "empty_turn"]),
        (
            {"role": "user", "content": [{"type": "thinking"}, "A"]},
            "A",
            ["hidden_reasoning_dropped"],
        ),
        (
            {"role": "assistant", "content": "A", "reasoning_content": "hm"},
            "A",
            ["hidden_reasoning_dropped"],
        ),
        ({"role": "assistant", "content": "", "refusal": "I cannot."}, "I cannot.", []),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}, "No.", []),
        ({"role": "user", "content": "Bye. ###STOP###"}, "Bye. ###STOP###", ["control_token"]),
        ({"role": "user", "content": None}, "", ["empty_turn"]),
        ({"role": "critic", "content": "A"}, "A", ["missing_speaker"]),
        ({"role": None, "content": "A"}, "A", ["missing_speaker"]),
        ({"role": "user", "content": "<script>a</script>\r\n"}, "<script>a</script>\n", []),
    ],
)
def test_the_words_of_a_message(message: dict[str, Any], text: str, found: list[str]) -> None:
    call, seen = read_messages([USER, message])
    assert call.turns[1].text == text
    assert extra(seen) == found
    assert (call.turns[1].role is None) == ("missing_speaker" in found)


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ([USER], ["chat"]),
        ({"messages": [USER]}, ["chat"]),
        ({"id": "m7", "messages": [USER]}, ["m7"]),
        ([{"messages": [USER]}, {"messages": [USER]}], ["chat-1", "chat-2"]),
        ([{"task_id": 3, "trial": 1, "traj": [USER], "reward": 1.0}], ["task-3-trial-1"]),
        ({"messages_display": "\nuser: Hi"}, ["chat"]),
    ],
)
def test_shapes(value: object, ids: list[str]) -> None:
    result = parse_calls(written(value), name="folder/chat.json")
    assert result.format == "openai-messages"
    assert [call.id for call in result.calls] == ids


@pytest.mark.parametrize(
    ("lines", "ids", "turns"),
    [
        ([USER, {"role": "assistant", "content": "Yes."}], ["chat"], [2]),
        ([{"messages": [USER]}, {"messages": [USER, USER]}], ["chat-1", "chat-2"], [1, 2]),
    ],
)
def test_lines_are_messages_or_calls(lines: list[Any], ids: list[str], turns: list[int]) -> None:
    data = "\n".join(json.dumps(line) for line in lines).encode()
    result = parse_calls(data, name="chat.jsonl")
    assert [call.id for call in result.calls] == ids
    assert [len(call.turns) for call in result.calls] == turns


def test_a_call_whose_messages_are_cut_says_so() -> None:
    data = b"\n".join([written(USER), b'{"role": "user', written(USER)])
    result = parse_calls(data, name="chat.jsonl")
    assert len(result.refused) == 1
    assert "bad_line" in result.calls[0].flags


def test_a_display_has_lost_names_and_arguments() -> None:
    display = "user: Hi,\nthere\nassistant: None\ntool: Error: no\nassistant: Sorry.\ntool: late"
    call, seen = read_messages({"messages_display": f"system: x\n{display}"})
    assert [(t.kind.value, t.text) for t in call.turns] == [
        ("speech", "Hi,\nthere"),
        ("tool_call", ""),
        ("tool_result", "Error: no"),
        ("speech", "Sorry."),
        ("tool_result", "late"),
    ]
    assert [(e.name, e.turn, e.result_turn, e.ok) for e in call.events] == [("", 2, 3, False)]
    assert extra(seen) == ["system_message_dropped", "call_without_name", "orphan_tool_result"]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"messages": "x"}, "missing_speaker"),
        ({"messages": []}, "no_turns"),
        ({"messages": 7}, "no_turns"),
        ({"messages": [{"role": "system", "content": "x"}]}, "no_turns"),
        ({"messages": [7]}, "bad_value"),
        ({"messages": [{"role": "user", "content": 7}]}, "bad_value"),
        ({"messages": [{"role": "assistant", "tool_calls": 7}]}, "bad_value"),
        ({"messages": [calling({"function": 7})]}, "bad_value"),
        ({"messages": [{"role": "user", "content": "\x00"}]}, "nul_character"),
        ({"messages": [USER] * 20_001}, "too_many_turns"),
        ([], "no_calls"),
        (7, "no_turns"),
    ],
)
def test_what_is_no_conversation_is_reported(value: object, code: str) -> None:
    _, findings = openai_messages.parse(written(value), name="chat.json")
    assert codes(findings)[0] == code


def test_tool_calls_in_content_blocks_are_another_format() -> None:
    blocks = [{"type": "tool_use", "id": "a", "name": "find", "input": {}}]
    messages = [USER, {"role": "assistant", "content": blocks}]
    for value in (messages, {"messages": messages}):
        assert parse_calls(written(value), name="chat.json").format == "anthropic-messages"
