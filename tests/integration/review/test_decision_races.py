"""Two writers of one row at the same time: nothing is lost and nothing is applied twice."""

from __future__ import annotations

import pytest

from oipsce_site.people.roles import Role
from review.actions.rebuilding import differing_rows
from review.models import Decision
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.integration.review.racing import race

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_writers_both_are_applied_once_and_one_has_seen_the_other() -> None:
    publish(catalog_source("micro"))
    north = make_site("north")
    call_id = prefilled(case(), north)
    people = (make_person(Role.REVIEWER, site=north), make_person(Role.REVIEWER, site=north))
    for done in race(call_id, people, rounds=10):
        assert (done.applied, done.conflicts, done.stored) == (2, 1, 2)
    numbers = list(Decision.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 21))
    assert differing_rows(call_id) == ()
