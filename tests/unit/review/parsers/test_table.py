"""CSV and TSV: delimiters, headers, columns, times, calls, and rows that cannot be read."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.parsers import parse_calls, table
from review.core.transcript import Call, EventSource, TurnKind, propose_role_map
from review.core.transcript.columns import ColumnMap
from tests.unit.review.parsers.call_files import (
    GOLDEN_ROLES,
    SHARED,
    codes,
    golden_bytes,
    golden_turns,
)

needs_shared = pytest.mark.skipif(
    not SHARED.exists(), reason="the shared folder is not beside the repository"
)


def read(text: str, **more: Any) -> tuple[Call, list[str]]:
    """Read a table of one call that must not be refused: the call and the codes found."""
    calls, findings = table.parse(text.encode(), name="in/t.csv", **more)
    assert len(calls) == 1, findings
    return calls[0], codes(findings)


def said(call: Call) -> list[tuple[str, str]]:
    """Return speakers and words of a call."""
    return [(turn.speaker, turn.text) for turn in call.turns]


TWO = [("Ann", "a"), ("Bob", "b")]
SHAPES = {
    "comma": "speaker,text\nAnn,a\nBob,b\n",
    "semicolon": "speaker;text\nAnn;a\nBob;b\n",
    "tab": "speaker\ttext\nAnn\ta\nBob\tb\n",
    "bar": "speaker|text\nAnn|a\nBob|b\n",
    "bom": "\ufeffspeaker,text\nAnn,a\nBob,b\n",
    "crlf": "speaker,text\r\nAnn,a\r\nBob,b\r\n",
    "quoted": '"speaker","text"\n"Ann","a"\n"Bob","b"\n',
    "other_names": "Who;Utterance\nAnn;a\nBob;b\n",
    "header_below": "My export,\n,\nspeaker,text\nAnn,a\nBob,b\n",
    "blank_rows": "speaker,text\n\nAnn,a\n,\nBob,b\n\n",
    "id_of_rows": "id,speaker,text\n1,Ann,a\n2,Bob,b\n",
    "short_rows": "speaker,text,note\nAnn,a\nBob,b\n",
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_shapes(text: str) -> None:
    call, found = read(text)
    assert said(call) == TWO
    assert [turn.number for turn in call.turns] == [1, 2]
    assert call.id == "t"
    assert "end_assumed" in found


def test_the_header_is_within_the_first_ten_rows() -> None:
    body = "speaker,text\nAnn,a\n"
    assert "header_not_first_row" in read("x,\n" * 9 + body)[1]
    calls, findings = table.parse(("x,\n" * 10 + body).encode(), name="t.csv")
    assert (calls, codes(findings)) == ((), ["no_header"])


CELLS = {
    "line_break": ('speaker,text\nAnn,"a\nb"\n', [("Ann", "a\nb")], None),
    "doubled_mark": ('speaker,text\nAnn,"a ""b"" c"\n', [("Ann", 'a "b" c')], None),
    "blank_kept": ("speaker,text\nAnn, a \n", [("Ann", " a ")], None),
    "formula": ("speaker,text\nAnn,=1+1\n", [("Ann", "=1+1")], "formula_cell"),
    "no_speaker": ("speaker,text\nAnn,a\n,b\n", [("Ann", "a"), ("", "b")], "missing_speaker"),
    "no_words": ("speaker,text\nAnn,\n", [("Ann", "")], "empty_turn"),
    "too_many_cells": ("speaker,text\nAnn,a, b\nBob,b\n", [("Bob", "b")], "bad_row"),
    "nothing_said": ("speaker,text,x\nAnn,a,\n,,total\n", [("Ann", "a")], "bad_row"),
    "open_mark": ('speaker,text\nAnn,a\nBob,"b\n', [("Ann", "a"), ("Bob", "b\n")], "bad_quoting"),
    "open_mark_in_tsv": (
        'speaker\ttext\nAnn\t"a" she said\nBob\t"b\n',
        [("Ann", '"a" she said'), ("Bob", '"b')],
        "bad_quoting",
    ),
    "labels_are_words_here": ("speaker,text\nAnn,Bob: no\n", [("Ann", "Bob: no")], None),
}


@pytest.mark.parametrize(("text", "turns", "code"), CELLS.values(), ids=CELLS)
def test_cells(text: str, turns: list[tuple[str, str]], code: str | None) -> None:
    call, found = read(text)
    assert said(call) == turns
    kinds = {"formula_cell", "missing_speaker", "empty_turn", "bad_row", "bad_quoting"}
    assert kinds & set(found) == ({code} if code else set())


def test_an_unreadable_row_is_named() -> None:
    _, findings = table.parse(b"speaker,text\nAnn,a\nBob,b,c\n", name="t.csv")
    (bad,) = [finding for finding in findings if finding.code == "bad_row"]
    assert bad.where == "t.csv, row 3"


TIMES = {
    "clock": ("start,end", ["1:00:00,1:00:01", "1:00:02,1:00:03"], [3_600_000, 3_602_000], None),
    "minutes": ("start,end", ["00:01.5,00:02", "75:30,75:31"], [1500, 4_530_000], None),
    "seconds": ("start,end", ["0.5,1", "2.25,3"], [500, 2250], None),
    "whole_seconds": ("start,end", ["1,2", "30,31"], [1000, 30_000], None),
    "comma_decimal": ("start,end", ['"0,5","1,0"', '"2,25",3'], [500, 2250], None),
    "ms_by_name": ("start_ms,end_ms", ["500,1000", "2000,2500"], [500, 2000], None),
    "ms_by_name_2": ("startTime (ms),end", ["5,10", "20,25"], [5, 20], None),
    "s_by_name": ("start [s],end [s]", ["5,10", "900,901"], [5000, 900_000], None),
    "unit_behind": ("start,end", ["1.5s,2s", "2500ms,3s"], [1500, 2500], None),
    "ms_guessed": ("start,end", ["900,5800", "6220,9880"], [900, 6220], "time_unit_guessed"),
    "day_guessed": (
        "start,end",
        ["0.00001,0.00002", "0.00003,0.00004"],
        [864, 2592],
        "time_unit_guessed",
    ),
    "iso_with_zone": (
        "start,end",
        ["2026-03-09T14:05:00Z,", "2026-03-09T14:05:02.5+00:00,"],
        [0, 2500],
        None,
    ),
    "iso_without_zone": (
        "start,end",
        ["2026-03-09 14:05:00,", "2026-03-09 14:05:02,"],
        [0, 2000],
        "naive_timestamp",
    ),
    "epoch_ms": ("start,end", ["1773065100000,", "1773065102500,"], [0, 2500], None),
    "epoch_s": ("start,end", ["1773065100,", "1773065102,"], [0, 2000], None),
    "no_time": ("start,end", ["soon,1", "2,3"], [None, 2000], "bad_time"),
    "negative": ("start,end", ["-1,1", "2,3"], [None, 2000], "bad_time"),
    "infinite": ("start,end", ["inf,1", "nan,3"], [None, None], "bad_time"),
    "weeks": ("start,end", ["900:00:00,", "2,3"], [None, 2000], "unit_mismatch"),
    "backwards": ("start,end", ["5,3", "6,7"], [5000, 6000], "negative_duration"),
    "out_of_order": ("start,end", ["5,6", "2,3"], [5000, 2000], "out_of_order"),
    "equal": ("start,end", ["5,5", "5,6"], [5000, 5000], "equal_timestamps"),
    "overlap": ("start,end", ["5,8", "6,9"], [5000, 6000], "overlap"),
}


@pytest.mark.parametrize(("names", "rows", "starts", "code"), TIMES.values(), ids=TIMES)
def test_times(names: str, rows: list[str], starts: list[int | None], code: str | None) -> None:
    text = f"speaker,text,{names}\n" + "".join(f"Ann,a,{row}\n" for row in rows)
    call, found = read(text)
    assert [turn.start_ms for turn in call.turns] == starts
    about = {key for _, _, _, key in TIMES.values()} - {None, "overlap", "negative_duration"}
    assert code is None or code in found
    assert (about & set(found)) <= {code, "out_of_order"}


def test_a_start_with_an_offset_is_the_start_of_the_call() -> None:
    text = "speaker,text,start\nAnn,a,2026-03-09T14:05:00+01:00\n"
    assert read(text)[0].started_at == "2026-03-09T14:05:00+01:00"
    assert read(text.replace("+01:00", ""))[0].started_at is None


NUMBERS = {
    "from_zero": ("0,Ann,a\n1,Bob,b\n", [0, 1], None),
    "gaps": ("3,Ann,a\n7,Bob,b\n", [3, 7], None),
    "back": ("2,Bob,b\n1,Ann,a\n", [1, 2], "out_of_order"),
    "missing": ("1,Ann,a\n,Bob,b\n", [1, 2], "turn_numbers_not_used"),
    "no_number": ("x1,Ann,a\nx2,Bob,b\n", [1, 2], "turn_numbers_not_used"),
}


@pytest.mark.parametrize(("rows", "numbers", "code"), NUMBERS.values(), ids=NUMBERS)
def test_turn_numbers(rows: str, numbers: list[int], code: str | None) -> None:
    call, found = read(f"turn,speaker,text\n{rows}")
    assert [turn.number for turn in call.turns] == numbers
    assert said(call) == TWO
    assert code is None or code in found


def test_a_number_used_twice_refuses_the_call() -> None:
    calls, findings = table.parse(b"turn,speaker,text\n1,A,a\n1,B,b\n", name="t.csv")
    assert (calls, codes(findings)) == ((), ["duplicate_turn"])
    assert findings[0].where == "t.csv, t, row 3"


def test_roles_come_from_their_column_only() -> None:
    call, found = read("speaker,role,text\nAnn,agent,a\nBob,,b\nAnn,,c\n")
    assert [turn.role for turn in call.turns] == ["agent", None, None]
    assert propose_role_map(call, ["agent", "rep"])[0] == {"Ann": "agent"}
    assert found.count("role_unknown") == 1
    only, _ = read("role,text\nagent,a\nrep,b\n")
    assert said(only) == [("agent", "a"), ("rep", "b")]


def test_a_speaker_of_two_roles_has_none() -> None:
    call, found = read("speaker,role,text\nAnn,agent,a\nAnn,rep,b\n")
    assert [turn.role for turn in call.turns] == [None, None]
    assert {"role_collapsed", "role_unknown"} <= set(found)


def test_several_calls_by_a_column() -> None:
    text = (
        "call_id,date,type,speaker,text\nc1,2026-03-10,x,A,a\nc2,3/4/26,y,B,b\n"
        "c1,2026-03-10,x,A,c\n,,,Z,lost\nc2,3/4/26,z,B,d\n"
    )
    calls, findings = table.parse(text.encode(), name="t.csv")
    assert [(call.id, len(call.turns)) for call in calls] == [("c1", 2), ("c2", 2)]
    assert calls[0].attributes == {"type": "x", "date": date(2026, 3, 10)}
    assert calls[1].attributes == {"date": None}
    assert {"bad_date", "unreadable_attribute", "bad_row"} <= set(codes(findings))
    assert calls[0].source.sha256 != calls[1].source.sha256
    longer, _ = table.parse(text.encode() + b"c3,,,A,a\n", name="t.csv")
    assert longer[0].source.sha256 == calls[0].source.sha256


def test_one_bad_call_stops_no_other() -> None:
    text = "call id,speaker,text\nc1,A,a\x00\nc2,B,b\n"
    result = parse_calls(text.encode(), name="t.csv")
    assert [call.id for call in result.calls] == ["c2"]
    ((where, finding),) = result.refused
    assert (where, finding.code) == ("t.csv, c1, row 2, cells.text", "nul_character")


def test_a_dialogue_cell_is_a_whole_call() -> None:
    text = 'ID,section,dialogue\n7,x,"Doctor: a\n Patient: b\nc"\n8,y,[doctor] d\n'
    calls, findings = table.parse(text.encode(), name="t.csv")
    assert [(call.id, said(call)) for call in calls] == [
        ("7", [("Doctor", "a"), ("Patient", "b\nc")]),
        ("8", [("doctor", "d")]),
    ]
    assert "fields_not_read" in codes(findings)


def test_labelled_texts_without_a_speaker_column_are_whole_calls() -> None:
    talk = '"Doctor: a\nPatient: b\nDoctor: c"'
    calls, _ = table.parse(f"id,transcript\n1,{talk}\n2,{talk}\n".encode(), name="t.csv")
    assert [(call.id, len(call.turns)) for call in calls] == [("1", 3), ("2", 3)]


def test_a_map_of_columns_overrules_names() -> None:
    text = "a,text,b\nAnn,not this,hello\n"
    call, _ = read(text, columns=ColumnMap(speaker="A", text="b"))
    assert said(call) == [("Ann", "hello")]
    timed = "start,speaker,text\n900,Ann,a\n6220,Bob,b\n"
    chosen = ColumnMap(speaker="speaker", text="text", start="start", time_unit="s")
    call, found = read(timed, columns=chosen)
    assert [turn.start_ms for turn in call.turns] == [900_000, 6_220_000]
    assert "time_unit_guessed" not in found
    calls, findings = table.parse(text.encode(), name="t.csv", columns=ColumnMap(text="zz"))
    assert (calls, codes(findings)) == ((), ["no_header"])
    assert "'zz'" in findings[0].text


EVENTS = """turn,kind,speaker,text,tool,payload,start
1,utterance,Ann,a,,,1
2,tool_call,,,find,"{""id"": 1.50}",2
3,tool_result,,,find,"{""ok"": false}",3
4,ui_log,,,click,Save,4
5,tool_event,,,find,,5
6,tool_event,,,find,done,6
7,dance,,,,,7
8,ivr,IVR,Press 2,,,8
9,ui,,,,,9
"""


def test_tools_and_screens_are_turns_with_events() -> None:
    call, found = read(EVENTS)
    kinds = [turn.kind for turn in call.turns]
    assert kinds == [
        TurnKind.SPEECH,
        *(TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT, TurnKind.OTHER, TurnKind.TOOL_CALL),
        *(TurnKind.TOOL_RESULT, TurnKind.OTHER, TurnKind.IVR, TurnKind.OTHER),
    ]
    assert [(e.name, e.turn, e.result_turn, e.ok, e.call_id) for e in call.events] == [
        ("find", 2, 3, False, None),
        ("find", 5, 6, True, None),
        ("click", 4, None, True, None),
    ]
    assert call.events[0].args == {"id": Decimal("1.50")}
    assert call.events[2].args == {"value": "Save"}
    assert call.events[2].at_ms == 4000
    assert found.count("tool_phase_assumed") == 2
    assert {"unknown_kind", "call_without_name"} <= set(found)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no_header"),
        (b"hello", "no_header"),
        (b"speaker,text\n", "no_calls"),
        (b"speaker,text\n" + b"A,a\n" * 20_001, "too_many_turns"),
        (b"speaker,text\nA," + b"a" * 200_001, "turn_too_long"),
        (b"call id,speaker,text\n" + b"x" * 201 + b",A,a", "bad_value"),
        (b"\xff\xfe\x00", "not_text"),
    ],
)
def test_refusals(data: bytes, code: str) -> None:
    calls, findings = table.parse(data, name="t.csv")
    assert calls == ()
    assert codes(findings)[-1] == code
    assert findings[-1].where.startswith("t.csv")


@needs_shared
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_the_golden_call(delimiter: str) -> None:
    data = golden_bytes("turns.csv")
    if delimiter == "\t":
        rows = table._read(data.decode(), ",", "x", strict=True)
        cells = ((str(cell).replace('"', '""') for cell in row.cells) for row in rows)
        data = "\n".join("\t".join(f'"{cell}"' for cell in row) for row in cells).encode()
    (call,), findings = table.parse(data, name="turns.csv")
    assert golden_turns() == [
        (turn.number, GOLDEN_ROLES[turn.speaker], turn.text, turn.start_ms, turn.end_ms)
        for turn in call.turns
        if turn.kind is TurnKind.SPEECH
    ]
    tools = [e for e in call.events if e.source is EventSource.TOOL]
    assert [(e.name, e.turn, e.result_turn, e.ok) for e in tools] == [
        ("ehr_get_patient", 6, 7, True),
        ("crm_update", 13, 14, True),
        ("crm_update", 23, 24, True),
    ]
    screens = [e for e in call.events if e.source is EventSource.UI]
    assert [(e.name, e.turn, e.at_ms) for e in screens] == [
        ("dtmf", 2, 5920),
        ("field_set", 10, 33_790),
        ("click", 27, 74_130),
    ]
    assert set(codes(findings)) == {"tool_phase_assumed", "end_assumed", "role_unknown"}


@needs_shared
@pytest.mark.parametrize(
    ("relative", "calls", "turns"),
    [
        ("mts-dialog/MTS-Dialog-ValidationSet.csv", 100, 814),
        ("mts-dialog/MTS-Dialog-TestSet-1-MEDIQA-Chat-2023.csv", 200, 1736),
        ("aci-bench/challenge_data__valid.csv", 20, 1051),
        ("aci-bench/src_experiment_data__valid_virtscribe_asr.csv", 4, 4),
        ("aci-bench/src_experiment_data__valid_virtscribe_humantrans.csv", 4, 240),
    ],
)
def test_real_dialogues(relative: str, calls: int, turns: int) -> None:
    path = SHARED / "data" / relative
    result = parse_calls(path.read_bytes(), name=path.name)
    assert (result.format, result.refused) == ("csv", ())
    assert (len(result.calls), sum(len(call.turns) for call in result.calls)) == (calls, turns)
    labels = {turn.speaker.casefold() for call in result.calls for turn in call.turns}
    known = {"doctor", "patient", "patient_guest", "guest_family", "guest_clinician", ""}
    assert labels <= known | {"guest_family_1", "guest_family_2", "guest_family2"}


PARTS = st.sampled_from(
    [
        *("speaker", "text", "turn", "start", "end", "kind", "tool", "payload", "call id", "role"),
        *("date", "type", "dialogue", ",", ",", "\n", "\n", ";", "\t", "|", '"', "=", "1", "0:01"),
        *(
            "tool_event",
            "ui_log",
            "tool_result",
            "ivr",
            "{",
            "[",
            "1e999",
            "-5",
            "\x00",
            "Doctor: ",
        ),
        *("2026-03-09T14:05:00", "2026-03-09T14:05:00Z", "9999-12-31T23:59:59", "1e400", "NaN"),
    ]
)
HEADS = ("", "speaker,text,start,end,kind,tool,payload,turn\n", "call id,text,role\n", "dialogue\n")


@given(st.sampled_from(HEADS), st.lists(PARTS | st.text(max_size=5), max_size=30).map("".join))
@settings(max_examples=400, deadline=None)
def test_no_text_makes_it_raise(head: str, text: str) -> None:
    data = (head + text).encode("utf-8", "surrogatepass")
    calls, findings = table.parse(data, name="t.csv")
    assert calls or codes(findings)
    table.recognise(head + text)
