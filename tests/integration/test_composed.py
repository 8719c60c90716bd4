"""A query that is composed once says the same as the ORM, whoever asks and after a change."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from oipsce_site.composed import Composed
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site

pytestmark = pytest.mark.django_db


def memberships(user_id: UUID, site_id: UUID) -> QuerySet[Membership, Any]:
    held = Membership.objects.filter(user=user_id, site=site_id)
    return held.order_by("role").values("role", "site_id", "user__is_active", "user__changed_at")


@pytest.fixture
def people() -> tuple[Site, User, User]:
    north = make_site("north")
    ann = make_person(Role.REVIEWER, site=north, username="ann")
    return north, ann, make_person(Role.AUDITOR, site=north, username="ben")


def test_each_asks_for_their_own(people: tuple[Site, User, User]) -> None:
    north, ann, ben = people
    composed = Composed(memberships, 2, lambda: None)
    for one in (ann, ben, ann):
        assert composed.rows(one.pk, north.pk) == list(memberships(one.pk, north.pk))
    first = composed.first(ann.pk, north.pk)
    assert first is not None
    assert (first["role"], type(first["site_id"])) == ("reviewer", UUID)
    assert composed.first(ann.pk, uuid4()) is None
    with pytest.raises(ValueError, match="shorter"):
        composed.first(ann.pk)


def test_one_that_rests_on_something_is_composed_anew_with_it() -> None:
    asked: list[str] = []
    basis = ["first"]

    def build(site_id: UUID) -> QuerySet[Site, Any]:
        asked.append(basis[0])
        return Site.objects.filter(pk=site_id, slug=basis[0]).values("slug")

    composed = Composed(build, 1, lambda: basis[0])
    second = make_site("second")
    assert composed.rows(second.pk) == []
    basis[0] = "second"
    with CaptureQueriesContext(connection) as queries:
        assert composed.rows(second.pk) == composed.rows(second.pk) == [{"slug": "second"}]
    assert len(queries) == 2
    assert asked == ["first", "second"]
