"""oip-call/1: what is kept, what is reported, what refuses a call."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from review.core.parsers import oip_call
from review.core.transcript import EventSource, ListItem, TurnKind
from tests.unit.review.parsers.call_files import (
    SHIPPED,
    a_call,
    a_turn,
    codes,
    read_one,
    refused_code,
    written,
)


@pytest.mark.parametrize(
    ("file", "turns", "first", "events"),
    [
        ("case_a_respiratory.json", 34, 0, 1),
        ("case_b_call.json", 110, 1, 32),
        ("case_micro.json", 4, 1, 1),
    ],
)
def test_a_shipped_case_is_read_whole(file: str, turns: int, first: int, events: int) -> None:
    calls, findings = oip_call.parse((SHIPPED / file).read_bytes(), name=file)
    (call,) = calls
    assert len(call.turns) == turns
    assert call.turns[0].number == first
    assert len(call.events) == events
    assert codes(findings) == ["end_assumed"]
    assert all(turn.role for turn in call.turns)


def test_the_benefits_case_keeps_its_attributes() -> None:
    path = SHIPPED / "case_b_call.json"
    (call,), _ = oip_call.parse(path.read_bytes(), name=path.name)
    assert call.date == date(2026, 3, 10)
    assert call.language == "en-US"
    assert call.attributes["medications"] == (
        ListItem("fictorol", ("Fictorol",)),
        ListItem("imaginumab", ("Imaginumab",)),
    )
    assert call.turns[0].kind is TurnKind.IVR
    assert call.turns[20].kind is TurnKind.HOLD


@pytest.mark.parametrize(
    ("raw", "ended", "found"),
    [
        ({"ended": True}, True, []),
        ({"ended": False}, False, []),
        ({"ended": None}, None, []),
        ({"ended": "yes"}, None, ["bad_value"]),
    ],
)
def test_ended_is_what_the_file_says(
    raw: dict[str, Any], ended: bool | None, found: list[str]
) -> None:
    call, seen = read_one(a_call(**raw))
    assert call.ended is ended
    assert seen == found


def test_a_file_without_ended_counts_as_ended() -> None:
    raw = a_call()
    del raw["ended"]
    call, seen = read_one(raw)
    assert call.ended is True
    assert seen == ["end_assumed"]
    assert call.flags == ("end_assumed",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1", 100),
        ("0.30000000000000004", 300),
        ("1.005", 1005),
        ("4.0", 4000),
        ("12", 12000),
        ("0.0005", 0),
        ("0.0015", 2),
        ("0", 0),
        ("1e1", 10000),
        ("1257.1", 1257100),
        ("null", None),
    ],
)
def test_times_are_decimals_kept_as_milliseconds(text: str, expected: int | None) -> None:
    data = written(a_call(turns=[a_turn(t0="AT")])).replace(b'"AT"', text.encode())
    (call,), _ = oip_call.parse(data, name="x.json")
    assert call.turns[0].start_ms == expected


@pytest.mark.parametrize(
    ("times", "found"),
    [
        ([(0.6, 2.0), (2.6, 4.0)], []),
        ([(1, 2), (2, 3)], []),
        ([(0.6, 2.0), (1.6, 4.0)], ["overlap"]),
        ([(0.6, 2.0), (0.6, 4.0)], ["equal_timestamps", "overlap"]),
        ([(5, 6), (1, 2)], ["out_of_order", "overlap"]),
        ([(5, 4), (6, 7)], ["negative_duration"]),
        ([(-1, 4), (6, 7)], ["bad_time"]),
        ([(True, 4), (6, 7)], ["bad_time"]),
        ([("1", 4), (6, 7)], ["bad_time"]),
        ([(1, 2), (21_000_000, 21_001_000)], ["unit_mismatch", "unit_mismatch"]),
        ([(None, None), (None, None)], []),
    ],
)
def test_times_that_contradict_the_order_are_reported(
    times: list[tuple[Any, Any]], found: list[str]
) -> None:
    turns = [a_turn(k, t0=t0, t1=t1) for k, (t0, t1) in enumerate(times)]
    call, seen = read_one(a_call(turns=turns))
    assert seen == found
    assert [turn.number for turn in call.turns] == [0, 1]
    assert set(call.flags) == set(found)


def test_a_flag_stands_on_its_turn() -> None:
    turns = [a_turn(0, t0=0, t1=5), a_turn(1, t0=4, t1=6), a_turn(2, " ", t0=6, t1=7)]
    call, _ = read_one(a_call(turns=turns))
    assert [turn.flags for turn in call.turns] == [(), ("overlap",), ("empty_turn",)]


def test_numbers_out_of_order_are_sorted_and_reported() -> None:
    call, seen = read_one(a_call(turns=[a_turn(3), a_turn(1), a_turn(2)]))
    assert [turn.number for turn in call.turns] == [1, 2, 3]
    assert seen == ["out_of_order", "out_of_order"]


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\nb\nc\nd", "a\r\nb\rc\nd"),
        ("&amp; \u00a0 \u202e \U0001f600", "&amp; \u00a0 \u202e \U0001f600"),
        ("=1+1", "=1+1"),
    ],
)
def test_text_is_verbatim_but_for_line_ends(stored: str, text: str) -> None:
    call, _ = read_one(a_call(turns=[a_turn(text=text)]))
    assert call.turns[0].text == stored


def test_text_that_is_not_nfc_stays_and_is_noted() -> None:
    call, seen = read_one(a_call(turns=[a_turn(text="cafe\u0301")]))
    assert call.turns[0].text == "cafe\u0301"
    assert seen == ["not_nfc"]


@pytest.mark.parametrize(
    ("turn", "speaker", "found"),
    [
        ({"speaker": "agent"}, "agent", []),
        ({"speaker": None}, "", ["missing_speaker"]),
        ({"speaker": "somebody"}, "somebody", ["missing_speaker"]),
    ],
)
def test_a_speaker_nobody_declared_has_no_role(
    turn: dict[str, Any], speaker: str, found: list[str]
) -> None:
    call, seen = read_one(a_call(turns=[a_turn(**turn)]))
    assert call.turns[0].speaker == speaker
    assert call.turns[0].role == (None if found else "agent")
    assert seen == found


def test_a_declared_speaker_without_a_role_is_reported() -> None:
    call, seen = read_one(a_call(speakers={"agent": {"label": "Ava"}}))
    assert call.speakers["agent"].role is None
    assert seen == ["role_unknown"]


def test_participants_declare_speakers_too() -> None:
    people = [
        {"id": "p1", "role": "patient", "label": "caller", "display": "Pat", "role_from": "file"}
    ]
    call, seen = read_one(a_call(participants=people, turns=[a_turn(speaker="p1")]))
    assert call.turns[0].role == "patient"
    assert call.speakers["p1"].label == "Pat"
    assert seen == []


def test_source_and_start_are_kept() -> None:
    source = {"format": "retell.call", "external_ids": {"call_id": "r-9"}, "sha256": "claimed"}
    call, seen = read_one(a_call(source=source, started_at="2026-03-09T14:05:00Z"))
    assert (call.source.format, call.source.external_id) == ("retell.call", "r-9")
    assert len(call.source.sha256) == 64
    assert call.started_at == "2026-03-09T14:05:00Z"
    assert seen == []


@pytest.mark.parametrize(
    ("event", "ok", "found"),
    [
        ({}, True, []),
        ({"result": {"match": True}}, True, []),
        ({"result": {"ok": False}}, False, []),
        ({"result": {"error": "no such plan"}}, False, []),
        ({"result": {"error": None}}, True, []),
        ({"result": {"is_error": True}}, False, []),
        ({"result": "Error: not found"}, False, []),
        ({"result": "fine"}, True, []),
        ({"ok": False}, False, []),
        ({"ok": True, "result": {"error": "x"}}, True, []),
        ({"turn": 77, "t": 3}, True, ["unknown_turn"]),
    ],
)
def test_an_event_says_whether_it_happened(
    event: dict[str, Any], ok: bool, found: list[str]
) -> None:
    raw = {"id": "e1", "turn": 1, "source": "tool", "name": "crm.set", "args": {"n": 1.5}, **event}
    call, seen = read_one(a_call(events=[raw]))
    assert call.events[0].ok is ok
    assert call.events[0].args == {"n": Decimal("1.5")}
    assert seen == found


def test_an_out_of_band_event_has_only_a_time() -> None:
    call, _ = read_one(a_call(events=[{"source": "ui", "name": "form.sent", "t": 3.25}]))
    (event,) = call.events
    assert (event.turn, event.at_ms, event.source) == (None, 3250, EventSource.UI)


def test_sequenced_tool_calls_are_turns_and_events() -> None:
    turns = [
        a_turn(1),
        a_turn(2, "", kind="tool_call", name="crm.find", args={"id": "7"}, call_id="a"),
        a_turn(3, "", kind="tool_call", name="crm.set", args={}, call_id="b"),
        a_turn(4, "", kind="tool_result", call_id="b", result={"ok": False}),
        a_turn(5, "", kind="tool_call", name="crm.get", call_id="c"),
        a_turn(6, "Error: gone", kind="tool_result", call_id="a"),
    ]
    call, seen = read_one(a_call(turns=turns))
    shown = [(e.id, e.name, e.turn, e.result_turn, e.ok) for e in call.events]
    assert shown == [
        ("turn-2", "crm.find", 2, 6, False),
        ("turn-3", "crm.set", 3, 4, False),
        ("turn-5", "crm.get", 5, None, None),
    ]
    assert seen == ["call_without_result"]
    assert [turn.kind.value for turn in call.turns][:3] == ["speech", "tool_call", "tool_call"]


def test_a_listed_event_stands_for_the_tool_turn_it_names() -> None:
    turns = [a_turn(1, "", kind="tool_call"), a_turn(2, "", kind="tool_result")]
    event = {"id": "e", "turn": 1, "result_turn": 2, "source": "tool", "name": "x", "call_id": "a"}
    call, seen = read_one(a_call(turns=turns, events=[event]))
    assert [(e.id, e.turn, e.result_turn) for e in call.events] == [("e", 1, 2)]
    assert seen == []


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        ([a_turn(1, "", kind="tool_result", call_id="q")], "orphan_tool_result"),
        (
            [
                a_turn(1, "", kind="tool_result", call_id="q"),
                a_turn(2, "", kind="tool_call", name="x", call_id="q"),
            ],
            "result_before_call",
        ),
        ([a_turn(1, "", kind="tool_call", ok=True)], "call_without_name"),
    ],
)
def test_tool_turns_that_do_not_fit_are_reported(turns: list[Any], found: str) -> None:
    _, seen = read_one(a_call(turns=turns))
    assert seen == [found]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"mood": 1}, "mood"),
        ({"turns": [a_turn(mood=1)]}, "turns.mood"),
        ({"speakers": {"agent": {"role": "agent", "mood": 1}}}, "speakers.agent.mood"),
        ({"events": [{"source": "ui", "name": "x", "turn": 1, "mood": 1}]}, "events.mood"),
        ({"source": {"mood": 1}}, "source.mood"),
        ({"participants": [{"id": "p", "role": "r", "mood": 1}]}, "participants[0].mood"),
    ],
)
def test_unknown_keys_are_reported(changes: dict[str, Any], where: str) -> None:
    _, findings = oip_call.parse(written(a_call(**changes)), name="x.json")
    (finding,) = findings
    assert finding.code == "unknown_key"
    assert finding.where == f"x.json, c1, {where}"


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ({"date": "10.03.2026"}, ["bad_date"]),
        ({"date": "2026-02-30"}, ["bad_date"]),
        ({"date": 20260310}, ["bad_date"]),
        ({"date": None}, []),
        ({"nested": {"a": 1}}, ["unreadable_attribute"]),
        ({"count": 3, "share": 0.5, "new": True, "gone": None}, []),
    ],
)
def test_attributes_that_cannot_be_read_are_reported(
    attributes: dict[str, Any], found: list[str]
) -> None:
    call, seen = read_one(a_call(call=attributes))
    assert seen == found
    assert call.date is None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (7, "not_a_call"),
        (a_call(id=None), "bad_value"),
        (a_call(id=""), "bad_value"),
        (a_call(format="oip-call/9"), "unknown_format"),
        (a_call(turns=[]), "no_turns"),
        (a_call(turns={}), "bad_value"),
        (a_call(turns=["hello"]), "bad_value"),
        (a_call(turns=[a_turn(True)]), "bad_value"),
        (a_call(turns=[a_turn(-1)]), "bad_value"),
        (a_call(turns=[{"n": 1.0, "text": "a"}]), "bad_value"),
        (a_call(turns=[{"n": 1, "speaker": "agent"}]), "bad_value"),
        (a_call(turns=[a_turn(speaker=7)]), "bad_value"),
        (a_call(turns=[a_turn(1), a_turn(1)]), "duplicate_turn"),
        (a_call(speakers=[]), "bad_value"),
        (a_call(speakers={"agent": "agent"}), "bad_value"),
        (a_call(participants=[7]), "bad_value"),
        (a_call(source=[]), "bad_value"),
        (a_call(events=[7]), "bad_value"),
        (a_call(events=[{"source": "x", "name": "a", "turn": 1}]), "bad_value"),
        (a_call(events=[{"source": "ui", "turn": 1}]), "bad_value"),
        (a_call(events=[{"source": "ui", "name": "a"}]), "event_without_place"),
        (a_call(events=[{"source": "ui", "name": "a", "turn": 9}]), "event_without_place"),
        (a_call(events=[{"source": "ui", "name": "a", "turn": 1, "ok": "y"}]), "bad_value"),
        (a_call(call={"drugs": ["aspirin"]}), "bad_value"),
        (a_call(call={"drugs": [{"names": []}]}), "bad_value"),
    ],
)
def test_what_cannot_be_a_call_is_refused(raw: object, code: str) -> None:
    assert refused_code(raw) == code


def test_the_language_is_the_calls_own_or_an_attribute() -> None:
    assert read_one(a_call(language="de-DE", call={"language": "en-US"}))[0].language == "de-DE"
    assert read_one(a_call(call={"language": "en-US"}))[0].language == "en-US"


def test_the_id_of_a_tool_turns_event_gives_way_to_the_files_own() -> None:
    event = {"id": "turn-1", "source": "ui", "name": "x", "turn": 1}
    turns = [a_turn(1, "", kind="tool_call", name="y", ok=True)]
    call, _ = read_one(a_call(turns=turns, events=[event]))
    assert [event.id for event in call.events] == ["turn-1", "turn-1+"]


def test_kinds_of_turns_and_double_event_ids() -> None:
    event = {"id": "e", "source": "ui", "name": "x", "turn": 1}
    call, seen = read_one(a_call(turns=[a_turn(kind="shout")], events=[event, event]))
    assert call.turns[0].kind is TurnKind.OTHER
    assert seen == ["unknown_kind", "duplicate_id"]


def test_one_bad_call_stops_no_other() -> None:
    data = written({"format": "oip-calls/1", "calls": [a_call(), a_call(id=None), a_call(id="c3")]})
    calls, findings = oip_call.parse(data, name="x.json")
    assert [call.id for call in calls] == ["c1", "c3"]
    assert [finding.where for finding in findings] == ["x.json, calls[1], id"]


def test_the_digest_is_of_the_file_or_of_the_calls_own_part() -> None:
    (alone,), _ = oip_call.parse(written(a_call()), name="x.json")
    (first, second), _ = oip_call.parse(written([a_call(), a_call(id="c2")]), name="x.json")
    (same, _), _ = oip_call.parse(written([a_call(), a_call(id="c9")]), name="y.json")
    assert first.source.sha256 == same.source.sha256
    assert len({alone.source.sha256, first.source.sha256, second.source.sha256}) == 3


def test_a_value_that_is_json_already_is_read_with_floats() -> None:
    call, findings = oip_call.parse_value(a_call(turns=[a_turn(t0=0.1 + 0.2)]), where="variant")
    assert call is not None
    assert call.turns[0].start_ms == 300
    assert findings == ()


def test_a_file_without_calls_is_refused() -> None:
    calls, findings = oip_call.parse(b'{"calls": []}', name="x.json")
    assert calls == ()
    assert codes(findings) == ["no_calls"]


def test_findings_of_one_code_are_bounded() -> None:
    _, seen = read_one(a_call(turns=[a_turn(k, "") for k in range(300)]))
    assert seen.count("empty_turn") == 51


def test_raw_calls_are_the_objects_of_the_file() -> None:
    raw = oip_call.raw_calls(written([a_call(), 7]), name="x.json")
    assert [call["id"] for call in raw] == ["c1"]
