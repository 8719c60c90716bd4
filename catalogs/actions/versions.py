"""The life of a version: drafted, submitted, published by a second person, retired."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from catalogs.actions.gates import check_can_publish, in_sentences
from catalogs.actions.trial_rows import begin_trial, end_predecessor, record_begin
from catalogs.actions.version_rows import (
    UnableToMove,
    check_state,
    load_for_update,
    record_step,
    store_fields,
)
from catalogs.core.document import Document, load_document
from catalogs.core.document.trials import Trial
from catalogs.models import Catalog, CatalogVersion, VersionState
from catalogs.permissions import check_can_approve, check_can_author
from catalogs.queries.what_ifs import figures_of_what_ifs
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import User


class UnableToDraft(Exception):
    """The document cannot be kept as a draft; the sentence says why."""


def create_draft(
    *, source: bytes, catalog_id: UUID, version_id: UUID, by: User, at: datetime
) -> UUID:
    """Keep a document as a new draft and return the version's id.

    `catalog_id` is the id that the catalog gets if its slug is new. Raises NotAllowed, or
    UnableToDraft for a document that has no meaning and for a version that exists already.
    """
    role = check_can_author(by)
    document = readable(source)
    with transaction.atomic():
        catalog = _catalog_for_update(document, catalog_id)
        if catalog.versions.filter(version=document.version).exists():
            raise UnableToDraft(_taken(document))
        stored = CatalogVersion.objects.create(
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
        record_step(stored, "version.draft", person(by, role), at, facts)
    return version_id


def revise_version(*, version_id: UUID, source: bytes, by: User, at: datetime) -> None:
    """Give a version that came back to its author another text.

    Its catalog stays. Raises NotAllowed, UnableToMove for one that is no draft, UnableToDraft for a
    text that has no meaning, of another catalog, or with the number of another version.
    """
    role = check_can_author(by)
    document = readable(source)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.DRAFT, "changed")
        if version.catalog.slug != document.slug:
            raise UnableToDraft(
                f"The draft was handed in as {version.catalog.slug}, and this text is of "
                f"{document.slug}; start another draft for another catalog."
            )
        same = version.catalog.versions.exclude(pk=version_id).filter(version=document.version)
        if same.exists():
            raise UnableToDraft(_taken(document))
        version.source, version.digest = source, document.digest
        version.version = document.version
        version.effective_from = document.effective_from
        version.effective_to = document.effective_to
        store_fields(version, "source", "digest", "version", "effective_from", "effective_to")
        facts = {"version": document.version, "digest": document.digest}
        record_step(version, "version.revise", person(by, role), at, facts)


def submit_version(*, version_id: UUID, by: User, at: datetime) -> None:
    """Hand a draft to the approvers. Raises NotAllowed, or UnableToMove unless it is a draft."""
    role = check_can_author(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.DRAFT, "submitted")
        version.state = VersionState.IN_REVIEW
        version.submitted_by = by
        version.submitted_at = at
        store_fields(version, "state", "submitted_by", "submitted_at")
        facts = {"digest": version.digest}
        record_step(version, "version.submit", person(by, role), at, facts)


def publish_version(
    *,
    version_id: UUID,
    by: User,
    at: datetime,
    expected_digest: str | None = None,
    trial: Trial | None = None,
) -> None:
    """Put a version in force from its first day on; an open predecessor ends the day before.

    On `trial` it does not decide yet, and no predecessor ends (`catalogs.actions.trials`).
    `expected_digest` is of the text that the person has read. Raises NotAllowed, or UnableToMove:
    for an author of the version, for a lint error (with its sentence), without calibration or a
    waiver and a green rehearsal of exactly this text, when the days overlap, for another text.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.IN_REVIEW, "published")
        if expected_digest is not None and version.digest != expected_digest:
            raise UnableToMove("The text has changed since you opened the page; read it again.")
        check_can_publish(version, by, trial=trial)
        ended = end_predecessor(version) if trial is None else None
        if trial is not None:
            begin_trial(version, trial, by, at)
        version.state = VersionState.PUBLISHED
        version.published_by = by
        version.published_at = at
        store_fields(version, "state", "published_by", "published_at")
        facts: dict[str, Value] = {
            "digest": version.digest,
            "effective_from": version.effective_from.isoformat(),
            "superseded": [str(ended)] if ended else [],
            "what_ifs": figures_of_what_ifs(version.digest),
            "trial": None if trial is None else trial.mode.value,
        }
        record_step(version, "version.publish", person(by, role), at, facts)
        if trial is not None:
            record_begin(version, trial, person(by, role), at)


def retire_version(*, version_id: UUID, last_day: date, by: User, at: datetime) -> None:
    """Take a published version out of use: it judges no further call.

    A version without a last day gets `last_day`. Raises NotAllowed or UnableToMove.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.PUBLISHED, "retired")
        if version.trials.filter(ended_at=None).exists():
            raise UnableToMove("The version is on trial; end the trial, and it is retired.")
        if last_day < version.effective_from:
            raise UnableToMove(
                f"The version is in force from {version.effective_from.isoformat()}; "
                "its last day cannot lie before."
            )
        version.state = VersionState.RETIRED
        version.effective_to = version.effective_to or last_day
        version.retired_by = by
        version.retired_at = at
        store_fields(version, "state", "effective_to", "retired_by", "retired_at")
        facts = {"digest": version.digest, "effective_to": version.effective_to.isoformat()}
        record_step(version, "version.retire", person(by, role), at, facts)


def readable(source: bytes) -> Document:
    """Return the document of a text. Raises UnableToDraft with what is wrong with it."""
    document, findings = load_document(source)
    if document is None:
        raise UnableToDraft(f"The document cannot be read: {in_sentences(findings)}")
    return document


def _taken(document: Document) -> str:
    return (
        f"{document.slug} {document.version} exists already; give the new text a new version "
        "number."
    )


def _catalog_for_update(document: Document, catalog_id: UUID) -> Catalog:
    # Insert first: of two authors of a new slug at once, the second waits and finds the first's.
    Catalog.objects.bulk_create(
        [Catalog(id=catalog_id, slug=document.slug, title=document.title)], ignore_conflicts=True
    )
    return Catalog.objects.select_for_update().get(slug=document.slug)
