"""Every operation asked for with what schemathesis makes of the schema, good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from review.models import RunningCall
from tests.factories import catalog_source, publish, raw_micro
from tests.programs import head, program

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def ask_every_operation(*, examples: int) -> None:
    """Ask for each operation so many times in each mode; a check that fails raises."""
    publish(catalog_source("micro"))
    one = program()
    stored = one.post("calls", raw_micro()).body["calls"][0]["id"]
    running = one.post("running-calls", head(id="for the schema")).body["id"]
    with _one_connection():
        _ask_all(one.key, stored, running, examples)
    assert RunningCall.objects.filter(pk=running).exists()


def _ask_all(key: str, stored: str, running: str, examples: int) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    asked = 0
    for found in schema.get_all_operations():
        operation = cast("Ok[Any]", found).ok()
        known = running if "running" in operation.path else stored
        for mode in GenerationMode:
            asked += _ask(operation, mode, known, key, examples)
    assert asked > 7 * examples


@contextmanager
def _one_connection() -> Iterator[None]:
    """Keep the test's own connection and its transaction between requests."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def _ask(operation: Any, mode: GenerationMode, known: str, key: str, examples: int) -> int:
    asked = 0

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Case[Any]) -> None:
        nonlocal asked
        asked += 1
        # Every other time there is such a call.
        if asked % 2 and case.path_parameters:
            case.path_parameters["call_id"] = known
        case.call_and_validate(
            headers={"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"},
            checks=CHECKS,
        )

    ask()
    return asked
