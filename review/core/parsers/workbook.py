"""Reader of Excel workbooks (XLSX): each visible sheet that is a table gives its calls.

What the columns and rows mean is ruled in ``review.core.transcript.tables``. Before the workbook is
opened its zip is checked: sizes, 100:1 compression, encryption. Nothing is computed and no link is
followed: a formula gives the value that was saved with it, as text, and is reported.
"""

from __future__ import annotations

import hashlib
import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, time, timedelta

import openpyxl
from openpyxl.workbook.workbook import Workbook

from catalogs.core.findings import Finding, Severity, error, note
from review.core.transcript import MAX_BYTES, Call, RefusedInput
from review.core.transcript.cells import Cell
from review.core.transcript.columns import ColumnMap
from review.core.transcript.tables import MAX_ROWS, Grid, Row, read_table
from review.core.transcript.voices import file_stem

NAME = "xlsx"
TITLE = "Excel workbook"

MAX_UNPACKED = 100 * 1024 * 1024
MAX_RATIO = 100
# So small a part harms nobody, however well it was packed.
_SMALL = 64 * 1024
_MOST_MEMBERS = 2_000
_MOST_COLUMNS = 200
_MOST_SHEETS = 50
_TIMES = (date, time, timedelta)
_NO_FILE = (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError)


def recognise(data: object) -> bool:
    """Say whether bytes are a zip that holds a workbook."""
    if not isinstance(data, bytes) or not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except _NO_FILE:
        return False


def parse(
    data: bytes, *, name: str, columns: ColumnMap | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every call of a file; `columns` overrules which column means what. Never raises."""
    try:
        _refuse_unsafe(data, name)
        sheets = _sheets(data, name)
    except RefusedInput as refusal:
        return (), (refusal.finding,)
    calls: list[Call] = []
    findings: list[Finding] = []
    digest = hashlib.sha256(data).hexdigest() if len(sheets) == 1 else None
    for title, rows in sheets:
        stem = file_stem(name)
        identity = stem if len(sheets) == 1 else f"{stem}-{title}"
        try:
            grid = Grid(rows, f"{name}, sheet {title}", identity, NAME, digest)
            read, found = read_table(grid, columns)
        except RefusedInput as refusal:
            findings.append(_about_sheet(refusal.finding, is_only=len(sheets) == 1))
            continue
        calls.extend(read)
        findings.extend(found)
    if not calls and not any(finding.severity is Severity.ERROR for finding in findings):
        sentence = "No visible sheet is a table of turns. Name its columns, or choose them."
        findings.append(error("no_calls", name, sentence))
    return tuple(calls), tuple(findings)


def _about_sheet(refusal: Finding, *, is_only: bool) -> Finding:
    """A sheet among several that is no table of turns is passed over, not a refusal."""
    if is_only or refusal.code != "no_header":
        return refusal
    text = "The sheet has no header that names words and speakers; it was not read."
    return note("sheet_not_read", refusal.where, text)


def _refuse_unsafe(data: bytes, name: str) -> None:
    """Refuse a zip that is too large, packed too well, encrypted or broken, before it is opened."""
    if len(data) > MAX_BYTES:
        sentence = (
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} (20 MB) are read. "
            "Split it into smaller files."
        )
        raise RefusedInput(error("file_too_large", name, sentence))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except _NO_FILE:
        raise RefusedInput(_bad_workbook(name)) from None
    if any(member.flag_bits & 1 for member in members):
        sentence = "The workbook is encrypted. Save it without a password."
        raise RefusedInput(error("bad_workbook", name, sentence))
    unpacked = sum(member.file_size for member in members)
    is_bomb = any(
        member.file_size > max(_SMALL, MAX_RATIO * member.compress_size) for member in members
    )
    if is_bomb or unpacked > MAX_UNPACKED or len(members) > _MOST_MEMBERS:
        sentence = (
            f"Unpacked, the workbook has {unpacked:,} bytes in {len(members):,} parts; parts may "
            f"grow {MAX_RATIO}:1 and all to {MAX_UNPACKED:,}. Save only the sheet with the turns."
        )
        raise RefusedInput(error("too_much_compressed", name, sentence))


def _bad_workbook(name: str) -> Finding:
    return error("bad_workbook", name, "The file is no workbook that can be read. Save it as XLSX.")


def _sheets(data: bytes, name: str) -> list[tuple[str, list[Row]]]:
    """Return the visible sheets that have rows. Raises RefusedInput for a broken workbook."""
    try:
        with warnings.catch_warnings():
            # The library warns of what it leaves out: looks, charts, validation.
            warnings.simplefilter("ignore")
            values, formulas = _opened(data, is_value=True), _opened(data, is_value=False)
            titles = [sheet.title for sheet in values.worksheets if sheet.sheet_state == "visible"]
            read = ((t, list(_rows(values, formulas, t, name))) for t in titles[:_MOST_SHEETS])
            return [(title, rows) for title, rows in read if rows]
    except RefusedInput:
        raise
    except Exception:  # a broken workbook makes the library raise whatever it likes
        raise RefusedInput(_bad_workbook(name)) from None


def _opened(data: bytes, *, is_value: bool) -> Workbook:
    return openpyxl.load_workbook(
        io.BytesIO(data), read_only=True, data_only=is_value, keep_links=False
    )


def _rows(values: Workbook, formulas: Workbook, title: str, name: str) -> Iterator[Row]:
    """Yield the filled rows of a sheet with their numbers."""
    sheets = (values[title], formulas[title])
    for sheet in sheets:
        sheet.reset_dimensions()  # what a file says of its own size is not to be trusted
    pairs = zip(*(sheet.iter_rows(max_col=_MOST_COLUMNS) for sheet in sheets), strict=True)
    count = 0
    for number, (shown, written) in enumerate(pairs, 1):
        is_formula = frozenset(k for k, cell in enumerate(written) if cell.data_type == "f")
        cells = tuple(
            _cell(written[k].value) if k in is_formula and cell.value is None else _cell(cell.value)
            for k, cell in enumerate(shown)
        )
        while cells and cells[-1] is None:
            cells = cells[:-1]
        if not cells:
            continue
        count += 1
        if count > MAX_ROWS:
            sentence = f"The table has more than {MAX_ROWS:,} rows. Split it."
            raise RefusedInput(error("too_many_rows", name, sentence))
        yield Row(number, cells, is_formula)


def _cell(value: object) -> Cell:
    """Return a value as a cell; a formula that the library made an object of becomes its text."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return value if isinstance(value, _TIMES) else str(getattr(value, "text", value))
