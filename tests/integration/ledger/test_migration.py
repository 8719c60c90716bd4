"""The migration that makes the log: who may run it, and that nothing runs it backwards."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import Error, connection
from django.db.migrations import Migration, RunSQL
from django.db.migrations.loader import MigrationLoader


@pytest.fixture
def migration() -> Migration:
    """Return the migration as Django loads it, without asking the database."""
    return MigrationLoader(None).get_migration("ledger", "0001_entry")


def first_statement(migration: Migration) -> str:
    operation = migration.operations[0]
    assert isinstance(operation, RunSQL)
    return str(operation.sql)


def test_the_owner_may_run_it(
    owner: psycopg.Connection[tuple[Any, ...]], migration: Migration
) -> None:
    owner.execute(first_statement(migration).encode())


def test_the_application_is_told_to_use_the_owner(db: None, migration: Migration) -> None:
    with (
        pytest.raises(Error, match="run as oip_app, not as oip_owner"),
        connection.cursor() as cursor,
    ):
        cursor.execute(first_statement(migration))


def test_it_has_no_way_back(migration: Migration) -> None:
    assert not any(isinstance(op, RunSQL) and op.reversible for op in migration.operations)
