"""The role that tests, web and worker connect as."""

import pytest
from django.db import ProgrammingError, connection, transaction

from oipsce_site.people.roles import Role
from tests.factories import make_person


def _ask(statement: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
        return row[0] if row else None


@pytest.mark.django_db
def test_everything_runs_as_the_application_role() -> None:
    assert _ask("SELECT current_user") == "oip_app"
    assert _ask("SELECT session_user") == "oip_app"


@pytest.mark.django_db
def test_a_commit_waits_for_the_disk_whatever_the_server_says() -> None:
    assert _ask("SHOW synchronous_commit") == "on"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.mine (id int)",
        "CREATE SCHEMA mine",
        "CREATE ROLE mine",
        "ALTER TABLE people_user ADD COLUMN mine int",
        "DROP TABLE people_user",
        "ALTER TABLE people_user DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
    ],
)
def test_the_application_role_cannot_change_the_schema(statement: str) -> None:
    refusal = pytest.raises(ProgrammingError, match=r"permission denied|must be owner")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db
def test_the_application_role_has_no_special_right() -> None:
    query = (
        "SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls"
        " FROM pg_roles WHERE rolname = current_user"
    )
    assert _ask(query) is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_time", range(2))
def test_transactional_tests_leave_empty_tables(_time: int) -> None:
    assert _ask("SELECT count(*) FROM people_user") == 0
    make_person(Role.REVIEWER)
    assert _ask("SELECT count(*) FROM people_user") == 1
