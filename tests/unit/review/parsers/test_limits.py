"""Every limit and every trap of files: a refusal with name and place, and the rest is read."""

import json

import pytest

from review.core.parsers import parse_calls
from review.core.transcript import decoding
from tests.unit.review.parsers.call_files import a_call, a_turn, codes, written

GOOD = written(a_call())


def refusal(data: bytes, name: str = "x.json") -> tuple[str, str, str]:
    """Return code, place and sentence of the one refusal a file must give."""
    result = parse_calls(data, name=name, format="oip-call/1")
    assert result.calls == ()
    ((where, finding),) = result.refused
    return finding.code, where, finding.text


def test_a_file_of_25_mb_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_MARKS", None)  # decoding at all would raise
    code, where, text = refusal(b" " * 25 * 1024 * 1024, "big.json")
    assert (code, where) == ("file_too_large", "big.json")
    assert "20 MB" in text


def test_a_file_of_20_mb_is_read() -> None:
    padding = b" " * (20 * 1024 * 1024 - len(GOOD))
    assert len(parse_calls(GOOD + padding, name="x.json").calls) == 1


@pytest.mark.parametrize(
    ("data", "code", "where"),
    [
        (GOOD.replace(b"true", b"NaN"), "invalid_json_nan", "x.json"),
        (GOOD.replace(b"true", b"-Infinity"), "invalid_json_nan", "x.json"),
        (GOOD.replace(b"true", b"1e999"), "bad_number", "x.json"),
        (GOOD.replace(b"true", b"1e99999999999999999999"), "bad_number", "x.json"),
        (GOOD.replace(b"true", b"9" * 5000), "bad_number", "x.json"),
        (b"[" * 51 + b"]" * 51, "too_deep", "x.json"),
        (b"[" * 1_000_000, "too_deep", "x.json"),
        (b'{"a":' * 100_000, "too_deep", "x.json"),
        (b'"' + b'\\"' * 200_000, "bad_json", "x.json"),
        (b"[" + b"{}," * 1_000_000 + b"{}]", "too_many_values", "x.json"),
        (b"", "bad_json", "x.json"),
        (b"not json", "bad_json", "x.json"),
        (b'{"id": "c1",}', "bad_json", "x.json"),
        (GOOD[:-1], "bad_json", "x.json"),
        (GOOD + GOOD, "bad_json", "x.json"),
        (b"\xff\xfe{", "not_text", "x.json"),
        (b"\xef\xbb\xbf\xff", "not_text", "x.json"),
        (b'{"a": "\x81"}', "not_text", "x.json"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data: bytes, code: str, where: str) -> None:
    seen = refusal(data)
    assert seen[:2] == (code, where)
    assert seen[2].endswith(".")


def test_brackets_inside_texts_do_not_count_as_nesting() -> None:
    data = written(a_call(turns=[a_turn(text='[{"' * 1000)]))
    assert len(parse_calls(data, name="x.json").calls) == 1


def test_nesting_of_50_is_read() -> None:
    deep: object = "end"
    for _ in range(45):
        deep = [deep]
    event = {"source": "ui", "name": "x", "turn": 1, "args": {"deep": deep}}
    assert len(parse_calls(written(a_call(events=[event])), name="x.json").calls) == 1


@pytest.mark.parametrize(
    ("raw", "code", "where"),
    [
        (a_call(turns=[a_turn(text="a\ud83d")]), "lone_surrogate", "x.json, turns[0].text"),
        (a_call(turns=[a_turn(text="a\x00b")]), "nul_character", "x.json, turns[0].text"),
        (a_call(call={"no\x00te": 1}), "nul_character", "x.json, call.no\ufffdte"),
        (a_call(turns=[a_turn(text="a" * 200_001)]), "turn_too_long", "x.json, c1, turn 1"),
        (a_call(turns=[a_turn(k) for k in range(20_001)]), "too_many_turns", "x.json, c1, turns"),
    ],
)
def test_what_cannot_be_stored_refuses_that_call_only(raw: object, code: str, where: str) -> None:
    assert refusal(written(raw))[:2] == (code, where)
    result = parse_calls(written([a_call(id="good"), raw]), name="x.json")
    assert [call.id for call in result.calls] == ["good"]
    assert [finding.code for _, finding in result.refused] == [code]


@pytest.mark.parametrize("form", ["oip-call/1", "meditod", "openai-messages"])
@pytest.mark.parametrize("data", [b"{}\n" * 50_001, b"[" + b"7," * 50_000 + b"7]"])
def test_more_calls_than_anybody_sends_are_refused_at_once(data: bytes, form: str) -> None:
    result = parse_calls(data, name="x.json", format=form)
    assert codes(result.findings) == ["too_many_calls"]


def test_the_largest_call_is_read() -> None:
    turns = [a_turn(k, t0=k, t1=k + 0.5) for k in range(20_000)]
    turns[7]["text"] = "a" * 200_000
    (call,) = parse_calls(written(a_call(turns=turns)), name="x.json").calls
    assert len(call.turns) == 20_000


def test_a_whole_surrogate_pair_is_one_character() -> None:
    data = written(a_call(turns=[a_turn(text="\U0001f600")]))
    assert b"\\ud83d\\ude00" in data
    (call,) = parse_calls(data, name="x.json").calls
    assert len(call.turns[0].text) == 1


@pytest.mark.parametrize(
    ("charset", "mark", "found"),
    [
        ("utf-8", "", []),
        ("utf-8", "\ufeff", ["bom"]),
        ("utf-16-le", "\ufeff", ["bom"]),
        ("utf-16-be", "\ufeff", ["bom"]),
        ("utf-32-le", "\ufeff", ["bom"]),
        ("cp1252", "", ["encoding_guessed"]),
    ],
)
def test_character_sets(charset: str, mark: str, found: list[str]) -> None:
    text = mark + json.dumps(a_call(turns=[a_turn(text="Café \u2013 5 €")]), ensure_ascii=False)
    result = parse_calls(text.encode(charset), name="x.json")
    assert result.calls[0].turns[0].text == "Café \u2013 5 €"
    assert codes(result.findings) == found


def test_doubled_keys_are_reported_and_the_last_counts() -> None:
    data = GOOD.replace(b'"id": "c1"', b'"id": "c0", "id": "c1"')
    result = parse_calls(data, name="x.json")
    assert result.calls[0].id == "c1"
    assert codes(result.findings) == ["duplicate_key"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (b'{"id": ', "bad_line"),
        (b'"only a text"', "bad_line"),
        (GOOD.replace(b"true", b"NaN"), "invalid_json_nan"),
        (b"[" * 60, "too_deep"),
    ],
)
def test_a_bad_line_stops_no_other(bad: bytes, code: str) -> None:
    data = b"\n".join([GOOD, bad, b"", written(a_call(id="c4"))])
    result = parse_calls(data, name="x.jsonl")
    assert [call.id for call in result.calls] == ["c1", "c4"]
    ((where, finding),) = result.refused
    assert (finding.code, where, finding.line) == (code, "x.jsonl, line 2", 2)


def test_crlf_between_lines_is_no_trouble() -> None:
    data = b"\xef\xbb\xbf" + GOOD + b"\r\n" + written(a_call(id="c2")) + b"\r\n"
    assert [call.id for call in parse_calls(data, name="x.jsonl").calls] == ["c1", "c2"]
