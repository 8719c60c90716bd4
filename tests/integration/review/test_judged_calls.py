"""How many calls a version judges depends on who asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models import Call
from review.queries import count_judged_calls
from tests.factories import case, make_person, make_site, prefilled, raw_micro, read, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogs")]


def test_calls_of_the_readers_sites_are_counted_by_version(
    north: Site, django_assert_num_queries: Any
) -> None:
    call_id = prefilled(case(), north)
    take(read(raw_micro(id="second")), north)
    take(read(raw_micro(id="elsewhere")), make_site("south"))
    unmapped = take(
        read(raw_micro(id="other", call={"type": "other", "date": "2026-03-10"})), north
    )
    assert Call.objects.get(pk=unmapped.call_id).catalog_version_id is None
    version_id = Call.objects.get(pk=call_id).catalog_version_id
    reader = make_person(Role.REVIEWER, site=north)
    with django_assert_num_queries(2):
        assert count_judged_calls(reader) == {version_id: 2}


def test_who_reads_no_site_gets_no_number_rather_than_none_found(north: Site) -> None:
    prefilled(case(), north)
    assert count_judged_calls(make_person(Role.CATALOG_AUTHOR)) is None
    assert count_judged_calls(make_person(Role.REVIEWER, Role.ADMINISTRATOR, site=north)) is None
    assert count_judged_calls(AnonymousUser()) is None


def test_a_reader_of_an_empty_site_gets_an_empty_count() -> None:
    assert count_judged_calls(make_person(Role.REVIEWER, site=make_site("south"))) == {}
