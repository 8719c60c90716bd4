"""Two hundred rounds of two writers on one row."""

from __future__ import annotations

import pytest

from oipsce_site.people.roles import Role
from review.actions.rebuilding import differing_rows
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.review.racing import Round, race

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_hundred_rounds_lose_nothing_and_apply_each_decision_once() -> None:
    publish(catalog_source("micro"))
    north = make_site("north")
    people = (make_person(Role.REVIEWER, site=north), make_person(Role.REVIEWER, site=north))
    rounds: list[Round] = []
    for _ in range(10):
        call_id = prefilled(read(raw_micro(id=f"race-{len(rounds)}")), north)
        rounds += race(call_id, people, rounds=20)
        assert differing_rows(call_id) == ()
    told = sum(one.conflicts for one in rounds)
    print(f"races: {len(rounds)} rounds of two writers, {told} told of the other")  # noqa: T201
    assert {(one.applied, one.stored) for one in rounds} == {(2, 2)}
