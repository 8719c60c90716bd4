"""The life of a version: what each action does, refuses and records, and what the tables refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import (
    UnableToDraft,
    create_draft,
    publish_version,
    retire_version,
    submit_version,
)
from catalogs.core.document import load_document
from catalogs.models import CatalogVersion, VersionState
from catalogs.permissions import NotAllowed, can_approve, can_author
from catalogs.queries import document_of, list_versions, published_versions
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, draft, in_review, make_person, publish

pytestmark = pytest.mark.django_db

MICRO = "micro"
SECOND = (("version: 2.0.0", "version: 2.1.0"), ("from: 2026-01-01", "from: 2026-06-01"))


@pytest.fixture
def author() -> User:
    return make_person(Role.CATALOG_AUTHOR)


@pytest.fixture
def approver() -> User:
    return make_person(Role.CATALOG_APPROVER)


def second_version() -> bytes:
    """Return the micro catalog as version 2.1.0, in force from June."""
    return catalog_source(MICRO, *SECOND)


def kinds(version_id: UUID) -> list[str]:
    """Return the kinds of the entries on the chain of a version's catalog."""
    chain = CatalogVersion.objects.get(pk=version_id).catalog_id
    assert verify(chain) == []
    return [json.loads(entry.body)["type"] for entry in entries_of(chain)]


def test_a_draft_keeps_the_exact_bytes_and_names_them(author: User) -> None:
    source = catalog_source(MICRO)
    version = CatalogVersion.objects.select_related("catalog").get(pk=draft(source, author))
    document, _ = load_document(source)
    assert document is not None
    assert bytes(version.source) == source
    assert version.digest == document.digest
    assert (version.state, version.catalog.slug) == (VersionState.DRAFT, "member-benefits-micro")


def test_a_version_is_in_force_after_two_people(author: User, approver: User) -> None:
    version_id = publish(catalog_source(MICRO), author, approver)
    version = CatalogVersion.objects.get(pk=version_id)
    assert version.state == VersionState.PUBLISHED
    assert (version.created_by, version.published_by) == (author, approver)
    assert kinds(version_id) == [
        "genesis",
        "version.draft",
        "version.submit",
        "calibration.waive",
        "rehearsal.store",
        "version.publish",
    ]


def test_a_waivers_reason_is_in_the_log_as_a_commitment_only(author: User, approver: User) -> None:
    version_id = in_review(catalog_source(MICRO), author, approver)
    chain = CatalogVersion.objects.get(pk=version_id).catalog_id
    bodies = b"".join(entry.body for entry in entries_of(chain))
    assert b"for a test" not in bodies
    assert b'"reason":"' in bodies


def test_a_later_version_ends_the_one_before(author: User, approver: User) -> None:
    first = publish(catalog_source(MICRO), author, approver)
    publish(second_version(), author, approver)
    version = CatalogVersion.objects.get(pk=first)
    assert (version.state, version.effective_to) == (VersionState.PUBLISHED, date(2026, 5, 31))


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2026, 1, 1), "2.0.0"),
        (date(2026, 5, 31), "2.0.0"),
        (date(2026, 6, 1), "2.1.0"),
        (date(2030, 1, 1), "2.1.0"),
        (date(2025, 12, 31), None),
        (None, None),
    ],
)
def test_a_call_is_judged_by_the_version_of_its_date(
    day: date | None, expected: str | None
) -> None:
    publish(catalog_source(MICRO))
    publish(second_version())
    choice = published_versions().choose({"type": "member_benefits"}, day, site="north")
    assert (choice.document.version if choice.document else None) == expected
    assert (choice.sentence is None) == (expected is not None)


@pytest.mark.parametrize("attributes", [{"type": "other"}, {}, {"type": ()}])
def test_a_call_that_no_catalog_fits_gets_a_sentence(attributes: dict[str, Any]) -> None:
    publish(catalog_source(MICRO))
    choice = published_versions().choose(attributes, date(2026, 3, 1), site="north")
    assert choice.version is None
    assert choice.sentence
    assert "No catalog applies" in choice.sentence


def test_two_catalogs_that_fit_are_one_too_many() -> None:
    publish(catalog_source(MICRO))
    publish(catalog_source(MICRO, ("catalog: member-benefits-micro", "catalog: other-micro")))
    choice = published_versions().choose(
        {"type": "member_benefits"}, date(2026, 3, 1), site="north"
    )
    assert choice.sentence
    assert "Several versions apply" in choice.sentence


def test_a_retired_version_judges_no_call(author: User, approver: User) -> None:
    version_id = publish(catalog_source(MICRO), author, approver)
    retire_version(version_id=version_id, last_day=date(2026, 4, 1), by=approver, at=NOON)
    assert (
        published_versions()
        .choose({"type": "member_benefits"}, date(2026, 3, 1), site="north")
        .version
        is None
    )
    assert kinds(version_id)[-1] == "version.retire"
    [line] = list_versions(VersionState.values, date(2026, 4, 1))
    assert (line.state, line.effective_to) == ("RETIRED", date(2026, 4, 1))


def test_a_document_is_loaded_once_per_digest(django_assert_num_queries: Any) -> None:
    digest = CatalogVersion.objects.get(pk=publish(catalog_source(MICRO))).digest
    document_of(digest)
    with django_assert_num_queries(0):
        assert document_of(digest).slug == "member-benefits-micro"


Act = Callable[[User, User], object]


def _publish_own(author: User, _: User) -> None:
    both = make_person(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER)
    version_id = in_review(catalog_source(MICRO), both, both)
    publish_version(version_id=version_id, by=both, at=NOON)


def _publish_submitted(author: User, _: User) -> None:
    both = make_person(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER)
    version_id = draft(catalog_source(MICRO), author)
    submit_version(version_id=version_id, by=both, at=NOON)
    publish_version(version_id=version_id, by=both, at=NOON)


def _publish_uncalibrated(author: User, approver: User) -> None:
    version_id = draft(catalog_source(MICRO), author)
    submit_version(version_id=version_id, by=author, at=NOON)
    publish_version(version_id=version_id, by=approver, at=NOON)


def _publish_draft(author: User, approver: User) -> None:
    version_id = draft(catalog_source(MICRO), author)
    publish_version(version_id=version_id, by=approver, at=NOON)


def _publish_with_error(author: User, approver: User) -> None:
    source = catalog_source(MICRO, ("- {version: 2.0.0", "- {version: 0.9.0"))
    publish_version(version_id=in_review(source, author, approver), by=approver, at=NOON)


def _publish_overlap(author: User, approver: User) -> None:
    publish(second_version(), author, approver)
    version_id = in_review(catalog_source(MICRO), author, approver)
    publish_version(version_id=version_id, by=approver, at=NOON)


def _submit_twice(author: User, _: User) -> None:
    version_id = draft(catalog_source(MICRO), author)
    submit_version(version_id=version_id, by=author, at=NOON)
    submit_version(version_id=version_id, by=author, at=NOON)


def _retire_draft(author: User, approver: User) -> None:
    version_id = draft(catalog_source(MICRO), author)
    retire_version(version_id=version_id, last_day=date(2027, 1, 1), by=approver, at=NOON)


def _retire_before_start(author: User, approver: User) -> None:
    version_id = publish(catalog_source(MICRO), author, approver)
    retire_version(version_id=version_id, last_day=date(2025, 1, 1), by=approver, at=NOON)


def _waive_silently(author: User, approver: User) -> object:
    version_id = draft(catalog_source(MICRO), author)
    return waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="  ", by=approver, at=NOON
    )


def _draft_twice(author: User, _: User) -> object:
    draft(catalog_source(MICRO), author)
    return draft(catalog_source(MICRO), author)


def _draft_nonsense(author: User, _: User) -> object:
    return create_draft(source=b"[", catalog_id=uuid4(), version_id=uuid4(), by=author, at=NOON)


def _draft_by_approver(_: User, approver: User) -> object:
    return draft(catalog_source(MICRO), approver)


def _submit_nothing(author: User, _: User) -> None:
    submit_version(version_id=uuid4(), by=author, at=NOON)


@pytest.mark.parametrize(
    ("act", "refusal", "sentence"),
    [
        (_publish_own, UnableToMove, "published by a second person"),
        (_publish_submitted, UnableToMove, "published by a second person"),
        (_publish_uncalibrated, UnableToMove, "a waiver with its reason"),
        (_publish_draft, UnableToMove, "is draft and only one that is in review"),
        (_publish_with_error, UnableToMove, r"lint stops it: E604 changelog"),
        (_publish_overlap, UnableToMove, "two versions on one day"),
        (_submit_twice, UnableToMove, "only one that is draft can be submitted"),
        (_retire_draft, UnableToMove, "only one that is published can be retired"),
        (_retire_before_start, UnableToMove, "its last day cannot lie before"),
        (_waive_silently, UnableToMove, "needs its reason"),
        (_draft_twice, UnableToDraft, "exists already"),
        (_draft_nonsense, UnableToDraft, "cannot be read"),
        (_draft_by_approver, NotAllowed, "Only catalog authors"),
        (_submit_nothing, UnableToMove, "no such version"),
    ],
)
def test_refusals_say_why(
    act: Act, refusal: type[Exception], sentence: str, author: User, approver: User
) -> None:
    with pytest.raises(refusal, match=sentence):
        act(author, approver)


def test_can_derives_from_check(author: User, approver: User) -> None:
    assert (can_author(author), can_author(approver)) == (True, False)
    assert (can_approve(author), can_approve(approver)) == (False, True)


PUBLISHED_REFUSALS = [
    "update catalogs_catalogversion set source = 'x'",
    "update catalogs_catalogversion set digest = repeat('0', 64)",
    "update catalogs_catalogversion set version = '9'",
    "update catalogs_catalogversion set effective_from = '2020-01-01'",
    "update catalogs_catalogversion set state = 'DRAFT', submitted_by_id = null,"
    " submitted_at = null, published_by_id = null, published_at = null",
    "update catalogs_catalogversion set published_by_id = null",
    "delete from catalogs_catalogversion",
    "update catalogs_calibrationreport set reason = 'other'",
    "delete from catalogs_calibrationreport",
]


@pytest.mark.parametrize("statement", PUBLISHED_REFUSALS)
def test_the_application_cannot_change_what_is_published(statement: str) -> None:
    publish(catalog_source(MICRO))
    refused = pytest.raises(DatabaseError, match=r"does not change|never deleted|append-only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select current_user")
        assert cursor.fetchone() == ("oip_app",)
        cursor.execute(statement)


def test_the_last_day_is_set_once(author: User, approver: User) -> None:
    publish(catalog_source(MICRO), author, approver)
    change = "update catalogs_catalogversion set effective_to = %s"
    with connection.cursor() as cursor:
        cursor.execute(change, ["2026-12-31"])
        with pytest.raises(DatabaseError, match="set once"), transaction.atomic():
            cursor.execute(change, ["2027-12-31"])


def test_the_table_refuses_overlapping_windows(author: User, approver: User) -> None:
    publish(catalog_source(MICRO), author, approver)
    second = in_review(
        catalog_source(MICRO, ("version: 2.0.0", "version: 2.1.0")), author, approver
    )
    version = CatalogVersion.objects.filter(pk=second)
    with pytest.raises(IntegrityError, match="in force on the same day"), transaction.atomic():
        version.update(state=VersionState.PUBLISHED, published_by=approver, published_at=NOON)


def test_the_table_refuses_an_author_as_publisher(author: User) -> None:
    version = CatalogVersion.objects.filter(pk=draft(catalog_source(MICRO), author))
    version.update(state=VersionState.IN_REVIEW, submitted_by=author, submitted_at=NOON)
    with pytest.raises(IntegrityError, match="second_person"), transaction.atomic():
        version.update(state=VersionState.PUBLISHED, published_by=author, published_at=NOON)
