"""A task goes on with its process's connection while that is good, and with another where not."""

from __future__ import annotations

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from oipsce_site.celery import app
from review.tasks.imports import import_waiting
from review.tasks.jobs import Job

AFTER = [
    ("SUCCESS", True, True),
    ("SUCCESS", 50, True),
    ("SUCCESS", 0, False),
    ("SUCCESS", None, False),
    ("FAILURE", ValueError("x"), False),
    ("RETRY", True, False),
]

pytestmark = pytest.mark.django_db(transaction=True)


def _server_process() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [number] = cursor.fetchone()
    return int(number)


def test_a_good_connection_serves_the_next_task() -> None:
    first = _server_process()
    import_waiting.before_start()
    assert _server_process() == first


def test_a_connection_that_the_server_ended_is_replaced_before_the_next_task() -> None:
    first = _server_process()
    raw = connection.connection
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [first])
    import_waiting.before_start()
    assert _server_process() != first
    assert raw.closed


@pytest.mark.parametrize(("status", "found", "is_kept"), AFTER)
def test_a_connection_is_kept_while_there_is_work(
    status: str, found: object, *, is_kept: bool
) -> None:
    _server_process()
    import_waiting.after_return(status, found, "id", (), {}, None)
    assert (connection.connection is not None) is is_kept


def test_every_task_of_ours_is_such_a_job() -> None:
    ours = {name: task for name, task in app.tasks.items() if name.startswith("review.")}
    assert ours
    assert [name for name, task in ours.items() if not isinstance(task, Job)] == []
    assert settings.CELERY_DB_REUSE_MAX > 1
