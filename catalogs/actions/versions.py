"""The life of a version: drafted, submitted, published by a second person, retired."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.core.document import Document, load_document
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint
from catalogs.models import (
    CalibrationReport,
    Catalog,
    CatalogVersion,
    RehearsalReport,
    VersionState,
)
from catalogs.permissions import check_can_approve, check_can_author
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, Act
from oipsce_site.people.models import User

_MOST_SENTENCES = 20
#: Warnings of a rehearsal that stop publishing: an edge or a requirement seen from one side only.
_GAPS = frozenset({"W703", "W704"})


class UnableToDraft(Exception):
    """The document cannot be kept as a draft; the sentence says why."""


class UnableToMove(Exception):
    """The version cannot be submitted, published or retired; the sentence says why."""


def create_draft(
    *, source: bytes, catalog_id: UUID, version_id: UUID, by: User, at: datetime
) -> UUID:
    """Keep a document as a new draft and return the version's id.

    `catalog_id` is the id that the catalog gets if its slug is new. Raises NotAllowed, or
    UnableToDraft for a document that has no meaning and for a version that exists already.
    """
    role = check_can_author(by)
    document = _readable(source)
    with transaction.atomic():
        catalog = _catalog_for_update(document, catalog_id)
        if catalog.versions.filter(version=document.version).exists():
            raise UnableToDraft(
                f"{document.slug} {document.version} exists already; give the new text a new "
                "version number."
            )
        CatalogVersion.objects.create(
            id=version_id,
            catalog=catalog,
            version=document.version,
            state=VersionState.DRAFT,
            source=source,
            digest=document.digest,
            effective_from=document.effective_from,
            effective_to=document.effective_to,
            created_by=by,
            created_at=at,
        )
        facts = {"version": document.version, "digest": document.digest}
        _record(catalog.id, "version.draft", version_id, person(by, role), at, facts)
    return version_id


def submit_version(*, version_id: UUID, by: User, at: datetime) -> None:
    """Hand a draft to the approvers. Raises NotAllowed, or UnableToMove unless it is a draft."""
    role = check_can_author(by)
    with transaction.atomic():
        version = _load_for_update(version_id)
        _check_state(version, VersionState.DRAFT, "submitted")
        version.state = VersionState.IN_REVIEW
        version.submitted_by = by
        version.submitted_at = at
        _store(version, "state", "submitted_by", "submitted_at")
        facts = {"digest": version.digest}
        _record(version.catalog_id, "version.submit", version.id, person(by, role), at, facts)


def publish_version(*, version_id: UUID, by: User, at: datetime) -> None:
    """Put a version in force from its first day on; an open predecessor ends the day before.

    Raises NotAllowed, or UnableToMove: for an author of the version, for a lint error (with its
    sentence), without calibration or a waiver and a green rehearsal of exactly this text, or when
    the days overlap.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = _load_for_update(version_id)
        _check_state(version, VersionState.IN_REVIEW, "published")
        check_can_publish(version, by)
        ended = _end_predecessor(version)
        version.state = VersionState.PUBLISHED
        version.published_by = by
        version.published_at = at
        _store(version, "state", "published_by", "published_at")
        facts: dict[str, Value] = {
            "digest": version.digest,
            "effective_from": version.effective_from.isoformat(),
            "superseded": [str(ended)] if ended else [],
        }
        _record(version.catalog_id, "version.publish", version.id, person(by, role), at, facts)


def retire_version(*, version_id: UUID, last_day: date, by: User, at: datetime) -> None:
    """Take a published version out of use: it judges no further call.

    A version without a last day gets `last_day`. Raises NotAllowed or UnableToMove.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = _load_for_update(version_id)
        _check_state(version, VersionState.PUBLISHED, "retired")
        if last_day < version.effective_from:
            raise UnableToMove(
                f"The version is in force from {version.effective_from.isoformat()}; "
                "its last day cannot lie before."
            )
        version.state = VersionState.RETIRED
        version.effective_to = version.effective_to or last_day
        version.retired_by = by
        version.retired_at = at
        _store(version, "state", "effective_to", "retired_by", "retired_at")
        facts = {"digest": version.digest, "effective_to": version.effective_to.isoformat()}
        _record(version.catalog_id, "version.retire", version.id, person(by, role), at, facts)


def check_can_publish(version: CatalogVersion, user: User) -> None:
    """Check everything publishing asks of a version in review. Raises UnableToMove."""
    by_author = user.pk in (version.created_by_id, version.submitted_by_id)
    if by_author and Act.PUBLISH_CATALOGS in BY_A_SECOND_PERSON:
        raise UnableToMove("A version is published by a second person; you wrote or submitted it.")
    _check_lint(bytes(version.source))
    _check_calibration(version.digest)
    _check_rehearsal(version.digest)


def _check_lint(source: bytes) -> None:
    document = _readable(source)
    errors = [finding for finding in lint(document) if finding.severity is Severity.ERROR]
    if errors:
        raise UnableToMove(f"The lint stops it: {_sentences(errors)}")


def _check_calibration(digest: str) -> None:
    if not CalibrationReport.objects.filter(document_digest=digest).exists():
        raise UnableToMove(
            "Nothing shows that raters agree on this text: record a calibration, or a waiver with "
            "its reason."
        )


def _check_rehearsal(digest: str) -> None:
    """Ask for the latest rehearsal of exactly this text to be green (design 2)."""
    reports = RehearsalReport.objects.filter(document_digest=digest)
    latest = reports.order_by("-made_at", "-id").first()
    if latest is None:
        raise UnableToMove(
            "This text has not been rehearsed yet: its examples and tests must have been run. "
            "A worker does that after a version is submitted; wait for it."
        )
    if not latest.is_green:
        raise UnableToMove(
            f"The rehearsal is not green. {rehearsal_gaps(latest.result)} Mend the document or its "
            "tests and submit it as a new version."
        )


def rehearsal_gaps(result: Mapping[str, Any]) -> str:
    """Say in words what a stored rehearsal lacks: its errors, and what its tests never saw."""
    shown = [
        f"{finding['code']} {finding['where']}: {finding['text']}"
        for finding in result["findings"]
        if finding["severity"] == Severity.ERROR.value or finding["code"] in _GAPS
    ]
    rest = len(shown) - _MOST_SENTENCES
    return " ".join(shown[:_MOST_SENTENCES] + ([f"And {rest} more."] if rest > 0 else []))


def _end_predecessor(version: CatalogVersion) -> UUID | None:
    """Set the last day of the open version before this one. Raises UnableToMove for an overlap."""
    others = CatalogVersion.objects.select_for_update().filter(
        catalog_id=version.catalog_id, state=VersionState.PUBLISHED
    )
    ended: UUID | None = None
    for other in others:
        if other.effective_to is None and other.effective_from < version.effective_from:
            other.effective_to = version.effective_from - timedelta(days=1)
            _store(other, "effective_to")
            ended = other.id
        elif _overlap(other, version):
            raise UnableToMove(
                f"Version {other.version} is in force from {other.effective_from.isoformat()} on; "
                "two versions on one day cannot both judge a call. Change the days."
            )
    return ended


def _overlap(one: CatalogVersion, two: CatalogVersion) -> bool:
    return one.effective_from <= (two.effective_to or date.max) and two.effective_from <= (
        one.effective_to or date.max
    )


def _readable(source: bytes) -> Document:
    document, findings = load_document(source)
    if document is None:
        raise UnableToDraft(f"The document cannot be read: {_sentences(findings)}")
    return document


def _sentences(findings: list[Finding] | tuple[Finding, ...]) -> str:
    shown = [f"{finding.code} {finding.where}: {finding.text}" for finding in findings]
    rest = len(shown) - _MOST_SENTENCES
    return " ".join(shown[:_MOST_SENTENCES] + ([f"And {rest} more."] if rest > 0 else []))


def _catalog_for_update(document: Document, catalog_id: UUID) -> Catalog:
    # Insert first: of two authors of a new slug at once, the second waits and finds the first's.
    Catalog.objects.bulk_create(
        [Catalog(id=catalog_id, slug=document.slug, title=document.title)], ignore_conflicts=True
    )
    return Catalog.objects.select_for_update().get(slug=document.slug)


def _load_for_update(version_id: UUID) -> CatalogVersion:
    found = CatalogVersion.objects.filter(pk=version_id).first()
    if found is None:
        raise UnableToMove("There is no such version.")
    # The catalog's row is the lock of all its versions, as for the overlap trigger.
    Catalog.objects.select_for_update().get(pk=found.catalog_id)
    return CatalogVersion.objects.select_for_update().get(pk=version_id)


def _check_state(version: CatalogVersion, expected: VersionState, verb: str) -> None:
    if version.state != expected:
        raise UnableToMove(
            f"The version is {VersionState(version.state).label} and only one that is "
            f"{expected.label} can be {verb}."
        )


def _store(version: CatalogVersion, *fields: str) -> None:
    version.revision += 1
    version.save(update_fields=[*fields, "revision"])


def _record(
    catalog_id: UUID,
    kind: str,
    version_id: UUID,
    by: Actor,
    at: datetime,
    facts: Mapping[str, Value],
) -> None:
    record(
        chain_id=catalog_id,
        about=About.CATALOG,
        kind=kind,
        by=by,
        at=at,
        facts={"version_id": str(version_id), **facts},
    )
