"""Transactional tests leave their rows behind: emptying the tables they filled, and only those.

Django would truncate every table and make its permissions anew, which takes longer than most of
these tests do. The superuser sets the guards of a table aside for the one transaction that empties
it. The ledger's tables lie in another schema and keep what they have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import TransactionTestCase
from psycopg import Connection, sql

from oipsce_site.services import databases
from oipsce_site.services.layout import Profile

#: What a migration leaves stays: Django's own lists.
_KEPT = ("django_migrations", "django_content_type", "auth_permission")
_GUARDED = """
select c.relname, coalesce(array_agg(t.tgname) filter (where t.tgenabled = 'A'), '{}')
  from pg_class c left join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
 where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any(%s)
 group by 1
"""


@contextmanager
def emptied_quickly(profile: Profile, name: str) -> Iterator[None]:
    """Empty the tables of this database after each transactional test, while this lasts."""
    with databases.admin(profile, name) as connection, pytest.MonkeyPatch.context() as patch:
        # Foreign keys are not looked at: in the end there is no row left.
        connection.execute("set session_replication_role = replica")
        found = connection.execute(_GUARDED, [list(_KEPT)])
        emptying = {table: _emptying(table, guards) for table, guards in found}

        def empty(_test: TransactionTestCase) -> None:
            _empty(connection, emptying)

        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        yield


def _emptying(table: str, guards: list[str]) -> sql.Composed:
    named = sql.Identifier(table)
    return sql.SQL("; ").join(
        [
            *(_turn("disable", named, one) for one in guards),
            sql.SQL("delete from {}").format(named),
            *(_turn("enable always", named, one) for one in guards),
        ]
    )


def _turn(how: str, table: sql.Identifier, guard: str) -> sql.Composed:
    words = {
        "disable": sql.SQL("alter table {} disable trigger {}"),
        "enable always": sql.SQL("alter table {} enable always trigger {}"),
    }
    return words[how].format(table, sql.Identifier(guard))


def _empty(connection: Connection[Any], emptying: Mapping[str, sql.Composed]) -> None:
    rows = (
        sql.SQL("(select {} from {} limit 1)").format(table, sql.Identifier(table))
        for table in emptying
    )
    filled = connection.execute(sql.SQL(" union all ").join(rows)).fetchall()
    if filled:
        with connection.transaction():
            connection.execute(sql.SQL("; ").join(emptying[table] for (table,) in filled))
