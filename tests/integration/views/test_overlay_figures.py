"""Calls come to an overlay by their site; figures across sites count what the base says."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from catalogs.queries import document_of
from oipsce_site.people.models import Membership, Site
from oipsce_site.people.roles import Role
from review.models import Call
from review.queries.report_cards import CardScope, count_groups
from tests.factories import NOON, catalog_source, make_person, prefilled, publish, raw_micro, read
from tests.integration.catalogs.test_overlays import MINE, SLUG, in_force, overlay
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db

DAY = date(2026, 3, 10)


@pytest.fixture
def sites() -> tuple[Site, Site]:
    """Return north, which has an overlay, and south; one call of each is signed."""
    north = Site.objects.create(slug="north", name="North")
    south = Site.objects.create(slug="south", name="South")
    publish(catalog_source("micro"))
    in_force(overlay(), make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER))
    for site in (north, south):
        call_id = prefilled(read(raw_micro(id=f"micro-{site.slug}")), site)
        sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=site))
    return north, south


def judged(client: Client, catalog: str) -> dict[str, str]:
    """Return by edge or item in how many calls it was judged, as the page's file says."""
    answer = client.get(reverse("review:failure_rates_file"), {"catalog": catalog})
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    return {row["edge or item"]: row["judged"] for row in rows}


def test_a_call_is_judged_by_the_overlay_of_its_site(sites: tuple[Site, Site]) -> None:
    found = {
        call.site.slug: (
            call.catalog_version.catalog.slug,
            call.rows.filter(phase="RECORDED").count(),
        )
        for call in Call.objects.all()
        if call.catalog_version is not None
    }
    assert found == {"north": (MINE, 1), "south": (SLUG, 0)}


def test_failure_rates_of_the_base_count_both_sites_and_only_what_the_base_says(
    sites: tuple[Site, Site], client: Client
) -> None:
    officer = make_person(Role.COMPLIANCE_OFFICER, site=sites[0])
    Membership.objects.create(
        user=officer, site=sites[1], role=Role.COMPLIANCE_OFFICER, granted_at=NOON
    )
    client.force_login(officer)
    base = judged(client, SLUG)
    assert set(base.values()) == {"2"}
    assert not [name for name in base if "RECORDED" in name]
    own = judged(client, MINE)
    assert own["RECORDED/told"] == "1"
    assert set(base) < set(own)


def test_rows_across_sites_leave_out_the_phases_of_overlays(sites: tuple[Site, Site]) -> None:
    north, south = sites
    scope = CardScope(frozenset({north.pk, south.pk}), None, DAY, DAY)
    counted: dict[str, int] = {}
    for one in count_groups(scope):
        counted[one.site] = counted.get(one.site, 0) + one.number
    digest = Call.objects.get(site=south).catalog_version
    assert digest is not None
    phases = len(document_of(digest.digest).phases)
    assert counted == {"north": phases, "south": phases}
