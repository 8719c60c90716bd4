"""Reader of tables as text: CSV and TSV with ``,`` ``;`` tab or ``|`` between the cells.

What the columns and rows mean is ruled in ``review.core.transcript.tables``. A cell that opens with
``=`` is a formula to a spreadsheet; here it is text, and reported.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator

from catalogs.core.findings import Finding, error, warning
from review.core.transcript import MAX_BYTES, Call, RefusedInput, decode, normalise_newlines
from review.core.transcript.columns import HEADER_ROWS, ColumnMap, find_header
from review.core.transcript.tables import MAX_ROWS, Grid, Row, read_table
from review.core.transcript.voices import file_stem

NAME = "csv"
TITLE = "CSV and TSV tables"

_DELIMITERS = (",", ";", "\t", "|")
# The header stands within the first rows; a row may hold a whole conversation.
_SAMPLE_CHARACTERS = 400_000

# The module's own limit for a cell is 131,072 characters; a dialogue may be longer, a file not.
csv.field_size_limit(MAX_BYTES)


def recognise(text: object) -> bool:
    """Say whether a text is a table: some delimiter gives a header within the first ten rows."""
    return isinstance(text, str) and _delimiter(text, None) is not None


def parse(
    data: bytes, *, name: str, columns: ColumnMap | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every call of a file; `columns` overrules which column means what. Never raises."""
    findings: tuple[Finding, ...] = ()
    try:
        decoded = decode(data, name=name)
        findings = decoded.findings
        text = normalise_newlines(decoded.text)
        rows, more = _rows(text, _delimiter(text, columns) or ",", name)
        findings = (*findings, *more)
        digest = hashlib.sha256(data).hexdigest()
        calls, found = read_table(Grid(rows, name, file_stem(name), NAME, digest), columns)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    return calls, (*findings, *found)


def _delimiter(text: str, columns: ColumnMap | None) -> str | None:
    """Return the delimiter whose header says most, or None if no delimiter gives a header."""
    sample = normalise_newlines(text[:_SAMPLE_CHARACTERS].removeprefix("\ufeff"))
    best, most = None, 0
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        rows: list[list[str]] = []
        try:
            for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
                rows.append(row)
                if len(rows) == HEADER_ROWS:
                    break
        except csv.Error:
            continue
        header = find_header(rows, columns)
        if header is not None and len(header.columns) > most:
            best, most = delimiter, len(header.columns)
    return best


def _rows(text: str, delimiter: str, name: str) -> tuple[list[Row], tuple[Finding, ...]]:
    """Split a text into rows. Quotes that do not close are reported, and read as well as can be."""
    try:
        return list(_read(text, delimiter, name, strict=True)), ()
    except csv.Error:
        sentence = (
            "The quotation marks around cells do not match; cells may be cut wrongly. Check the "
            "text, or save the table anew."
        )
        finding = warning("bad_quoting", name, sentence)
    try:
        return list(_read(text, delimiter, name, strict=False)), (finding,)
    except csv.Error:
        sentence = "The file cannot be read as a table. Save it as CSV or TSV in UTF-8."
        raise RefusedInput(error("bad_table", name, sentence)) from None


def _read(text: str, delimiter: str, name: str, *, strict: bool) -> Iterator[Row]:
    # Tabs and bars are seldom quoted: there a mark that does not close is part of the words.
    is_plain = not strict and delimiter in "\t|"
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    reader = csv.reader(
        lines,
        delimiter=delimiter,
        strict=strict,
        quoting=csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL,
    )
    for number, cells in enumerate(reader, 1):
        if number > MAX_ROWS:
            sentence = f"The table has more than {MAX_ROWS:,} rows. Split it."
            raise RefusedInput(error("too_many_rows", name, sentence))
        formulas = frozenset(k for k, cell in enumerate(cells) if cell.startswith("="))
        yield Row(number, tuple(cells), formulas)
