"""Calls that were stored before calls kept their lines get the same lines by the migration."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from review.models import Call
from tests.factories import case, catalog_source, prefilled, publish, take

pytestmark = pytest.mark.django_db

COLUMNS = ("coverage", "order_safe", "call_success", "flagged", "critical", "row_flags", "search")
EMPTY: dict[str, Any] = {
    "coverage": None,
    "order_safe": None,
    "call_success": None,
    "flagged": 0,
    "critical": 0,
    "row_flags": [],
    "search": "",
}


def lines() -> list[dict[str, Any]]:
    """Return the lines of all calls."""
    return list(Call.objects.order_by("id").values(*COLUMNS))


def test_the_migration_makes_the_lines_that_the_actions_make() -> None:
    for name in ("micro", "benefits_verification"):
        publish(catalog_source(name))
    prefilled(case("case_b_call"))
    prefilled(case("case_micro"))
    take(case("case_a_respiratory"))
    made = lines()
    Call.objects.update(**EMPTY)
    migration = importlib.import_module("review.migrations.0004_listed_calls")
    migration.fill_lines(apps, SimpleNamespace(connection=connection))
    assert lines() == made
