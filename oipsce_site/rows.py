"""Rows in and out by short statements, for what a worker does hundreds of times a second.

Everything else goes through the ORM, which composes each statement anew and so costs more than the
database does. Values are checked by the database alone: types, constraints and triggers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any, TypeVar, cast
from uuid import UUID

import orjson
import psycopg
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

Row = Mapping[str, object]
M = TypeVar("M", bound=models.Model)


def insert_rows(table: str, rows: Sequence[Row], *, ending: str = "") -> list[tuple[Any, ...]]:
    """Insert rows in their order, and return what `ending` says to (``RETURNING id``).

    Each row names the same columns of the table; a value is what JSON knows, a UUID, a date, a
    time or bytes. `ending` may say what a conflict does. Raises DataError for a value that the
    database cannot hold, IntegrityError for a row that it refuses.
    """
    if not rows:
        return []
    columns = ", ".join(f'"{name}"' for name in rows[0])
    # One text for any number of rows, so it is planned once; and nothing of it reads a table, so
    # that plan does not age.
    statement = (
        f"INSERT INTO {table} ({columns}) SELECT {columns} "  # noqa: S608 - names of our columns
        f"FROM json_populate_recordset(NULL::{table}, %s) {ending}"
    )
    with _prepared() as cursor:
        cursor.execute(statement, [_packed(rows)])
        return cursor.fetchall() if cursor.description else []


def insert_instances(
    instances: Sequence[models.Model], *, ending: str = ""
) -> list[tuple[Any, ...]]:
    """Insert instances of one model, whose keys are set, with every column, as `insert_rows`."""
    if not instances:
        return []
    names = _names(type(instances[0]))
    rows = [{name: getattr(one, name) for name in names} for one in instances]
    return insert_rows(instances[0]._meta.db_table, rows, ending=ending)


def load_row(model: type[M], key: UUID, *, for_update: bool = False) -> M | None:
    """Return the row of this primary key, locked if asked; None where there is none."""
    return next(iter(load_rows(model, [key], for_update=for_update)), None)


def load_rows(model: type[M], keys: Sequence[UUID], *, for_update: bool = False) -> list[M]:
    """Return the rows of these primary keys that are there, in the order of their keys.

    In that order they are locked, if asked: two who want some of the same wait, and never for each
    other.
    """
    columns = columns_of(model)
    statement = (
        f"SELECT {columns} FROM {model._meta.db_table} "  # noqa: S608 - names of our own
        f"WHERE id = ANY(%s::uuid[]) ORDER BY id{' FOR UPDATE' if for_update else ''}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(keys)])
        return [from_row(model, found) for found in cursor.fetchall()]


def change_row(row: models.Model, names: Sequence[str]) -> None:
    """Store these columns of a row that is there."""
    change_rows([row], names)


def change_rows(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    """Store these columns of rows of one model that are there, by one statement."""
    if not rows:
        return
    table = rows[0]._meta.db_table
    fields = [field for field in rows[0]._meta.concrete_fields if field.name in names]
    changes = ", ".join(f'"{field.column}" = changed."{field.column}"' for field in fields)
    values = [
        {"id": row.pk, **{str(field.column): getattr(row, field.attname) for field in fields}}
        for row in rows
    ]
    with _prepared() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {changes} "  # noqa: S608 - names of our columns
            f"FROM json_populate_recordset(NULL::{table}, %s) AS changed "
            f"WHERE {table}.id = changed.id AND {table}.id = ANY(%s)",
            [_packed(values), [row.pk for row in rows]],
        )


@cache
def columns_of(model: type[models.Model]) -> str:
    """Return the columns of a model as a statement names them, in the order of its fields."""
    return ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)


def from_row(model: type[M], found: Sequence[Any]) -> M:
    """Make an instance of what a statement returned for `columns_of` a model."""
    values = list(found)
    for position, convert in _converters(model):
        values[position] = convert(values[position], None, connection)
    return model.from_db(connection.alias, _names(model), values)


@cache
def _names(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@cache
def _converters(model: type[models.Model]) -> list[tuple[int, Callable[..., Any]]]:
    return [
        (position, convert)
        for position, field in enumerate(model._meta.concrete_fields)
        for convert in field.get_db_converters(connection)
    ]


def _prepared() -> CursorWrapper:
    """Return a cursor that sends values apart from its statement and prepares the statement."""
    connection.ensure_connection()
    raw = cast("psycopg.Connection[Any]", connection.connection)
    # Django's own cursors never prepare, whatever stands here.
    raw.prepare_threshold = 0
    cursor = cast("CursorWrapper", psycopg.Cursor(raw))
    if connection.queries_logged:
        return connection.make_debug_cursor(cursor)
    return connection.make_cursor(cursor)


def _packed(rows: Sequence[Row]) -> str:
    """Write rows as JSON by the fast writer; what it refuses the standard one writes, and of that
    the database says what it cannot hold.
    """
    try:
        return orjson.dumps(rows, default=_written).decode()
    except TypeError:
        return json.dumps(rows, default=_written)


def _written(value: object) -> str:
    match value:
        case UUID():
            return str(value)
        case date() | datetime():
            return value.isoformat()
        case bytes():
            return f"\\x{value.hex()}"
        case _:
            raise TypeError(f"a row holds a {type(value).__name__}, which is not written so")
