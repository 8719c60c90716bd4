"""Sixteen reviewers at the same moment take five hundred calls from the queue."""

from __future__ import annotations

from time import perf_counter

import pytest

from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site
from tests.integration.review.test_queue_at_once import THREADS, claim_all, fill_queue

pytestmark = pytest.mark.django_db(transaction=True)

CALLS = 500


def test_five_hundred_calls_are_claimed_once_each() -> None:
    site = make_site("north")
    fill_queue(site, CALLS)
    people = [make_person(Role.REVIEWER, site=site) for _ in range(THREADS)]
    began = perf_counter()
    taken = claim_all(people, CALLS)
    took = perf_counter() - began
    taken += claim_all(people[:1], CALLS)
    distinct = len(set(taken))
    print(f"queue: {THREADS} threads, {len(taken)} claims, {distinct} distinct, {took:.1f} s")  # noqa: T201
    assert len(taken) == distinct == CALLS
