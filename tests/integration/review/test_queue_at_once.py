"""Many reviewers at the same moment, each on a connection of their own: nobody gets another's call.

The small round runs with every test; tests/soak has the five hundred calls of the design.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import connection

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.holds import HeldByAnother, claim_call
from review.actions.queueing import claim_next
from review.core.queue import HOLD
from review.models import Call
from review.queries.queue_list import QueueNarrowing
from tests.bulk import fill_calls
from tests.factories import NOON, catalog_source, make_person, make_site, publish

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 16
CALLS = 80


def fill_queue(site: Site, calls: int) -> None:
    """Have so many calls wait for a reviewer at a site, and no others."""
    publish(catalog_source("micro"))
    versions = list(CatalogVersion.objects.values_list("pk", flat=True))
    name = str(connection.settings_dict["NAME"])
    fill_calls(name, calls, sites=[site.pk], versions=versions)
    Call.objects.update(state="AWAITING_REVIEW", needs_mapping="", queue_class=2)
    Call.objects.filter(order_safe=None).update(
        coverage="PASS", order_safe="PASS", call_success="PASS"
    )


def claim_all(people: list[User], most: int) -> list[UUID]:
    """Let everybody take the next call at the same moment, until there is none or too many."""
    start = Barrier(len(people))

    def run(person: User) -> list[UUID]:
        taken: list[UUID] = []
        try:
            start.wait()
            while len(taken) < most:
                found = claim_next(narrowing=QueueNarrowing(), key=uuid4(), by=person, at=NOON)
                if found is None:
                    break
                taken.append(found.call_id)
        finally:
            connection.close()
        return taken

    with ThreadPoolExecutor(len(people)) as pool:
        return [one for taken in pool.map(run, people) for one in taken]


def at_once(acts: list[Callable[[], object]]) -> list[object]:
    """Run the acts at the same moment; returns what each came to, a refusal as its name."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            start.wait()
            return act()
        except HeldByAnother as refusal:
            return type(refusal).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_c01_sixteen_reviewers_claim_every_call_once() -> None:
    site = make_site("north")
    fill_queue(site, CALLS)
    people = [make_person(Role.REVIEWER, site=site) for _ in range(THREADS)]
    taken = claim_all(people, CALLS)
    # Skipping what another looks at may leave the last calls to a later "next", never twice.
    taken += claim_all(people[:1], CALLS)
    assert len(taken) == len(set(taken)) == CALLS


def test_one_call_whose_hold_is_over_goes_to_one_of_sixteen() -> None:
    site = make_site("north")
    fill_queue(site, 1)
    first, *people = [make_person(Role.REVIEWER, site=site) for _ in range(THREADS + 1)]
    [call_id] = Call.objects.values_list("pk", flat=True)
    claim_call(call_id=call_id, by=first, at=NOON)
    late = NOON + HOLD + timedelta(seconds=1)
    acts: list[Callable[[], object]] = [
        lambda person=person: claim_call(call_id=call_id, by=person, at=late)  # type: ignore[misc]
        for person in people
    ]
    came = at_once(acts)
    assert sorted(map(str, came)) == ["2", *["HeldByAnother"] * (THREADS - 1)]


def test_two_clicks_at_the_same_moment_claim_one_call() -> None:
    site = make_site("north")
    fill_queue(site, 8)
    person, key = make_person(Role.REVIEWER, site=site), uuid4()
    clicks: list[Callable[[], object]] = [
        lambda: claim_next(narrowing=QueueNarrowing(), key=key, by=person, at=NOON)
    ] * 4
    assert len(set(at_once(clicks))) == 1
    assert Call.objects.filter(held_by=person).count() == 1
