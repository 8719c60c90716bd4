"""Workbooks: sheets, kinds of cells, formulas, and zips that do harm."""

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.parsers import detect, parse_calls, workbook
from review.core.transcript import Call, TurnKind
from review.core.transcript.columns import ColumnMap
from tests.unit.review.parsers.call_files import (
    GOLDEN_ROLES,
    SHARED,
    codes,
    golden_bytes,
    golden_turns,
)

HEAD = ("speaker", "text", "start", "end")


def book(*sheets: Sequence[Sequence[Any]], change: Callable[[Any], None] | None = None) -> bytes:
    """Return a workbook with these sheets as bytes."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for k, rows in enumerate(sheets, 1):
        sheet = made.create_sheet(f"S{k}")
        for row in rows:
            sheet.append(list(row))
    if change is not None:
        change(made)
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def repacked(data: bytes, changes: dict[str, bytes | None]) -> bytes:
    """Return a workbook with members of its zip replaced, added or (None) left out."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        kept = {name: old.read(name) for name in old.namelist()}
        for name, content in {**kept, **changes}.items():
            if content is not None:
                new.writestr(name, content)
    return target.getvalue()


def read(data: bytes, **more: Any) -> tuple[Call, list[str]]:
    """Read a workbook of one call that must not be refused: the call and the codes found."""
    calls, findings = workbook.parse(data, name="in/b.xlsx", **more)
    assert len(calls) == 1, findings
    return calls[0], codes(findings)


TIMES: dict[str, tuple[list[Any], list[int | None], str | None]] = {
    "clock_text": (["00:00:01.5", "00:00:03"], [1500, 3000], None),
    "time_cells": ([time(0, 0, 1, 500_000), time(0, 0, 3)], [1500, 3000], None),
    "spans": ([timedelta(seconds=1.5), timedelta(hours=30)], [1500, 108_000_000], None),
    "seconds": ([1.5, 3], [1500, 3000], None),
    "ms": ([900, 6220], [900, 6220], "time_unit_guessed"),
    "fractions": ([0.00001, 0.00002, 0.00003], [864, 1728, 2592], "time_unit_guessed"),
    "moments": (
        [datetime(2026, 3, 9, 14, 5), datetime(2026, 3, 9, 14, 5, 2)],
        [0, 2000],
        "naive_timestamp",
    ),
    "truth": ([True, 3], [None, 3000], "bad_time"),
}


@pytest.mark.parametrize(("cells", "starts", "code"), TIMES.values(), ids=TIMES)
def test_times(cells: list[Any], starts: list[int | None], code: str | None) -> None:
    call, found = read(book([HEAD[:3], *(("Ann", "a", cell) for cell in cells)]))
    assert [turn.start_ms for turn in call.turns] == starts
    about = {"time_unit_guessed", "naive_timestamp", "bad_time"}
    assert about & set(found) == ({code} if code else set())


def test_cells_of_other_kinds_become_text() -> None:
    rows = [("speaker", "text", "date"), (7, 12.0, date(2026, 3, 9)), (7, True, None)]
    call, _ = read(book(rows))
    assert [(turn.speaker, turn.text) for turn in call.turns] == [("7", "12"), ("7", "TRUE")]
    assert call.attributes == {"date": date(2026, 3, 9)}


def test_formulas_are_text_and_reported() -> None:
    call, found = read(book([HEAD[:2], ("Ann", "=1+1"), ("Ann", "'=x"), ("Ann", "b")]))
    assert [turn.text for turn in call.turns] == ["=1+1", "'=x", "b"]
    assert found.count("formula_cell") == 1


def test_a_formula_gives_the_value_saved_with_it() -> None:
    data = book([HEAD[:2], ("Ann", "=1+1")])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    assert b"<v />" in sheet or b"<v></v>" in sheet or b"<v/>" in sheet
    saved = sheet.replace(b"<v />", b"<v>2</v>").replace(b"<v></v>", b"<v>2</v>")
    call, found = read(
        repacked(data, {"xl/worksheets/sheet1.xml": saved.replace(b"<v/>", b"<v>2</v>")})
    )
    assert call.turns[0].text == "2"
    assert "formula_cell" in found


def test_every_table_among_the_sheets_is_read() -> None:
    turns = [HEAD[:2], ("Ann", "a")]
    calls, findings = workbook.parse(book(turns, [("notes",), ("x",)], turns), name="b.xlsx")
    assert [call.id for call in calls] == ["b-S1", "b-S3"]
    assert codes(findings).count("sheet_not_read") == 1
    assert len({call.source.sha256 for call in calls}) == 2


def test_hidden_sheets_are_not_read() -> None:
    turns = [HEAD[:2], ("Ann", "a")]

    def hide(made: Any) -> None:
        made["S2"].sheet_state = "hidden"

    call, _ = read(book(turns, turns, change=hide))
    assert call.id == "b"


def test_rows_keep_their_numbers_and_bad_ones_are_named() -> None:
    data = book([("export",), (), HEAD[:2], ("Ann", "a"), (), (None, None, "sum"), ("Bob", "b")])
    calls, findings = workbook.parse(data, name="b.xlsx")
    assert [turn.text for turn in calls[0].turns] == ["a", "b"]
    bad = [finding.where for finding in findings if finding.code == "bad_row"]
    assert bad == ["b.xlsx, sheet S1, row 6"]


def test_a_map_of_columns_overrules_names() -> None:
    call, _ = read(book([("x", "y"), ("Ann", "a")]), columns=ColumnMap(speaker="x", text="y"))
    assert (call.turns[0].speaker, call.turns[0].text) == ("Ann", "a")


GOOD = book([HEAD[:2], ("Ann", "a")])
BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]>'


def refusal(data: bytes) -> str:
    """Read a workbook that must be refused: the code of the last finding, which names the file."""
    calls, findings = workbook.parse(data, name="b.xlsx")
    assert calls == ()
    assert findings[-1].where.startswith("b.xlsx")
    return codes(findings)[-1]


def encrypted(data: bytes) -> bytes:
    """Return a zip whose members say that they are encrypted."""
    raw = bytearray(data)
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = raw.find(mark)
        while at >= 0:
            raw[at + offset] |= 1
            at = raw.find(mark, at + 4)
    return bytes(raw)


REFUSED = {
    "no_zip": (b"hello", "bad_workbook"),
    "cut": (GOOD[:-30], "bad_workbook"),
    "no_workbook": (repacked(GOOD, {"xl/workbook.xml": None}), "bad_workbook"),
    "encrypted": (encrypted(GOOD), "bad_workbook"),
    "entities": (
        repacked(GOOD, {"xl/workbook.xml": BOMB + b"<workbook>&a;</workbook>"}),
        "bad_workbook",
    ),
    "entities_in_a_sheet": (
        repacked(GOOD, {"xl/worksheets/sheet1.xml": BOMB + b"<worksheet>&a;</worksheet>"}),
        "bad_workbook",
    ),
    "over_100_to_1": (repacked(GOOD, {"xl/x.xml": b" " * 10_000_000}), "too_much_compressed"),
    "many_parts": (repacked(GOOD, {f"x/{k}": b"" for k in range(2001)}), "too_much_compressed"),
    "too_large": (GOOD + b"\0" * (20 * 1024 * 1024), "file_too_large"),
    "empty": (book([]), "no_calls"),
    "no_header": (book([("a", "b"), ("c", "d")]), "no_header"),
    "no_table": (book([("a", "b")], [("c", "d")]), "no_calls"),
    "nul": (repacked(GOOD, {"xl/worksheets/sheet1.xml": b"\0"}), "bad_workbook"),
}


@pytest.mark.parametrize(("data", "code"), REFUSED.values(), ids=REFUSED)
def test_refusals(data: bytes, code: str) -> None:
    assert refusal(data) == code


def test_links_to_other_files_are_not_followed() -> None:
    link = b'<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>'
    data = repacked(GOOD, {"xl/externalLinks/externalLink1.xml": link})
    assert read(data)[0].turns[0].text == "a"


def test_a_sheet_that_lies_about_its_size_is_read() -> None:
    with zipfile.ZipFile(io.BytesIO(GOOD)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    assert b'ref="A1:B2"' in sheet
    lying = sheet.replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
    assert read(repacked(GOOD, {"xl/worksheets/sheet1.xml": lying}))[0].turns[0].text == "a"


def test_it_is_recognised_by_its_content() -> None:
    assert detect(GOOD, "b.bin") == "xlsx"
    assert detect(repacked(GOOD, {"xl/workbook.xml": None}), "b.xlsx") is None
    assert parse_calls(GOOD, name="b.xlsx").format == "xlsx"


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_the_golden_call() -> None:
    (call,), findings = workbook.parse(golden_bytes("turns.xlsx"), name="turns.xlsx")
    assert golden_turns() == [
        (turn.number, GOLDEN_ROLES[turn.speaker], turn.text, turn.start_ms, turn.end_ms)
        for turn in call.turns
        if turn.kind is TurnKind.SPEECH
    ]
    assert [(event.name, event.turn) for event in call.events] == [
        *(("ehr_get_patient", 6), ("crm_update", 13), ("crm_update", 23)),
        *(("dtmf", 2), ("field_set", 10), ("click", 27)),
    ]
    assert set(codes(findings)) == {"tool_phase_assumed", "end_assumed", "role_unknown"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_real_checklists_are_refused_as_no_tables_of_turns() -> None:
    folder = SHARED / "data" / "primock57" / "consultation_checklists"
    for path in sorted(folder.rglob("*.xlsx")):
        result = parse_calls(path.read_bytes(), name=path.name)
        assert (result.format, result.calls) == ("xlsx", ())
        assert codes(result.findings)[-1] in {"no_header", "no_calls"}


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**13),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["Ann", "=1/0", "0:01", "tool_event", "{", "2026-03-09T14:05:00Z", "#REF!"]),
    st.datetimes(datetime(1900, 3, 1), datetime(2100, 1, 1)),
    st.times(),
    st.timedeltas(timedelta(0), timedelta(days=9)),
)


@given(st.lists(st.lists(CELLS, max_size=6), max_size=6))
@settings(max_examples=40, deadline=None)
def test_no_cells_make_it_raise(rows: list[list[Any]]) -> None:
    head = ("turn", "speaker", "text", "start", "kind", "tool")
    calls, findings = workbook.parse(book([head, *rows]), name="b.xlsx")
    assert calls or codes(findings)


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_no_damage_makes_it_raise(at: int, byte: int) -> None:
    data = GOOD[:at] + bytes([byte]) + GOOD[at + 1 :]
    calls, findings = workbook.parse(data, name="b.xlsx")
    assert calls or codes(findings)
    workbook.recognise(data)
