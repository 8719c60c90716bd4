"""Calls that were stored before calls kept their lines get the same lines by the migration."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import connection

from oipsce_site.people.roles import Role
from review.actions.call_line import sample_key
from review.actions.decisions import decide
from review.core.decisions import Ask, Kind, PointValue
from review.core.queue import is_sampled
from review.models import Call, PhaseRow
from tests.factories import NOON, case, catalog_source, make_person, prefilled, publish, take

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


QUEUE_COLUMNS = ("queue_class", "queue_phase", "queue_code", "queue_edge")
NO_PLACE: dict[str, Any] = {
    "queue_class": None,
    "queue_phase": "",
    "queue_code": "",
    "queue_edge": None,
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


def test_the_migration_places_calls_in_the_queue_as_the_actions_do() -> None:
    for name in ("micro", "benefits_verification"):
        publish(catalog_source(name))
    first, second = prefilled(case("case_b_call")), prefilled(case("case_micro"))
    take(case("case_a_respiratory"))
    sue = make_person(Role.SENIOR_REVIEWER)
    turn = Ask(Kind.SET_START, "CSV", value=PointValue(60), reason="why")
    decide(call_id=first, decision=turn, expected_revision=1, key=uuid4(), by=sue, at=NOON)
    for phase in PhaseRow.objects.filter(call=second).values_list("phase", flat=True):
        asked = Ask(Kind.DOUBT if phase == "PID" else Kind.CONFIRM, phase, reason="why")
        decide(call_id=second, decision=asked, expected_revision=1, key=uuid4(), by=sue, at=NOON)
    made = list(Call.objects.order_by("id").values(*QUEUE_COLUMNS))
    assert {one["queue_class"] for one in made} > {None, 5}
    Call.objects.update(**NO_PLACE)
    migration = importlib.import_module("review.migrations.0010_queue")
    migration.fill_classes(apps, SimpleNamespace(connection=connection))
    assert list(Call.objects.order_by("id").values(*QUEUE_COLUMNS)) == made


def test_the_migration_draws_the_sample_as_the_actions_do() -> None:
    """Of many calls without any flag it takes the same ones."""
    publish(catalog_source("micro"))
    call = Call.objects.get(pk=prefilled(case()))
    PhaseRow.objects.update(flags=[])
    Call.objects.update(flagged=0)
    migration = importlib.import_module("review.migrations.0010_queue")
    migration.fill_classes(apps, SimpleNamespace(connection=connection))
    call.refresh_from_db()
    assert (call.queue_class == 4) == is_sampled(call.pk, sample_key())
    for number in range(500):
        drawn = UUID(int=number)
        assert migration._is_drawn(drawn.bytes) == is_sampled(drawn, sample_key())
