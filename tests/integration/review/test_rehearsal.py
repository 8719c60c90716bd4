"""Publishing asks for a green rehearsal of exactly the text; a worker's task stores one."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import UnableToMove, publish_version, submit_version
from catalogs.models import CatalogVersion, RehearsalReport
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.rehearsal import UnableToStoreRehearsal, store_rehearsal
from review.tasks import rehearse_version, sweep
from tests.factories import (
    NOON,
    catalog_source,
    draft,
    make_person,
    rehearsal_of,
    verified_today,
)

pytestmark = pytest.mark.django_db

# Both edges are then only seen unsafe and never unknown: the variants go.
ONE_SIDED = ("  - {call: case_micro.json, variants: all}\n", "")


def waiting(source: bytes) -> tuple[UUID, User]:
    """Make a version that lacks nothing but its rehearsal; returns it and its approver."""
    author, approver = make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER)
    version_id = draft(source, author)
    submit_version(version_id=version_id, by=author, at=NOON)
    waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="for a test", by=approver, at=NOON
    )
    return version_id, approver


def test_without_a_rehearsal_nothing_is_published() -> None:
    version_id, approver = waiting(catalog_source("micro"))
    with pytest.raises(UnableToMove, match="has not been rehearsed yet"):
        publish_version(version_id=version_id, by=approver, at=NOON)


def test_the_task_stores_what_publishing_asks_for() -> None:
    version_id, approver = waiting(catalog_source("micro"))
    rehearse_version(version_id=str(version_id))
    report = RehearsalReport.objects.get()
    assert report.is_green
    assert report.result["counts"]["failing"] == 0
    publish_version(version_id=version_id, by=approver, at=NOON)
    assert CatalogVersion.objects.get(pk=version_id).state == "PUBLISHED"


@pytest.mark.django_db(transaction=True)
def test_a_rehearsal_whose_message_was_lost_is_rung_for_until_it_is_stored(
    bells: list[str],
) -> None:
    version_id, _ = waiting(catalog_source("micro"))
    verified_today()
    sweep()
    assert bells == ["review.rehearse_version"]
    for _again in range(2):
        rehearse_version(version_id=str(version_id), only_if_missing=True)
    assert RehearsalReport.objects.count() == 1
    bells.clear()
    sweep()
    assert bells == []


def test_an_edge_seen_from_one_side_stops_publishing_with_its_sentence() -> None:
    version_id, approver = waiting(catalog_source("micro", ONE_SIDED))
    rehearse_version(version_id=str(version_id))
    assert not RehearsalReport.objects.get().is_green
    with pytest.raises(UnableToMove, match=r"not green\. W703"):
        publish_version(version_id=version_id, by=approver, at=NOON)


def test_the_latest_rehearsal_counts() -> None:
    source = catalog_source("micro")
    version_id, approver = waiting(source)
    green = rehearsal_of(source)
    red = replace(green, tests=(), coverage=replace(green.coverage, runs=0))
    for minute, rehearsal in enumerate([green, red], start=1):
        store_rehearsal(
            version_id=version_id,
            report_id=uuid4(),
            rehearsal=rehearsal,
            by="test",
            at=NOON.replace(minute=minute),
        )
    with pytest.raises(UnableToMove, match="not green"):
        publish_version(version_id=version_id, by=approver, at=NOON.replace(minute=9))


def test_a_rehearsal_of_another_text_is_refused() -> None:
    version_id, _ = waiting(catalog_source("micro"))
    other = rehearsal_of(catalog_source("micro", ONE_SIDED))
    with pytest.raises(UnableToStoreRehearsal, match="another text"):
        store_rehearsal(
            version_id=version_id, report_id=uuid4(), rehearsal=other, by="test", at=NOON
        )
