"""Sent many times at once, a call is there once; transactions are real here."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from review.models import Call, RunningCall, TranscriptRevision
from tests.factories import catalog_source, fill_all, publish, raw_micro
from tests.programs import Answer, Program, head, program, turns

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 5


def at_once(ask: Callable[[Program], Answer], key: str) -> list[Answer]:
    """Ask five times at the same moment, each over a connection of its own."""

    def one(_: int) -> Answer:
        try:
            return ask(Program(key))
        finally:
            connection.close()

    with ThreadPoolExecutor(TIMES) as pool:
        return list(pool.map(one, range(TIMES)))


def test_the_same_call_posted_five_times_in_parallel_exists_once() -> None:
    publish(catalog_source("micro"))
    key = program().key
    raw: dict[str, Any] = raw_micro()
    same = at_once(lambda one: one.post("calls", raw, once="same"), key)
    assert [one.status for one in same] == [201] * TIMES
    assert all(one.body == same[0].body for one in same)
    assert sum("Idempotency-Replayed" in one.headers for one in same) == TIMES - 1
    other = {**raw, "id": "other"}
    each = at_once(lambda one: one.post("calls", other), key)
    assert sorted(one.status for one in each) == [200] * (TIMES - 1) + [201]
    assert len({one.body["calls"][0]["id"] for one in each}) == 1
    assert Call.objects.count() == 2

    opened = at_once(lambda one: one.post("running-calls", head(id="runs")), key)
    assert sorted(one.status for one in opened) == [200] * (TIMES - 1) + [201]
    assert len({one.body["id"] for one in opened}) == RunningCall.objects.count() == 1
    part = {"after": None, "turns": turns()[:2]}
    place = f"running-calls/{opened[0].body['id']}"
    # Under keys of their own one is taken, and the others are told that it does not follow.
    told = at_once(lambda one: one.post(f"{place}/turns", part), key)
    assert sorted(one.status for one in told) == [200] + [409] * (TIMES - 1)
    assert Program(key).get(place).body["turns"] == 2
    # What was kept in memory goes on where it was, and says what the database says.
    kept = Program(key).post(f"{place}/turns", {"turns": turns()[2:]}).body
    assert kept["turns"] == len(turns())
    ended = at_once(lambda one: one.post(f"{place}/end", {}), key)
    assert sorted(one.status for one in ended) == [200] + [409] * (TIMES - 1)
    assert Call.objects.count() == 3


def test_the_same_events_attached_five_times_in_parallel_are_attached_once() -> None:
    publish(catalog_source("micro"))
    key = program().key
    [line] = Program(key).post("calls", raw_micro()).body["calls"]
    fill_all()
    part = {"events": [{"source": "tool", "name": "open_record", "turn": 2, "ok": True}]}
    each = at_once(lambda one: one.post(f"calls/{line['id']}/events", part), key)
    assert [one.status for one in each] == [200] * TIMES
    became = sorted(one.body["outcome"] for one in each)
    assert became == ["changed", *["unchanged"] * (TIMES - 1)]
    assert TranscriptRevision.objects.filter(call_id=line["id"]).count() == 2
