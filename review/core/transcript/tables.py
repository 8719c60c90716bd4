"""Tables to calls: one turn on each row, or one whole conversation in a cell of each row.

1. Columns are known by name, or by the map a person gives. What is in no known column is reported.
2. Turn numbers are the file's own if every row of a call has one; else rows count from 1.
3. A row that cannot be read is reported with its number and stops no other; a row never gets the
   speaker or the role of its neighbour.
4. Formulas are text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from catalogs.core.findings import Finding, error, note, warning
from review.core.transcript.cells import Cell, cell_text
from review.core.transcript.columns import ColumnMap, Header, find_header, names_given
from review.core.transcript.decoding import RefusedInput, normalise_newlines
from review.core.transcript.gathering import CallFindings
from review.core.transcript.labels import (
    MAX_LINES,
    find_labels,
    labels_that_count,
    split_at_labels,
)
from review.core.transcript.model import Attribute, Call, Source, Turn, TurnKind
from review.core.transcript.records import call_digest, refuse_too_many_calls, refuse_unstorable
from review.core.transcript.table_turns import read_turns
from review.core.transcript.timing import milliseconds
from review.core.transcript.turns import refuse_too_many_turns, stored_text
from review.core.transcript.voices import spoken_call

MAX_ROWS = 500_000

_SAMPLE = 50
_SAMPLE_CHARACTERS = 20_000
_MOST_BAD_ROWS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its number in the file (from 1), and the columns that hold a formula."""

    number: int
    cells: tuple[Cell, ...]
    formulas: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table, its place, the id of its call if no column says one, and its format."""

    rows: Sequence[Row]
    where: str
    identity: str
    format: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row by meaning."""

    number: int
    cells: Mapping[str, Cell]
    formulas: frozenset[str] = field(default=frozenset())

    def text(self, meaning: str) -> str:
        """Return a cell as text; empty where there is none."""
        return cell_text(self.cells.get(meaning))


def read_table(
    grid: Grid, columns: ColumnMap | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every call of a table. A call that is refused gives an error and stops no other.

    Raises RefusedInput if no row is a header, or for too many calls.
    """
    header = find_header([row.cells for row in grid.rows], columns)
    if header is None:
        raise RefusedInput(error("no_header", grid.where, _no_header(columns)))
    rows, findings = _table_rows(grid, header)
    findings = [*_about_header(grid, header), *findings]
    kind = _is_dialogue(rows)
    if "call" in header.columns and not kind:
        rows, lost = _with_calls(rows, grid, header, is_given=columns is not None)
        findings.extend(lost)
    groups = list(_groups(rows, grid, is_dialogue=kind))
    refuse_too_many_calls(len(groups), where=grid.where)
    calls: list[Call] = []
    for identity, members in groups:
        try:
            whole = grid.digest if len(groups) == 1 else None
            digest = whole or _digest(identity, members)
            source = Source(grid.format, identity, digest)
            call, found = _read_call(grid.where, source, members, header, is_dialogue=kind)
        except RefusedInput as refusal:
            findings.append(refusal.finding)
            continue
        calls.append(call)
        findings.extend(found.findings)
    if not groups:
        findings.append(
            error("no_calls", grid.where, "No row below the header can be read. Check the columns.")
        )
    return tuple(calls), tuple(findings)


def _no_header(columns: ColumnMap | None) -> str:
    if columns is not None:
        names = ", ".join(repr(name) for name in names_given(columns).values())
        return (
            f"None of the first ten rows has all the columns {names}, one of them for the words. "
            "Choose columns the file has."
        )
    return (
        "None of the first ten rows names a column of words (text) and another one (speaker, "
        "start, turn, …), or a column dialogue. Name the columns, or choose them."
    )


def _about_header(grid: Grid, header: Header) -> Iterator[Finding]:
    if header.index > 0:
        number = grid.rows[header.index].number
        text = f"The names of the columns stand in row {number}; the rows above were not read."
        yield note("header_not_first_row", grid.where, text)
    used = set(header.columns.values())
    unread = [name for k, name in enumerate(header.names) if name and k not in used]
    if unread:
        shown = ", ".join(unread[:10])
        yield note("fields_not_read", grid.where, f"Columns not read: {shown}.")


def _table_rows(grid: Grid, header: Header) -> tuple[list[TableRow], list[Finding]]:
    rows: list[TableRow] = []
    findings: list[Finding] = []
    width = len(header.names)
    for row in grid.rows[header.index + 1 :]:
        if all(_is_blank(cell) for cell in row.cells):
            continue
        cells = {
            meaning: row.cells[k] if k < len(row.cells) else None
            for meaning, k in header.columns.items()
        }
        surplus = any(not _is_blank(cell) for cell in row.cells[width:])
        if surplus or all(_is_blank(cells.get(key)) for key in _SAYING):
            findings.append(_bad_row(grid.where, row.number, surplus=surplus))
            continue
        formulas = frozenset(m for m, k in header.columns.items() if k in row.formulas)
        rows.append(TableRow(row.number, cells, formulas))
    return rows, _first_of(findings, grid)


_SAYING = ("text", "dialogue", "speaker", "role", "kind", "tool")


def _is_blank(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _bad_row(where: str, number: int, *, surplus: bool) -> Finding:
    what = "has more cells than the header" if surplus else "has neither words nor a speaker"
    text = f"Row {number} {what} and was not read. Correct it, or delete it if it is no turn."
    return warning("bad_row", f"{where}, row {number}", text)


def _is_dialogue(rows: Sequence[TableRow]) -> bool:
    """Say whether cells hold whole conversations: by the column's name, or by what is in them."""
    sample = rows[:_SAMPLE]
    if any("dialogue" in row.cells for row in sample):
        return not any("text" in row.cells for row in sample)
    if any("speaker" in row.cells or "role" in row.cells for row in sample):
        return False
    full = sum(len(_pieces(row.text("text")[:_SAMPLE_CHARACTERS])) > 2 for row in sample)
    return full > 0 and 2 * full >= len(sample)


def _pieces(text: str) -> list[tuple[str | None, str]]:
    lines = normalise_newlines(text).split("\n")
    labels = labels_that_count(find_labels(lines))
    return [(piece.label, piece.text) for piece in split_at_labels(lines, labels)]


def _groups(
    rows: Sequence[TableRow], grid: Grid, *, is_dialogue: bool
) -> Iterator[tuple[str, list[TableRow]]]:
    """Yield the rows of each call, calls in the order of their first rows."""
    if is_dialogue:
        for k, row in enumerate(rows, 1):
            default = grid.identity if len(rows) == 1 else f"{grid.identity}-{k}"
            yield row.text("call").strip() or default, [row]
        return
    groups: dict[str, list[TableRow]] = {}
    for row in rows:
        groups.setdefault(row.text("call").strip() or grid.identity, []).append(row)
    yield from groups.items()


def _with_calls(
    rows: list[TableRow], grid: Grid, header: Header, *, is_given: bool
) -> tuple[list[TableRow], list[Finding]]:
    """Return the rows whose calls are named, and a finding for each that names none.

    A column called only "id" whose values never repeat numbers the rows; it names no calls.
    """
    names = [row.text("call").strip() for row in rows]
    is_loose = not is_given and header.names[header.columns["call"]].casefold() == "id"
    if (is_loose and len(rows) > 1 and len(set(names)) == len(rows)) or not any(names):
        return [replace(row, cells={**row.cells, "call": None}) for row in rows], []
    lost = []
    for row, name in zip(rows, names, strict=True):
        if not name:
            text = f"Row {row.number} does not say which call it belongs to and was not read."
            lost.append(warning("bad_row", f"{grid.where}, row {row.number}", text))
    return [row for row, name in zip(rows, names, strict=True) if name], _first_of(lost, grid)


def _first_of(bad: list[Finding], grid: Grid) -> list[Finding]:
    rest = len(bad) - _MOST_BAD_ROWS
    if rest <= 0:
        return bad
    text = f"{rest} more rows that cannot be read are not listed."
    return [*bad[:_MOST_BAD_ROWS], note("bad_row", grid.where, text)]


def _digest(identity: str, rows: Sequence[TableRow]) -> str:
    plain = [{meaning: cell_text(cell) for meaning, cell in row.cells.items()} for row in rows]
    return call_digest({"id": identity, "rows": plain})


def _read_call(
    where: str, source: Source, rows: list[TableRow], header: Header, *, is_dialogue: bool
) -> tuple[Call, CallFindings]:
    """Read one call. Raises RefusedInput where it cannot be taken."""
    identity = source.external_id
    place = f"{where}, {identity}" if identity.isprintable() else where
    for row in rows:
        shown = {meaning: cell_text(cell) for meaning, cell in row.cells.items()}
        where_row = f"{place}, row {row.number}"
        refuse_unstorable({"call": identity, "cells": shown}, where=where_row)
    found = CallFindings(place)
    if len(identity) > 200:
        found.refuse("bad_value", "", "The id of the call is over 200 characters. Shorten it.")
    refuse_too_many_turns(rows, found)
    _report_formulas(rows, found)
    attributes = _attributes(rows, found)
    if is_dialogue:
        turns = _dialogue_turns(rows[0], found)
        call = spoken_call(turns, source, found, attributes=attributes)
    else:
        read = read_turns([(row.number, row.cells) for row in rows], header.time_unit, found)
        call = spoken_call(read.turns, source, found, attributes=attributes, events=read.events)
        call = replace(call, started_at=read.started_at)
    title = next((text for row in rows if (text := row.text("title").strip())), identity)
    language = next((text for row in rows if (text := row.text("language").strip())), None)
    return replace(call, title=title, language=language), found


def _report_formulas(rows: Sequence[TableRow], found: CallFindings) -> None:
    for row in rows:
        for meaning in sorted(row.formulas):
            text = (
                f"The {meaning} in row {row.number} is a formula. It was taken as text; check it."
            )
            found.warn("formula_cell", f"row {row.number}", text)


def _attributes(rows: Sequence[TableRow], found: CallFindings) -> dict[str, Attribute]:
    """Return what the table says about the call, where all its rows say the same."""
    attributes: dict[str, Attribute] = {}
    for meaning in ("type", "date"):
        said = {row.text(meaning).strip(): row for row in rows if row.text(meaning).strip()}
        if len(said) > 1:
            text = f"The rows of the call give several values of {meaning}. It is left unknown."
            found.warn("unreadable_attribute", meaning, text)
        elif said:
            ((text, row),) = said.items()
            attributes[meaning] = _date(row.cells.get("date"), found) if meaning == "date" else text
    return attributes


def _date(cell: Cell, found: CallFindings) -> date | None:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    try:
        return date.fromisoformat(cell_text(cell).strip()[:10])
    except ValueError:
        text = "The date of the call is not written as YYYY-MM-DD; it is left unknown."
        found.warn("bad_date", "date", text)
        return None


def _dialogue_turns(row: TableRow, found: CallFindings) -> tuple[Turn, ...]:
    """Split the conversation in a cell at its labels; turns count from 1."""
    text = row.text("dialogue") or row.text("text")
    lines = normalise_newlines(text).split("\n")
    if len(lines) > MAX_LINES:
        sentence = f"Row {row.number} has {len(lines):,} lines; at most {MAX_LINES:,} are read."
        found.refuse("too_many_lines", f"row {row.number}", f"{sentence} Split it.")
    pieces = list(split_at_labels(lines, labels_that_count(find_labels(lines))))
    if not pieces:
        found.refuse("no_turns", f"row {row.number}", f"Row {row.number} holds no words.")
    refuse_too_many_turns(pieces, found)
    turns = []
    for number, piece in enumerate(pieces, 1):
        words = stored_text(piece.text, number=number, kind=TurnKind.SPEECH, found=found)
        start = milliseconds(piece.stamp, place=f"turn {number}", found=found, turn=number)
        turns.append(Turn(number, piece.label or "", None, TurnKind.SPEECH, words, start))
    return tuple(turns)
