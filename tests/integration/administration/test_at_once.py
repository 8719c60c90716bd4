"""Two administrators at the same moment, each on a connection of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from oipsce_site.administration.actions.acting import ChangedMeanwhile
from oipsce_site.administration.actions.people import deactivate_person
from oipsce_site.administration.actions.roles import decline_role, grant_role
from oipsce_site.administration.permissions import NotAllowed
from oipsce_site.people.models import Membership, User
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person, make_site
from tests.integration.administration.acts import administrator, asked

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Run the acts at the same moment; return what each came to: "done" or the refusal's name."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        try:
            start.wait()
            act()
        except (ChangedMeanwhile, NotAllowed) as refusal:
            return type(refusal).__name__
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def deactivation(whom: User, by: User) -> Callable[[], object]:
    return lambda: deactivate_person(
        person_id=whom.pk, expected_revision=1, reason="a quarrel", by=by, at=NOON
    )


def test_two_who_deactivate_each_other_leave_one_administrator() -> None:
    for _ in range(ROUNDS):
        User.objects.update(is_active=False)
        one, other = administrator(), administrator()
        assert at_once(deactivation(one, other), deactivation(other, one)) == ["NotAllowed", "done"]
        assert User.objects.filter(is_active=True).count() == 1


def test_a_request_is_answered_once() -> None:
    first, second = administrator(), administrator()
    for _ in range(ROUNDS):
        person = make_person()
        request_id = asked(person, Role.REVIEWER, make_site(), by=administrator())

        grant = partial(grant_role, request_id=request_id, by=first, at=NOON)
        decline = partial(decline_role, request_id=request_id, by=second, at=NOON)
        assert at_once(grant, decline) == ["ChangedMeanwhile", "done"]
        assert Membership.objects.filter(user=person).count() <= 1
