"""Queries that are composed once and asked many times.

The ORM composes its statement anew for every query, which for the query of a page costs several
times what the database does. Here a query is composed with marks in the place of what it is asked
about; each time the marks are exchanged for what is asked now.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import QuerySet

#: Builds the query for some ids and times, in which it must use nothing but their values.
Build = Callable[..., QuerySet[Any, Any]]
#: What a query is asked about.
Asked: TypeAlias = UUID | datetime
_ASKED = frozenset({UUID, datetime})


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    given: tuple[Any, ...]
    names: tuple[str, ...]
    converters: dict[int, tuple[Sequence[Callable[..., Any]], Any]]


class Composed:
    """A query by `values()`, asked with other ids each time.

    `build` makes it for so many ids, and after them so many times; `basis` is what else its text
    depends on, and where that has changed the query is composed anew.
    """

    def __init__(
        self, build: Build, ids: int, basis: Callable[[], Hashable], times: int = 0
    ) -> None:
        """Keep how the query is built; nothing is composed before it is asked."""
        self._build = build
        far = [datetime.max.replace(tzinfo=UTC) - timedelta(days=1 + at) for at in range(times)]
        self._marks: tuple[Asked, ...] = (*(uuid4() for _ in range(ids)), *far)
        self._basis = basis
        self._composed: tuple[Hashable, _Statement] | None = None

    def rows(self, *given: Asked) -> list[dict[str, Any]]:
        """Return the rows for these ids and times, as `values()` gives them."""
        with connection.cursor() as cursor:
            cursor.execute(*self.text(*given))
            return [_converted(row, self._statement()) for row in cursor.fetchall()]

    def text(self, *given: Asked) -> tuple[str, list[Any]]:
        """Return the statement for these ids and times and its values, as a part of another one."""
        statement = self._statement()
        now = dict(zip(self._marks, given, strict=True))
        return statement.text, [
            now.get(one, one) if type(one) in _ASKED else one for one in statement.given
        ]

    def first(self, *given: Asked) -> dict[str, Any] | None:
        """Return the first row for these ids and times; None without one."""
        return next(iter(self.rows(*given)), None)

    def _statement(self) -> _Statement:
        basis = self._basis()
        composed = self._composed
        if composed is None or composed[0] != basis:
            composed = self._composed = (basis, _compose(self._build(*self._marks)))
        return composed[1]


def _compose(query: QuerySet[Any, Any]) -> _Statement:
    compiler = query.query.get_compiler(connection=connection)
    text, given = compiler.as_sql()
    selected = compiler.select
    converters = compiler.get_converters([one[0] for one in selected])
    return _Statement(text, tuple(given), tuple(query.query.selected or ()), dict(converters))


def _converted(row: Sequence[Any], statement: _Statement) -> dict[str, Any]:
    values = list(row)
    for at, (functions, expression) in statement.converters.items():
        for function in functions:
            values[at] = function(values[at], expression, connection)
    return dict(zip(statement.names, values, strict=True))
