"""The registry: recognised by content, overruled by the user, and nothing a file holds makes it
raise.
"""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogs.core.findings import Severity
from review.core.parsers import FORMATS, detect, parse_calls
from review.core.transcript import Call
from tests.unit.review.parsers.call_files import a_call, a_turn, written

USER = {"role": "user", "content": "Hi."}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (a_call(), "oip-call/1"),
        ([a_call()], "oip-call/1"),
        ({"calls": [a_call()]}, "oip-call/1"),
        ({"format": "oip-calls/1", "calls": []}, "oip-call/1"),
        ([USER], "openai-messages"),
        ({"d": {"utterances": [{"uttr_id": 0}]}}, "meditod"),
        ({"hello": 1}, None),
        ([], None),
        ("oip-call/1", None),
        (None, None),
    ],
)
def test_json_is_recognised_by_its_content(value: object, expected: str | None) -> None:
    assert detect(written(value), "any.txt") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WEBVTT\n\n", "webvtt"),
        ("\ufeffWEBVTT\n\nDoctor: x", "webvtt"),
        ("WEBVTTS\n\n", None),
        ("1\n00:00:01,000 --> 00:00:02,000\nDoctor: hi\n", "srt"),
        ("\r\n7\r\n0:00:01.0 --> 0:00:02.0\r\nhi\r\n", "srt"),
        ("speaker,text\nDoctor,hi\n", "csv"),
        ("speaker\ttext\nDoctor\thi\n", "csv"),
        ("ID;dialogue\n1;Doctor: hi\n", "csv"),
        ("text\nhello\n", None),
        ("Doctor: hi\nPatient: hello\n", "plain-text"),
        ("[doctor] hi\n[patient] hello\n", "plain-text"),
        ("Doctor: hi\n", "plain-text"),
        ("Ann: hi\nBob: ho\nAnn: hi\nBob: ho\n", "plain-text"),
        ("Ann: hi\nBob: ho\n", None),
        ('{"Doctor: x\nDoctor: y', None),
        ("# Title\n\nA text about a doctor.\n", None),
    ],
)
def test_text_is_recognised_by_its_content(text: str, expected: str | None) -> None:
    assert detect(text.encode(), "any.bin") == expected


def test_the_user_can_overrule() -> None:
    result = parse_calls(written(a_call()), name="x.json", format="meditod")
    assert result.format == "meditod"
    assert result.calls == ()
    assert result.refused


@pytest.mark.parametrize(
    ("data", "asked", "code"),
    [
        (b'{"hello": 1}', None, "unknown_format"),
        (b"hello", None, "unknown_format"),
        (b'{"hello": ', None, "bad_json"),
        (b"PK\x03\x04 no zip", None, "unknown_format"),
        (written(a_call()), "no-such", "unknown_format"),
    ],
)
def test_no_format_is_a_refusal(data: bytes, asked: str | None, code: str) -> None:
    result = parse_calls(data, name="x.json", format=asked)
    assert result.format is None
    assert [finding.code for _, finding in result.refused] == [code]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = """
    format id call speakers participants turns events ended source n speaker kind t0 t1 text turn t
    name args result ok call_id result_turn messages traj role content tool_calls function
    function_call arguments tool_call_id utterances uttr_id type messages_display calls task_id
    trial external_ids names refusal role_from date
""".split()  # noqa: SIM905 - a list of words is read as words
WORDS = [
    *("oip-call/1", "oip-calls/1", "speech", "tool_call", "tool_result", "tool", "ui", "c1"),
    *("user", "assistant", "system", "function", "function_call", "function_call_output"),
    *("text", "thinking", "doctor", "2026-03-10", "{}", "[", "Error", "\ud83d", "\x00"),
    "user: a\nassistant: None\ntool: b",
]
SHAPED_VALUES = st.recursive(
    st.sampled_from(WORDS)
    | st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.decimals(allow_nan=False, allow_infinity=False).map(float),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=8)
    ),
    max_leaves=15,
)


def check(data: bytes, name: str) -> None:
    """Read bytes as every format; whatever comes back must keep the promises of its types."""
    for asked in (None, *FORMATS):
        result = parse_calls(data, name=name, format=asked)
        assert all(finding.where and finding.text for finding in result.findings)
        assert all(finding.severity is Severity.ERROR for _, finding in result.refused)
        for call in result.calls:
            check_call(call)


def check_call(call: Call) -> None:
    """Check the promises of a call: numbers strictly increase, events stand at turns or times."""
    numbers = [turn.number for turn in call.turns]
    assert numbers == sorted(set(numbers))
    assert numbers
    for event in call.events:
        assert event.turn in numbers or event.at_ms is not None
        assert event.result_turn is None or event.result_turn in numbers
    "".join(turn.text for turn in call.turns).encode()


@given(st.binary(max_size=200), st.sampled_from(["x.json", "x.jsonl", "."]))
@settings(max_examples=100, deadline=None)
def test_no_bytes_make_a_reader_raise(data: bytes, name: str) -> None:
    check(data, name)


@given(JSON_VALUES)
@settings(max_examples=100, deadline=None)
def test_no_json_makes_a_reader_raise(value: Any) -> None:
    check(json.dumps(value).encode(), "x.json")


@given(st.lists(SHAPED_VALUES, min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_no_json_that_looks_like_a_call_makes_a_reader_raise(values: list[Any]) -> None:
    check("\n".join(map(json.dumps, values)).encode(), "x.jsonl")


@given(st.dictionaries(st.sampled_from(KEYS), SHAPED_VALUES, max_size=4), SHAPED_VALUES)
@settings(max_examples=100, deadline=None)
def test_no_change_to_a_good_call_makes_a_reader_raise(changes: dict[str, Any], turn: Any) -> None:
    odd = {**a_turn(2), **turn} if isinstance(turn, dict) else turn
    check(json.dumps(a_call(turns=[a_turn(1), odd])).encode(), "x.json")
    check(json.dumps(a_call(**changes)).encode(), "x.json")
    check(json.dumps([USER, {**USER, **changes}]).encode(), "x.json")
