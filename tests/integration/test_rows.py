"""Rows by the hundred: what goes in comes out, and the database refuses as it always does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from uuid import UUID, uuid4

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from oipsce_site.rows import Row, change_row, insert_rows, load_row
from review.models import Call, PhaseRow
from tests.factories import case, catalog_source, publish, take

pytestmark = pytest.mark.django_db

Statements = Callable[[int], AbstractContextManager[object]]


@pytest.fixture
def call_id() -> UUID:
    """Return a stored call."""
    publish(catalog_source("micro"))
    return take(case()).call_id


def a_row(call_id: UUID, phase: str, **changes: object) -> Row:
    """Return a phase row as its table names it."""
    row: dict[str, object] = {
        "call_id": call_id,
        "phase": phase,
        "position": 0,
        "start_state": "NEVER",
        "start_turn": None,
        "finish_state": "NEVER",
        "finish_turn": None,
        "verdict": "FAIL",
        "required": "YES",
        "volunteered": False,
        "flags": [],
    }
    return {**row, **changes}


def test_rows_come_out_in_their_order_with_every_value(
    call_id: UUID, django_assert_num_queries: Statements
) -> None:
    texts = ['a"b\\c', "naïve €\u2028", "tab\tand\nline", "{A,B}"]
    rows = [a_row(call_id, text, flags=["ONE", text]) for text in texts]
    with django_assert_num_queries(1):
        insert_rows(PhaseRow._meta.db_table, rows)
    stored = PhaseRow.objects.filter(call_id=call_id).order_by("id")
    assert [(row.phase, row.flags) for row in stored] == [(text, ["ONE", text]) for text in texts]


def test_no_row_is_no_statement(django_assert_num_queries: Statements) -> None:
    with django_assert_num_queries(0):
        assert insert_rows(PhaseRow._meta.db_table, []) == []


def test_what_a_conflict_leaves_out_is_not_returned(call_id: UUID) -> None:
    ending = "ON CONFLICT DO NOTHING RETURNING phase"
    table = PhaseRow._meta.db_table
    assert insert_rows(table, [a_row(call_id, "A")], ending=ending) == [("A",)]
    both = [a_row(call_id, "A"), a_row(call_id, "B")]
    assert insert_rows(table, both, ending=ending) == [("B",)]


def test_a_character_that_cannot_be_stored_is_a_data_error(call_id: UUID) -> None:
    for text in ("nul \0", "half \ud800"):
        with pytest.raises(DataError), transaction.atomic():
            insert_rows(PhaseRow._meta.db_table, [a_row(call_id, text)])


def test_constraints_hold(call_id: UUID) -> None:
    table = PhaseRow._meta.db_table
    with pytest.raises(IntegrityError, match="phaserow_codes_known"), transaction.atomic():
        insert_rows(table, [a_row(call_id, "A", verdict="PERHAPS")])
    insert_rows(table, [a_row(uuid4(), "A")])
    # Foreign keys are looked at when the transaction ends.
    with pytest.raises(IntegrityError, match="call_id"):
        connection.check_constraints()
    transaction.set_rollback(True)


def test_a_value_of_another_type_is_named(call_id: UUID) -> None:
    with pytest.raises(TypeError, match="holds a set"):
        insert_rows(PhaseRow._meta.db_table, [a_row(call_id, "A", flags={1})])


def test_a_row_loads_as_the_orm_loads_it(call_id: UUID) -> None:
    loaded, expected = load_row(Call, call_id), Call.objects.get(pk=call_id)
    assert loaded is not None
    names = [field.attname for field in Call._meta.concrete_fields]
    assert [getattr(loaded, name) for name in names] == [getattr(expected, name) for name in names]
    assert load_row(Call, uuid4()) is None


def test_changes_of_a_row_are_stored_and_nothing_else(call_id: UUID) -> None:
    call = Call.objects.get(pk=call_id)
    call.title, call.row_flags, call.findings = "new", ["A"], [{"code": "x"}]
    call.language = "not stored"
    change_row(call, ("title", "row_flags", "findings"))
    stored = Call.objects.get(pk=call_id)
    assert (stored.title, stored.row_flags, stored.findings) == ("new", ["A"], [{"code": "x"}])
    assert stored.language != "not stored"
